import { expect, test } from 'vitest'
import type { Json } from '../protocol/json.ts'
import { CallError } from './call-error.ts'
import { UPLOAD_CALLS, type UploadAddress } from '../protocol/upload.ts'
import { createUpload, type UploadParts } from './upload.ts'
import type { UploadAnswer, UploadRequest } from './upload-request.ts'

const file = (name = 'a.txt', words = 'hello') => new File([words], name, { type: 'text/plain' })
const posted: UploadAddress = { url: '/tablewire/uploads?ticket=t', paths: ['one'] }
const stored = { status: 200, text: '{"paths":["one"]}' }

/** An upload whose component and network do what the test says; each request waits to be answered. */
function open(given: Partial<UploadParts> & { address?: UploadAddress | Error } = {}) {
  const { address = posted, ...parts } = given
  const calls: Json[][] = []
  const happened: string[] = []
  const requests: (UploadRequest & { answer(answer: UploadAnswer): void })[] = []
  const upload = createUpload({
    property: 'photo',
    wait: async () => {},
    csrf: () => 'token',
    socketId: () => '1.2',
    component: {
      async call(method, ...params) {
        calls.push([method, ...params])
        if (method !== UPLOAD_CALLS.start) return null
        if (address instanceof Error) throw address
        return structuredClone(address) as unknown as Json
      },
    },
    send: (request) =>
      new Promise((answer) => {
        requests.push({ ...request, answer })
        request.signal.addEventListener('abort', () => answer({ status: 0, text: '' }))
      }),
    ...parts,
  })
  upload.listen((event, { file: { name }, progress }) => {
    happened.push(`${event} ${name} ${progress}`)
  })
  const request = async (at = 0) => {
    await expect.poll(() => requests.length).toBeGreaterThan(at)
    return requests[at]!
  }
  return { upload, calls, happened, requests, request }
}

test('start, progress and finish, with the calls of the specification (spec §4, §7)', async () => {
  const { upload, calls, happened, request } = open()
  upload.add([file()])
  const { method, url, headers, body, sent, answer } = await request()
  expect([method, url, headers]).toEqual([
    'POST',
    posted.url,
    {
      ...{ Accept: 'application/json', 'X-CSRF-Token': 'token' },
      ...{ 'X-Requested-With': 'XMLHttpRequest', 'X-Socket-Id': '1.2' },
    },
  ])
  expect((body as FormData).getAll('files[]')).toEqual([expect.objectContaining({ name: 'a.txt' })])
  sent(0.5)
  expect(upload.getState()).toMatchObject([{ status: 'sending', progress: 50 }])
  answer(stored)
  await expect.poll(() => upload.getState()).toEqual([])
  const facts = [{ name: 'a.txt', size: 5, type: 'text/plain' }]
  expect(calls).toEqual([
    [UPLOAD_CALLS.start, 'photo', facts, false],
    [UPLOAD_CALLS.finish, 'photo', ['one'], false],
  ])
  expect(happened).toEqual(['start a.txt 0', 'progress a.txt 50', 'finish a.txt 50'])
})

test('a request without a connected socket names none', async () => {
  const { upload, request } = open({ socketId: () => null })
  upload.add([file()])
  expect((await request()).headers).not.toHaveProperty('X-Socket-Id')
})

test('files are sent one after the other', async () => {
  const { upload, calls, requests, request } = open({ multiple: true })
  upload.add([file('a.txt'), file('b.txt')])
  const first = await request()
  expect(upload.getState().map(({ status }) => status)).toEqual(['sending', 'waiting'])
  first.answer(stored)
  await request(1)
  expect(requests).toHaveLength(2)
  expect(calls.map(([method, , files]) => [method, JSON.stringify(files)])).toEqual([
    [UPLOAD_CALLS.start, expect.stringContaining('a.txt')],
    [UPLOAD_CALLS.finish, '["one"]'],
    [UPLOAD_CALLS.start, expect.stringContaining('b.txt')],
  ])
})

test('the body of a 422 goes to the component as it is (spec §5, §8)', async () => {
  const { upload, calls, happened, request } = open()
  upload.add([file()])
  const body = '{"message":"No.","errors":{"files.0":["Too blue."]}}'
  ;(await request()).answer({ status: 422, text: body })
  await expect.poll(() => calls.at(-1)).toEqual([UPLOAD_CALLS.errored, 'photo', body, false])
  expect(upload.getState()).toMatchObject([{ status: 'failed', messages: ['Too blue.'] }])
  expect(happened.at(-1)).toBe('error a.txt 0')
})

test.each([0, 401, 413, 419, 500, 503])(
  'status %i calls upload-errored, without a body, and the file can be sent again (spec §8)',
  async (status) => {
    const { upload, calls, request } = open()
    upload.add([file()])
    ;(await request()).answer({ status, text: '<html>' })
    await expect.poll(() => calls.at(-1)).toEqual([UPLOAD_CALLS.errored, 'photo', null, false])
    const [failed] = upload.getState()
    expect(failed).toMatchObject({ status: 'failed', messages: [] })
    upload.retry(failed!.id)
    ;(await request(1)).answer(stored)
    await expect.poll(() => upload.getState()).toEqual([])
  },
)

test('what the component refuses before anything is sent fails with its sentence, and the next goes on', async () => {
  const { upload, requests } = open({
    address: new CallError('UPDATE_INVALID', 'Max files: 1', 422),
  })
  upload.add([file('a.txt'), file('b.txt')])
  await expect
    .poll(() => upload.getState())
    .toMatchObject([
      { status: 'failed', messages: ['Max files: 1'] },
      { status: 'failed', messages: ['Max files: 1'] },
    ])
  expect(requests).toEqual([])
})

test('an answer that cannot be read fails without a sentence that only a program can read', async () => {
  const { upload, request } = open()
  upload.add([file()])
  ;(await request()).answer({ status: 200, text: '<html>' })
  await expect.poll(() => upload.getState()).toMatchObject([{ status: 'failed', messages: [] }])
  const other = open({ address: new TypeError('An upload begins with an address and paths.') })
  other.upload.add([file()])
  await expect
    .poll(() => other.upload.getState())
    .toMatchObject([{ status: 'failed', messages: [] }])
})

test('cancelling stops the request and tells the server, and the next one goes on', async () => {
  const { upload, calls, happened, request } = open({ multiple: true })
  upload.add([file('a.txt'), file('b.txt')])
  const { signal } = await request()
  upload.cancel(upload.getState()[0]!.id)
  expect(signal.aborted).toBe(true)
  await expect.poll(() => calls).toContainEqual([UPLOAD_CALLS.remove, 'photo', 'one'])
  await request(1)
  expect(calls.map(([method]) => method)).not.toContain(UPLOAD_CALLS.errored)
  expect(happened).toEqual(['start a.txt 0', 'cancel a.txt 0', 'start b.txt 0'])
})

test('one file is put into a storage with the server’s headers and no others (spec §7)', async () => {
  const put = { headers: { 'content-type': 'text/plain' } }
  const address = { url: 'https://files.example.org/x', paths: ['one'], put }
  const { upload, calls, request } = open({ address })
  const sent = file()
  upload.add([sent])
  const { method, url, headers, body, answer } = await request()
  expect([method, url, headers]).toEqual(['PUT', address.url, put.headers])
  expect(body).toBe(sent)
  answer({ status: 200, text: '' })
  await expect.poll(() => calls.at(-1)).toEqual([UPLOAD_CALLS.finish, 'photo', ['one'], false])
})

test('what a storage refuses is taken away there, and can be sent again', async () => {
  const address = { url: 'https://files.example.org/x', paths: ['one'], put: { headers: {} } }
  const { upload, calls, request } = open({ address })
  upload.add([file()])
  ;(await request()).answer({ status: 403, text: '<Error/>' })
  await expect.poll(() => calls.at(-1)).toEqual([UPLOAD_CALLS.errored, 'photo', null, false])
  expect(calls.at(-2)).toEqual([UPLOAD_CALLS.remove, 'photo', 'one'])
  expect(upload.getState()).toMatchObject([{ status: 'failed', messages: [] }])
})

test('without a token nothing is sent, and the item says so (spec §8)', async () => {
  const { upload, requests } = open({ csrf: () => null })
  upload.add([file()])
  await expect.poll(() => upload.getState()).toMatchObject([{ status: 'failed' }])
  expect(upload.getState()[0]?.messages.join()).toContain('No CSRF token was detected')
  expect(requests).toEqual([])
})

test('a file that has arrived is removed by its path; stopping cancels what has not', async () => {
  const { upload, calls, request } = open()
  void upload.remove('zero')
  expect(calls).toEqual([[UPLOAD_CALLS.remove, 'photo', 'zero']])
  upload.add([file()])
  await request()
  upload.stop()
  await expect.poll(() => calls.at(-1)).toEqual([UPLOAD_CALLS.remove, 'photo', 'one'])
  expect(upload.getState()).toEqual([])
})

test('a file in pieces is gone on with by a retry, begins anew if it is gone, and is taken back', async () => {
  const address = { ...posted, piece: 4 }
  const { upload, calls, request } = open({ address })
  upload.add([file()])
  ;(await request(0)).answer({ status: 422, text: '{}' })
  await expect.poll(() => upload.getState()).toMatchObject([{ status: 'failed', path: 'one' }])
  upload.retry(1)
  const asked = await request(1)
  expect(asked).toMatchObject({ method: 'HEAD', url: `${posted.url}&patch=one`, body: null })
  asked.answer({ status: 404, text: '' })
  ;(await request(2)).answer({ status: 422, text: '{}' })
  await expect.poll(() => upload.getState()).toMatchObject([{ status: 'failed' }])
  upload.cancel(1)
  const names = calls.map(([method]) => method)
  expect(names.filter((name) => name === UPLOAD_CALLS.start)).toHaveLength(2)
  expect(calls.at(-1)).toEqual([UPLOAD_CALLS.remove, 'photo', 'one'])
})

test('an order is told by the call that puts files at the end, ten at a time', async () => {
  const { upload, calls } = open({ multiple: true })
  const paths = Array.from({ length: 12 }, (_, at) => `p${at}`)
  await upload.order(paths)
  expect(calls).toEqual([
    [UPLOAD_CALLS.finish, 'photo', paths.slice(0, 10), true],
    [UPLOAD_CALLS.finish, 'photo', paths.slice(10), true],
  ])
})
