import { expect, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import { AppError } from '../../server/app-error.ts'
import type { RowLookup, Run } from '../../table/source/row-source.ts'
import type { QueryRunner, Question } from '../query-runner.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import { readRow } from './row.ts'
import { name } from './sql.ts'

const table = tableOf([columnOf('id'), columnOf('boss')], { name: 'people' })
const people = fullAccess(table)
const from = name('people')
const columns = new Map(table.columns.map((column) => [column.name, column]))
const source = { table, from, columns, locator: ['id'], rowid: null, integerKey: null }

/** A runner that finds a row, and answers for related rows as a test says. */
function runnerWith(related: (run?: Run) => Promise<never>): QueryRunner {
  return {
    catalogue: {
      schema: { name: '', engine: '', tables: [table] },
      tables: new Map([['people', source]]),
    },
    dialect: sqliteDialect,
    labels: () => new Map(),
    stopsAtBytes: false,
    readLines: () => Promise.reject(new Error('Nobody asks for lines.')),
    read: ({ select }: Question, run?: Run) =>
      select.of === 'lookups'
        ? related(run)
        : Promise.resolve({ rows: [['1', '2']], isServed: true }),
  }
}

const relation = { columns: ['boss'], access: people, references: ['id'] }
const lookup: RowLookup = { columns: ['id', 'boss'], related: [relation] }

test.each(['QUERY_TIMEOUT', 'BUSY'] as const)(
  'a row comes without related ones that were not found in time: %s',
  async (code) => {
    const times: (number | undefined)[] = []
    const runner = runnerWith((run) => {
      times.push(run?.timeoutMs)
      return Promise.reject(new AppError(code))
    })
    const bounded = { ...lookup, relatedTimeoutMs: 7 }
    expect(await readRow(runner, people, ['1'], bounded)).toEqual({
      key: ['1'],
      values: ['1', '2'],
    })
    expect(times).toEqual([7])
    await expect(readRow(runner, people, ['1'], lookup)).rejects.toMatchObject({ code })
  },
)

test('any other failure of theirs is the answer', async () => {
  const runner = runnerWith(() => Promise.reject(new AppError('DATABASE_UNAVAILABLE')))
  const asked = readRow(runner, people, ['1'], { ...lookup, relatedTimeoutMs: 7 })
  await expect(asked).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
})
