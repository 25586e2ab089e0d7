import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTransfers, type Transfers } from './transfers.ts'

let folder: string
let transfers: Transfers
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-transfers-'))
  transfers = createTransfers(join(folder, 'transfers'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = { user: '../ana', id: 'one', size: 11 }

async function* bytes(text: string, breaks = false) {
  yield Buffer.from(text)
  if (breaks) throw new Error('The line broke.')
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all).toString()
}

test('bytes are added where those before them end, and what comes before a break stays', async () => {
  await expect(transfers.append(file, 0, bytes('hello'))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await transfers.begin(file)
  expect(await transfers.append(file, 0, bytes('hello'))).toBe(5)
  await expect(transfers.append(file, 5, bytes(', d', true))).rejects.toThrow('The line broke.')
  expect(await transfers.arrived(file)).toBe(8)
  await expect(transfers.append(file, 9, bytes('sk'))).rejects.toMatchObject({
    code: 'UPLOAD_OFFSET',
  })
  expect(await transfers.append(file, 7, bytes('desk'))).toBe(11)
  expect(await textOf(transfers.read(file))).toBe('hello, desk')
})

test('no more is written than the file is long', async () => {
  await transfers.begin(file)
  await expect(transfers.append(file, 0, bytes('hello, desk!'))).rejects.toMatchObject({
    code: 'REQUEST_TOO_LARGE',
  })
})

test('a file is its person’s alone, whatever the id of that person holds', async () => {
  await transfers.begin(file)
  expect(await transfers.arrived({ ...file, user: 'ben' })).toBe(undefined)
  await transfers.forget('ben', file.id)
  expect([await transfers.arrived(file), await transfers.bytesOf(file.user)]).toEqual([0, 11])
  await transfers.forget(file.user, file.id)
  expect(await transfers.bytesOf(file.user)).toBe(0)
  expect(readdirSync(folder)).toEqual(['transfers'])
})

test('a file that is taken back before its bytes are read is not found, and nothing else fails', async () => {
  await transfers.begin(file)
  await transfers.append(file, 0, bytes('hello, desk'))
  const read = transfers.read(file)
  await transfers.forget(file.user, file.id)
  // An error that nobody listens for comes in a turn of its own.
  await new Promise((resolve) => setImmediate(resolve))
  await expect(textOf(read)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('what nothing was added to for a while is swept, and nothing else', async () => {
  const late = { ...file, id: 'late' }
  await transfers.begin(file)
  await transfers.begin(late)
  const [person = ''] = readdirSync(join(folder, 'transfers'))
  utimesSync(join(folder, 'transfers', person, 'one.11'), 1, 1)
  await transfers.sweep(2000)
  expect([await transfers.arrived(file), await transfers.arrived(late)]).toEqual([undefined, 0])
  await transfers.remove(late)
  await transfers.sweep(2000)
  expect(readdirSync(join(folder, 'transfers'))).toEqual([])
})
