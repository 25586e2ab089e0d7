/** Secrets that were written after the catalogue was read are masked as rows are drawn. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import type { Definitions } from '../../src/table/definition/define-table.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type { Policy } from '../../src/table/source/access.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { admin } from '../table-of.ts'

const SECRETS = [
  '$2y$10$abcdefghijklmnopqrstuv',
  'ghp_abcdef0123456789',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  '-----BEGIN PRIVATE KEY-----\nMIIE',
]
const policy: Policy = {
  version: '1',
  grant: (_actor, { columns }) => ({
    actions: ['read'],
    rows: everything,
    readable: columns.map(({ name }) => name),
    writable: [],
  }),
}

let folder: string
let database: DatabaseSync
let source: RowSource

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-drawn-'))
  const file = join(folder, 'some.sqlite')
  database = new DatabaseSync(file)
  database.exec(`create table notes (id integer primary key, remark text, other text);
    insert into notes values (1, 'plain', 'x')`)
  source = await openSqlite(file)
})
afterAll(async () => {
  await source.close()
  database.close()
  rmSync(folder, { recursive: true })
})

async function read(definitions: Definitions = {}) {
  const { access } = (await createCatalog(source, policy, { definitions })).open(admin, 'notes')
  database.exec('delete from notes where id > 1')
  for (const secret of SECRETS)
    database.prepare('insert into notes (remark, other) values (?, ?)').run(secret, 'x')
  const query = { columns: ['remark', 'other'], where: everything, sort: [] }
  const { rows } = await source.page(access, { ...query, size: 10, place: { at: 'first' } })
  const part = await source.lines(access, {
    ...query,
    ...{ format: 'csv', size: 10, bytes: 10_000, place: { at: 'first' } },
  })
  const row = await source.row(access, [2], { columns: ['remark', 'other'] })
  return {
    drawn: rows.map(({ values: [value], masked }) => [value, masked?.has(0) ?? false]),
    row: [row?.values[0], row?.masked?.has(0) ?? false],
    file: Buffer.concat(part.pieces).toString(),
  }
}

test('a secret that was written later is drawn nowhere, and no file has it', async () => {
  const { drawn, row, file } = await read()
  expect(drawn).toEqual([['plain', false], ...SECRETS.map(() => [null, true])])
  expect(row).toEqual([null, true])
  expect(file).toBe(`plain,x\r\n${',x\r\n'.repeat(SECRETS.length)}`)
})

test('where the column is declared to be shown, it is', async () => {
  const { drawn, file } = await read({ notes: { columns: { remark: { hidden: false } } } })
  expect(drawn.map(([value]) => value)).toEqual(['plain', ...SECRETS])
  expect(file).toContain(SECRETS[0])
})
