/** Creates databases on MySQL or MariaDB from fixtures. */

import { openMysql, type MysqlOptions } from '../../src/database/mysql/open.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import type { ValueType } from '../../src/table/source/schema.ts'
import type { Value } from '../../src/table/source/value.ts'
import {
  fatesSql,
  type Fixture,
  type FixtureColumn,
  type FixtureTable,
  type Opened,
} from './fixture.ts'
import { createDatabase, isMariaDb, type TestDatabase } from './mysql-server.ts'

/** Texts in byte order, as in the model. */
const BINARY = isMariaDb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'

const DECLARED: Record<ValueType, string> = {
  text: `longtext collate ${BINARY}`,
  integer: 'bigint',
  decimal: 'decimal(30, 10)',
  float: 'double',
  boolean: 'tinyint(1)',
  date: 'date',
  datetime: 'datetime(6)',
  time: 'time(6)',
  json: 'json',
  binary: 'longblob',
}

/** MySQL cannot index texts of unlimited length. */
const INDEXED_TEXT = `varchar(250) collate ${BINARY}`

const ROWS_PER_STATEMENT = 5000

export type MysqlFixtures = {
  open(
    fixture: Fixture,
    options?: MysqlOptions,
  ): Promise<Opened & { readonly database: TestDatabase }>
  /** Drops all created databases. */
  close(): Promise<void>
}

/** Reuses databases for the next fixture: creating one takes much longer than emptying it. */
export function mysqlFixtures(): MysqlFixtures {
  const made: TestDatabase[] = []
  const free: TestDatabase[] = []
  const make = async (): Promise<TestDatabase> => {
    const database = await createDatabase()
    made.push(database)
    return database
  }
  return {
    open: async (fixture, options = {}) => {
      const database = free.pop() ?? (await make())
      await database.clear()
      await writeFixture(database, fixture)
      const sources: RowSource[] = []
      const open = async (): Promise<RowSource> => {
        const source = await openMysql(database.url(), { readOnly: false, ...options })
        sources.push(source)
        return source
      }
      return {
        database,
        source: await open(),
        reopen: open,
        query: (text) => database.run(text),
        close: async () => {
          await Promise.all(sources.map((source) => source.close()))
          free.push(database)
        },
      }
    },
    close: async () => {
      for (const database of made.splice(0)) await database.drop()
    },
  }
}

async function writeFixture(
  database: TestDatabase,
  { tables, views = [] }: Fixture,
): Promise<void> {
  for (const table of tables) await writeTable(database, table)
  for (const view of views)
    await database.run(`create view ${quoted(view.name)} as select * from ${quoted(view.of)}`)
}

async function writeTable(database: TestDatabase, table: FixtureTable): Promise<void> {
  const counted = table.key.length === 1 ? table.key[0] : undefined
  const columns = table.columns.map((column) => {
    const { name, type, nullable, unique, declared } = column
    const isCounted = name === counted && type === 'integer'
    const usual = type === 'text' && isIndexed(table, column) ? INDEXED_TEXT : DECLARED[type]
    return [
      quoted(name),
      declared ?? usual,
      nullable ? 'null' : 'not null',
      isCounted ? 'auto_increment' : '',
      unique ? 'unique' : '',
    ].join(' ')
  })
  const key = table.key.length > 0 ? [`primary key (${list(table.key)})`] : []
  const indexes = (table.indexes ?? []).map((columns) => `index (${list(columns)})`)
  const links = (table.foreignKeys ?? []).map(
    (link) =>
      `foreign key (${list(link.columns)}) references ${quoted(link.table)} (${list(link.references)}) ${fatesSql(link)}`,
  )
  // A key of 0 stays 0, instead of becoming the next number.
  await database.run(`set sql_mode = 'NO_AUTO_VALUE_ON_ZERO'`)
  await database.run(
    `create table ${quoted(table.name)} (${[...columns, ...key, ...indexes, ...links].join(', ')})`,
  )
  await insertRows(database, table)
}

const isIndexed = (
  { key, indexes = [], foreignKeys = [] }: FixtureTable,
  { name, unique }: FixtureColumn,
): boolean =>
  unique === true ||
  [key, ...indexes, ...foreignKeys.map(({ columns }) => columns)].flat().includes(name)

async function insertRows(database: TestDatabase, table: FixtureTable): Promise<void> {
  let rows: TestRow[] = []
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await database.insert(quoted(table.name), rows)
    rows = []
  }
  for (const row of table.rows) {
    rows.push(row)
    if (rows.length >= ROWS_PER_STATEMENT) await flush()
  }
  await flush()
}

type TestRow = readonly Value[]

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

const list = (names: readonly string[]): string => names.map(quoted).join(', ')
