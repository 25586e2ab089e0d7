/** Creates SQLite files from fixtures. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { openSqlite, type SqliteOptions } from '../../src/database/sqlite/open.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import type { ValueType } from '../../src/table/source/schema.ts'
import type { Value } from '../../src/table/source/value.ts'
import { fatesSql, type Fixture, type FixtureTable, type Opened } from './fixture.ts'

const DECLARED: Record<ValueType, string> = {
  text: 'TEXT',
  integer: 'INTEGER',
  decimal: 'DECIMAL',
  float: 'REAL',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'DATETIME',
  time: 'TIME',
  json: 'JSON',
  binary: 'BLOB',
}

export async function openSqliteFixture(
  fixture: Fixture,
  options: SqliteOptions = {},
): Promise<Opened & { readonly file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-contract-'))
  const file = join(folder, 'fixture.db')
  writeFixture(file, fixture)
  const sources: RowSource[] = []
  const open = async (): Promise<RowSource> => {
    const source = await openSqlite(file, { readOnly: false, ...options })
    sources.push(source)
    return source
  }
  return {
    file,
    source: await open(),
    reopen: open,
    query: async (text) => {
      const db = new DatabaseSync(file)
      try {
        return db
          .prepare(text)
          .all()
          .map((row) => Object.values(row))
      } finally {
        db.close()
      }
    },
    close: async () => {
      await Promise.all(sources.map((source) => source.close()))
      rmSync(folder, { recursive: true })
    },
  }
}

function writeFixture(file: string, { tables, views = [] }: Fixture): void {
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = off; begin')
  for (const table of tables) writeTable(db, table)
  for (const view of views)
    db.exec(`create view ${quoted(view.name)} as select * from ${quoted(view.of)}`)
  db.exec('commit')
  db.close()
}

function writeTable(db: DatabaseSync, table: FixtureTable): void {
  const columns = table.columns.map(
    ({ name, type, nullable, unique, declared = DECLARED[type] }) =>
      `${quoted(name)} ${declared}${nullable ? '' : ' not null'}${unique ? ' unique' : ''}`,
  )
  const key = table.key.length > 0 ? [`primary key (${list(table.key)})`] : []
  const links = (table.foreignKeys ?? []).map(
    (link) =>
      `foreign key (${list(link.columns)}) references ${quoted(link.table)} (${list(link.references)}) ${fatesSql(link)}`,
  )
  db.exec(`create table ${quoted(table.name)} (${[...columns, ...key, ...links].join(', ')})`)
  table.indexes?.forEach((index, i) =>
    db.exec(
      `create index ${quoted(`${table.name} ${i}`)} on ${quoted(table.name)} (${list(index)})`,
    ),
  )
  const insert = db.prepare(
    `insert into ${quoted(table.name)} values (${columns.map(() => '?').join(', ')})`,
  )
  for (const row of table.rows) insert.run(...row.map(input))
}

const input = (value: Value): SQLInputValue => {
  if (typeof value === 'boolean') return Number(value)
  return Number.isSafeInteger(value) ? BigInt(value as number) : value
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const list = (names: readonly string[]): string => names.map(quoted).join(', ')
