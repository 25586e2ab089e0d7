import { expect, test } from 'vitest'
import { sendPieces } from './send-pieces.ts'
import type { UploadAnswer } from './upload-request.ts'

const file = new File(['0123456789'], 'a.txt')
const address = { url: '/uploads?ticket=t', paths: ['one'], piece: 4 }
const done = { status: 200, text: '{"paths":["one"]}' }

/** Sends the file to a network that answers with these, one after the other. */
async function send(answers: readonly UploadAnswer[], isBegun = false) {
  const asked: string[] = []
  const shares: number[] = []
  const waits: number[] = []
  const left = [...answers]
  const answer = await sendPieces(
    {
      headers: () => ({ 'X-CSRF-Token': 'token' }),
      wait: async (ms) => void waits.push(ms),
      async send({ method, url, headers, body, sent }) {
        sent(1)
        const bytes = body instanceof Blob ? await body.text() : ''
        expect(headers).toMatchObject({ 'X-CSRF-Token': 'token', 'Upload-Length': '10' })
        expect(url).toBe(method === 'POST' ? address.url : `${address.url}&patch=one`)
        asked.push([method, headers['Upload-Offset'], bytes].filter(Boolean).join(' '))
        return left.shift() ?? { status: 500, text: '' }
      },
    },
    { file, address, isBegun, signal: new AbortController().signal, sent: (by) => shares.push(by) },
  )
  return { asked, shares, waits, answer }
}

test('the length, then one piece after the other, with progress over the whole file', async () => {
  const { asked, shares, answer } = await send([
    { status: 200, text: 'one' },
    { status: 204, text: '', offset: 4 },
    { status: 204, text: '', offset: 8 },
    done,
  ])
  expect(asked).toEqual(['POST', 'PATCH 0 0123', 'PATCH 4 4567', 'PATCH 8 89'])
  expect([shares, answer]).toEqual([[0.4, 0.8, 1], done])
})

test('after a broken line it asks what has arrived, and goes on from there', async () => {
  const { asked, waits, answer } = await send([
    { status: 200, text: 'one' },
    { status: 0, text: '' },
    { status: 200, text: '', offset: 2 },
    { status: 204, text: '', offset: 6 },
    { status: 409, text: '' },
    { status: 0, text: '' },
    { status: 200, text: '', offset: 6 },
    done,
  ])
  expect(asked).toEqual([
    ...['POST', 'PATCH 0 0123', 'HEAD', 'PATCH 2 2345', 'PATCH 6 6789', 'HEAD', 'HEAD'],
    'PATCH 6 6789',
  ])
  expect([waits, answer]).toEqual([[500, 500, 1000], done])
})

test('what has not begun is begun again', async () => {
  const { asked, answer } = await send([
    { status: 503, text: '' },
    { status: 200, text: 'one', offset: 0 },
    { status: 204, text: '', offset: 4 },
    { status: 204, text: '', offset: 8 },
    done,
  ])
  expect(asked.slice(0, 3)).toEqual(['POST', 'POST', 'PATCH 0 0123'])
  expect(answer).toEqual(done)
})

test('it ends after five tries, and at once where trying is of no use', async () => {
  const broken = { status: 0, text: '' }
  const lost = await send([
    { status: 200, text: 'one' },
    ...Array.from({ length: 6 }, () => broken),
  ])
  expect([lost.asked.length, lost.waits, lost.answer]).toEqual([
    ...[7, [500, 1000, 3000, 10_000, 20_000]],
    broken,
  ])
  const refused = await send([
    { status: 200, text: 'one' },
    { status: 422, text: '{}' },
  ])
  expect([refused.asked, refused.answer.status]).toEqual([['POST', 'PATCH 0 0123'], 422])
})

test('what has begun before goes on, even if only the answer is missing', async () => {
  const gone = await send([{ status: 404, text: '' }], true)
  expect([gone.asked, gone.answer.status]).toEqual([['HEAD'], 404])
  const all = await send([{ status: 200, text: '', offset: 10 }, done], true)
  expect([all.asked, all.answer]).toEqual([['HEAD', 'PATCH 10'], done])
})
