import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'

/** Writes rows to two tables together until it is killed, and prints which were acknowledged. */
const SCRIPT = `
  const { openSqlite } = await import(process.argv[1])
  const { Access } = await import(process.argv[2])
  const source = await openSqlite(process.argv[3], { readOnly: false })
  const { tables } = await source.describe()
  const grant = { actions: ['read', 'create'], rows: { op: 'and', all: [] }, readable: ['id'], writable: ['id'] }
  const actor = { id: 'a', name: 'A', email: 'a@example.org', role: 'admin' }
  const accesses = tables.map((table) => Access.grant({ version: '1', grant: () => grant }, actor, table))
  let next = Number(process.argv[4])
  const work = async () => {
    for (;;) {
      const id = next++
      const parts = accesses.map((access) => ({ access, rows: [{ insert: { id } }] }))
      const { isDone } = await source.write({ parts })
      if (isDone) console.log(id)
    }
  }
  await Promise.all([1, 2, 3, 4, 5].map(work))
`

const module = (path: string): string => new URL(path, import.meta.url).href

/** The writes acknowledged before the process was killed in the middle of others. */
async function writeUntilKilled(
  file: string,
  from: number,
  acknowledged: number,
): Promise<number[]> {
  const modules = [module('./open.ts'), module('../../table/source/access.ts')]
  const args = ['--input-type=module', '-e', SCRIPT, ...modules, file, String(from)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ids: number[] = []
  for await (const line of createInterface(child.stdout)) {
    ids.push(Number(line))
    if (ids.length === acknowledged) child.kill('SIGKILL')
  }
  return ids
}

test('a killed process leaves both rows of a unit, or neither', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-killed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'killed.db')
  const db = new DatabaseSync(file)
  onTestFinished(() => db.close())
  db.exec(`create table things (id integer primary key);
    create table entries (id integer primary key)`)
  const idsIn = (table: string): number[] =>
    db
      .prepare(`select id from ${table} order by id`)
      .all()
      .map(({ id }) => Number(id))
  const acknowledged: number[] = []
  for (const [round, count] of [1, 20, 57, 111].entries())
    acknowledged.push(...(await writeUntilKilled(file, round * 100_000, count)))
  const rows = idsIn('things')
  expect(rows).toEqual(idsIn('entries'))
  expect(rows).toEqual(expect.arrayContaining(acknowledged))
})
