/** Files follow their rows and the history: replaced ones stay, and go once nothing refers to them. */

import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { admin } from '../../../test/table-of.ts'
import { openLedger } from '../../database/ledger/open-ledger.ts'
import type { SqlLedger } from '../../database/ledger/sql-ledger.ts'
import { memoryFiles, memoryStorage } from '../../server/upload/memory-uploads.ts'
import { type Catalog, createCatalog } from '../catalog.ts'
import { createChangeDoor, type ChangeDoor } from '../changes/door.ts'
import { entryId } from '../changes/entry-id.ts'
import { runUndo } from '../history/undo.ts'
import type { Policy } from '../source/access.ts'
import { everything } from '../source/predicate.ts'
import { sweepFiles } from './sweep-files.ts'

const DAY = 24 * 60 * 60_000
const keyOf = (name: string) => `kept/ab/${name.padEnd(22, '_')}-${name}.png`
const [OLD, NEW] = [keyOf('old'), keyOf('new')]

const all: Policy = {
  version: '1',
  grant: (_actor, { columns }) => ({
    ...{ actions: ['read', 'create', 'update', 'delete'], rows: everything },
    readable: columns.map(({ name }) => name),
    writable: columns.map(({ name }) => name),
  }),
}

let data: OpenDataFile
let catalog: Catalog
let ledger: SqlLedger
let door: ChangeDoor
let now: number
let files: ReturnType<typeof memoryFiles>
let storage: ReturnType<typeof memoryStorage>

beforeEach(async () => {
  now = Date.UTC(2026, 10, 26)
  files = memoryFiles()
  storage = memoryStorage()
  data = await openDataFile(`create table strikes (id integer primary key, photo text);
    create table copies (id integer primary key, photo text, photos text);
    insert into strikes values (1, '${OLD}')`)
  const { source, folder } = data
  let ids = 0
  const newId = () => entryId(now, new Uint8Array(10).fill(++ids % 256))
  const opened = await openLedger({
    ...{ source, metadata: `${folder}/own.sqlite`, isBeside: false, dataFolder: folder },
    ...{ now: () => now, newId, keptDays: 90 },
  })
  ledger = opened!
  const photo = { kind: 'image', storage: 'local' } as const
  catalog = await createCatalog(source, all, {
    definitions: {
      strikes: { columns: { photo } },
      copies: { columns: { photo, photos: { ...photo, multiple: true } } },
    },
  })
  door = createChangeDoor({ source, catalog: () => catalog, ledger, now: () => now, newId })
  await keep(OLD)
})
afterEach(async () => {
  await data.source.close()
  await ledger.close()
  data.remove()
})

async function keep(key: string, dueAt = now) {
  async function* bytes() {
    yield Buffer.from(key)
  }
  await storage.put(key, bytes())
  await files.hold(key, { table: 'strikes', column: 'photo' }, dueAt)
}

const sweep = () =>
  sweepFiles({
    ...{ files, storage, source: data.source, catalog: () => catalog, now: () => now },
    holding: (texts) => ledger.holding(texts),
  })

const isThere = async (key: string) => (await storage.size(key)) !== undefined

async function set(photo: string | null) {
  const outcome = await door.save(admin, {
    door: 'form',
    tables: [{ table: 'strikes', rows: [{ update: [1], set: { photo } }] }],
  })
  return outcome.status === 'done' ? (outcome.entry ?? '') : ''
}

async function pass(days: number) {
  now += days * DAY
  await ledger.forgetOld()
  await sweep()
}

test('what a row refers to stays', async () => {
  await pass(200)
  expect(await isThere(OLD)).toBe(true)
})

test('what was replaced stays until the history forgets it, and then goes', async () => {
  await keep(NEW)
  await set(NEW)
  await pass(80)
  expect([await isThere(OLD), await isThere(NEW)]).toEqual([true, true])
  await pass(24)
  expect([await isThere(OLD), await isThere(NEW)]).toEqual([false, true])
  expect(await files.due(Infinity, 10)).toMatchObject([{ key: NEW }])
})

test('undo brings the file back, which stays with its row', async () => {
  await keep(NEW)
  const entry = await set(NEW)
  await pass(80)
  const services = {
    ...{ source: data.source, catalog: () => catalog, ledger, door, historyHref: '/history' },
    href: (table: string) => `/tables/${table}`,
  }
  const reader = { locale: 'en-US', language: 'en', timeZone: 'UTC' }
  await runUndo(services, admin, { id: entry, reader })
  expect(data.row('select photo from strikes')).toEqual({ photo: OLD })
  const bytes = await storage.read(OLD)
  expect(bytes && (await text(bytes))).toBe(OLD)
  await pass(104)
  expect([await isThere(OLD), await isThere(NEW)]).toEqual([true, false])
})

test('what no row has ever referred to goes, such as that of a save which was refused', async () => {
  await keep(NEW)
  await sweep()
  expect(await isThere(NEW)).toBe(false)
  expect(await files.due(Infinity, 10)).toMatchObject([{ key: OLD }])
})

test('what a save is about to refer to is not looked at', async () => {
  await keep(NEW, now + 1)
  await sweep()
  await set(NEW)
  now += DAY
  await sweep()
  expect(await isThere(NEW)).toBe(true)
})

test('what is referred to elsewhere stays, and so does what was kept for a table that is gone', async () => {
  data.run(`insert into copies values (1, '${OLD}', null); update strikes set photo = null`)
  await storage.put(NEW, (async function* () {})())
  await files.hold(NEW, { table: 'dropped', column: 'photo' }, now)
  await sweep()
  expect([await isThere(OLD), await isThere(NEW)]).toEqual([true, true])
})

test('what stands in a list stays, also in one that only the history holds', async () => {
  const others = ['b', 'ö'].map(keyOf)
  for (const key of others) await keep(key)
  data.run(`update strikes set photo = null`)
  const list = JSON.stringify([...others, OLD])
  const insert = { id: 1, photo: null, photos: list }
  await door.save(admin, { door: 'form', tables: [{ table: 'copies', rows: [{ insert }] }] })
  await pass(200)
  expect(await Promise.all([...others, OLD].map(isThere))).toEqual([true, true, true])
  const set = { photos: JSON.stringify([OLD]) }
  const rows = [{ update: [1], set }]
  await door.save(admin, { door: 'form', tables: [{ table: 'copies', rows }] })
  await pass(80)
  expect(await Promise.all(others.map(isThere))).toEqual([true, true])
  await pass(24)
  expect(await Promise.all([...others, OLD].map(isThere))).toEqual([false, false, true])
})

test('one sweep looks at few, those first that are due longest', async () => {
  const keys = Array.from(
    { length: 60 },
    (_, at) => `kept/ab/${String(at).padStart(22, '0')}-a.png`,
  )
  for (const [at, key] of keys.entries()) await keep(key, now - 100 + at)
  await sweep()
  const left = await Promise.all(keys.map(isThere))
  expect(left.indexOf(true)).toBe(50)
  expect(left.slice(50)).not.toContain(false)
})

test('what cannot be asked counts as held, and is asked again', async () => {
  await keep(NEW)
  const failing = { files, storage, catalog: () => catalog, now: () => now }
  const page = () => Promise.reject(new Error('The database is away.'))
  await sweepFiles({ ...failing, source: { page } })
  expect(await isThere(NEW)).toBe(true)
  now += 8 * DAY
  await sweep()
  expect(await isThere(NEW)).toBe(false)
})
