import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { runs } from '../../../test/tier.ts'
import { closing } from '../failure.ts'
import { openSqlite } from './open.ts'

/** Aborts running scans and closes, in a process that nothing else keeps running. */
const SCRIPT = `
  const workers = []
  process.on('worker', (worker) => workers.push(worker))
  const { openSqlite } = await import(process.argv[1])
  const { Access } = await import(process.argv[2])
  const source = await openSqlite(process.argv[3])
  const table = (await source.describe()).tables[0]
  const grant = { actions: ['read'], rows: { op: 'and', all: [] }, readable: ['id', 'note'], writable: [] }
  const actor = { id: 'a', name: 'A', email: 'a@example.org', role: 'admin' }
  const access = Access.grant({ version: '1', grant: () => grant }, actor, table)
  const where = { op: 'contains', column: 'note', text: 'nothing like it' }
  const scan = () => Promise.all([1, 2].map(() => source.count(access, { op: 'null', column: 'note' }, { timeoutMs: 60_000 })))
  await scan()
  const busyMs = () => workers.map(({ performance }) => performance.eventLoopUtilization().active)
  const before = busyMs()
  const giveUp = new AbortController()
  const counts = [1, 2].map(() => source.count(access, where, { signal: giveUp.signal, timeoutMs: 60_000 }).catch(() => null))
  while (busyMs().some((ms, i) => ms < before[i] + 10)) await new Promise(setImmediate)
  giveUp.abort()
  await Promise.all(counts)
  await source.close()
  console.log('closed')
`

/** Uses every kind of worker, and closes: threads, those of counts, the writer, and both processes of views. */
const EVERYTHING = `
  // Its threads and processes start, which takes long where others do, too.
  const timeoutMs = 60_000
  const { openSqlite } = await import(process.argv[1])
  const { Access } = await import(process.argv[2])
  const source = await openSqlite(process.argv[3], { readOnly: false, smallRows: 0 })
  const grant = { actions: ['read', 'update'], rows: { op: 'and', all: [] }, readable: ['id', 'note'], writable: ['note'] }
  const actor = { id: 'a', name: 'A', email: 'a@example.org', role: 'admin' }
  const { tables } = await source.describe()
  const accessTo = (name) => Access.grant({ version: '1', grant: () => grant }, actor, tables.find((table) => table.name === name))
  const where = { op: 'contains', column: 'note', text: '7' }
  for (const name of ['notes', 'seen']) {
    const access = accessTo(name)
    await source.count(access, where, { timeoutMs })
    await source.page(access, { columns: ['id', 'note'], where, sort: [], size: 5, place: { at: 'first' } }, { timeoutMs })
  }
  const { isDone } = await source.write({ parts: [{ access: accessTo('notes'), rows: [{ update: [1n], set: { note: 'x' } }] }] })
  if (!isDone) throw new Error('Nothing was written.')
  await source.close()
  console.log('closed')
`

test('a source of which everything was used closes, though nothing else keeps the process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-close-'))
  const file = join(folder, 'some.sqlite')
  const db = new DatabaseSync(file)
  db.exec(`create table notes (id integer primary key, note text);
    create view seen as select id, note from notes;
    insert into notes values (1, 'note 7'), (2, 'note 8')`)
  db.close()
  const module = (path: string) => new URL(path, import.meta.url).href
  const args = [module('./open.ts'), module('../../table/source/access.ts'), file]
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', EVERYTHING, ...args])
  expect(String(said)).toBe('closed\n')
  rmSync(folder, { recursive: true })
})

test('what is asked of a closed source is told that it is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-close-'))
  const file = join(folder, 'large.sqlite')
  const db = new DatabaseSync(file)
  db.exec(`create table notes (id integer primary key, note text);
    insert into notes with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000)
    select i, 'note number ' || i from n`)
  db.close()
  const source = await openSqlite(file)
  const access = fullAccess((await source.describe()).tables[0]!)
  const where = { op: 'contains', column: 'note', text: 'nothing like it' } as const
  const running = source.count(access, where)
  const told = expect(running).rejects.toThrow(closing())
  await source.close()
  await told
  await expect(source.count(access, where)).rejects.toThrow(closing())
  rmSync(folder, { recursive: true })
})

test('a source whose scans were given up closes, though nothing else keeps the process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-close-'))
  const file = join(folder, 'large.sqlite')
  const db = new DatabaseSync(file)
  db.exec(`create table notes (id integer primary key, note text);
    insert into notes with recursive n(i) as (select 1 union all select i + 1 from n where i < 500000)
    select i, 'note number ' || i from n`)
  db.close()
  const module = (path: string) => new URL(path, import.meta.url).href
  const args = [module('./open.ts'), module('../../table/source/access.ts'), file]
  for (let round = 0; round < runs(2); round++) {
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT, ...args])
    expect(String(said)).toBe('closed\n')
  }
  rmSync(folder, { recursive: true })
})
