import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { UPLOAD_CALLS } from '../../protocol/upload.ts'
import { defineComponent } from '../component/define.ts'
import { testComponent } from '../component/test-component.ts'
import { uploadedFiles } from './upload-actions.ts'

const ana = { id: 'ana', name: 'Ana', email: '', role: 'admin' } as const
const ben = { ...ana, id: 'ben' } as const
const note = (name = 'note.txt', words = 'hello') => ({ name, bytes: Buffer.from(words) })

const report = defineComponent({
  name: 'report',
  state: {
    photo: uploadedFiles,
    notes: uploadedFiles,
    read: v.string(),
    parts: v.record(v.string(), uploadedFiles),
  },
  uploads: (property) =>
    ({
      photo: { types: ['image/png'] },
      notes: { types: ['text/plain'], multiple: true, maxFiles: 2, maxBytes: 10 },
      'parts.one': { types: ['text/plain'] },
    })[property],
  authorize: (_context, intent) => intent.kind !== 'call' || intent.action !== 'forbidden',
  mount: () => ({ photo: [], notes: [], read: '', parts: {} }),
  actions: {
    readFirst: {
      args: v.strictTuple([]),
      async run({ state, uploads }) {
        const [first] = state.notes
        if (first) state.read = await text(await uploads.read(first))
      },
    },
    keepFirst: {
      args: v.strictTuple([]),
      async run({ state, uploads }) {
        const [first] = state.notes
        if (first) state.read = await uploads.keep(first)
      },
    },
  },
  view: ({ state }) => state,
})

const opened = () => testComponent(report, { actor: ana })

test('what has arrived stands in the state, and its bytes can be read and kept', async () => {
  const page = await opened()
  await page.upload('notes', note())
  expect(page.data.notes).toMatchObject([{ name: 'note.txt', size: 5, type: 'text/plain' }])
  await page.call.readFirst()
  expect(page.view.read).toBe('hello')
  await page.call.keepFirst()
  const kept = page.view.read
  expect(kept).toMatch(/^kept\/.{2}\/[\w-]{22}-note\.txt$/)
  await page.call.readFirst()
  expect(page.view.read).toBe('hello')
  await page.call.keepFirst()
  expect(page.view.read).toBe(kept)
})

test('a property of several adds files, up to the most; one of a single replaces it', async () => {
  const page = await opened()
  await page.upload('notes', note('1.txt'), note('2.txt'))
  await expect(page.upload('notes', note('3.txt'))).rejects.toThrow('Max files: 2')
  expect(page.data.notes.map(({ name }) => name)).toEqual(['1.txt', '2.txt'])
  await page.upload('parts.one', note('a.txt'))
  await page.upload('parts.one', note('b.txt'))
  expect(page.data.parts['one']).toMatchObject([{ name: 'b.txt' }])
})

test('what the rules do not take is refused before anything is sent, with the reason', async () => {
  const page = await opened()
  await expect(page.upload('notes', note('a.txt', 'longer than ten'))).rejects.toThrow(
    '“a.txt” is larger than 10 bytes.',
  )
  for (const file of [note('a.png'), { ...note(), type: 'image/png' }, note('a.exe'), note('txt')])
    await expect(page.upload('notes', file)).rejects.toThrow('is of a type that is not taken here')
  await expect(page.upload('photo', note('a.png', 'no picture'))).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
  })
  expect(page.data).toMatchObject({ photo: [], notes: [] })
})

test('properties that take none, and several for one that takes one, are not found', async () => {
  const page = await opened()
  const facts = { name: 'a.txt', size: 1, type: '' }
  for (const property of ['read', 'nothing', 'parts', '__proto__', 'constructor.name', ''])
    await expect(page.ask(UPLOAD_CALLS.start, property, [facts], false)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  await expect(page.ask(UPLOAD_CALLS.start, 'photo', [facts], true)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a path of another person, of another property, or of nobody finishes nothing', async () => {
  const page = await opened()
  await page.upload('notes', note())
  const [mine] = page.data.notes
  const finish = (property: string, path = mine?.path ?? '') =>
    page.ask(UPLOAD_CALLS.finish, property, [path], false)
  await expect(finish('parts.one')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(finish('notes', '../../etc/passwd')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await page.actingAs(ben)
  await expect(finish('notes')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(page.data.notes).toEqual([])
})

test('remove-upload takes a file out of the state, and its bytes away', async () => {
  const page = await opened()
  await page.upload('notes', note())
  const path = page.data.notes[0]?.path ?? ''
  await page.ask(UPLOAD_CALLS.remove, 'notes', path)
  expect(page.data.notes).toEqual([])
  await expect(page.ask(UPLOAD_CALLS.finish, 'notes', [path], false)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('upload-errored shows the messages of a 422 at the property, else that it failed', async () => {
  const page = await opened()
  const told = JSON.stringify({ message: 'No.', errors: { 'files.0': ['Too blue.'] } })
  await page.ask(UPLOAD_CALLS.errored, 'photo', told, false)
  expect(page.effects.errors).toEqual({ photo: ['Too blue.'] })
  for (const body of [null, '<html>', '[]', '{"errors":7}']) {
    await page.ask(UPLOAD_CALLS.errored, 'photo', body, false)
    expect(page.effects.errors).toEqual({ photo: ['The upload failed. Try again.'] })
  }
})
