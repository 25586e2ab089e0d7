/** How many statements it takes to write many rows with values of their own. */

import { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import type { RowChange } from '../../table/source/write-unit.ts'
import { Connection } from '../sqlite/connection.ts'
import { SqliteFile } from '../sqlite/file.ts'
import { toCell } from '../sqlite/values.ts'
import { sqliteWriteDialect } from '../sqlite/write-dialect.ts'
import { planUnit } from './plan.ts'
import { runUnit } from './run-unit.ts'
import { NOTHING, runSync } from './work.ts'

const ROWS = 1000

/** Returns how many statements a unit takes, and whether it was written. */
function openList() {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-rows-'))
  const path = join(folder, 'rows.db')
  const db = new DatabaseSync(path)
  db.exec(`create table list (id integer primary key, n integer not null, place integer unique);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      insert into list select i, i, i from n`)
  db.close()
  const file = new SqliteFile(path, {
    ...{ name: 'rows', isWritable: true, onReplaced: () => undefined },
  })
  const connection = new Connection(path, { readOnly: false, busyMs: 0 })
  onTestFinished(() => {
    connection.close()
    file.close()
    rmSync(folder, { recursive: true })
  })
  const catalogue = file.describe()
  const entry = { id: 'e', at: 0, by: { id: 'a', name: 'Ada' }, door: 'code' } as const
  return (rows: readonly RowChange[]): { count: number; isDone: boolean | undefined } => {
    const access = fullAccess(catalogue.schema.tables[0]!)
    const plan = planUnit(
      { catalogue, dialect: sqliteWriteDialect },
      { parts: [{ access, rows }], entry },
    )
    let count = 0
    const options = {
      ...{ dialect: sqliteWriteDialect, isCareful: true, isRecorded: true },
      rules: { refusalOf: () => undefined },
    }
    const outcome = runSync(runUnit(plan, options), (request) => {
      if (typeof request === 'string' || 'record' in request) return NOTHING
      count++
      const { statement, wants } = request
      const binds = statement.binds.map(toCell)
      if (wants === 'rows') return { ...NOTHING, rows: connection.all(statement.text, binds) }
      const matched = connection.run(statement.text, binds)
      return { ...NOTHING, matched, changed: matched }
    })
    return { count, isDone: outcome?.isDone }
  }
}

const each = (of: (id: number) => RowChange): RowChange[] =>
  Array.from({ length: ROWS }, (_, i) => of(i + 1))

test('a thousand rows with values of their own are written by a dozen statements', () => {
  const write = openList()
  const { count, isDone } = write(
    each((id) => ({ update: [id], set: { n: id * 7 }, expect: { n: id } })),
  )
  // One reads what they hold before, and one what they hold after.
  expect({ count, isDone }).toEqual({ count: ROWS / 100 + 2, isDone: true })
})

test('values that many rows get alike take no more, and those that rows swap take twice as many', () => {
  const write = openList()
  expect(write(each((id) => ({ update: [id], set: { n: id % 3 } })))).toEqual({
    ...{ count: ROWS / 100 + 2, isDone: true },
  })
  const { count, isDone } = write(each((id) => ({ update: [id], set: { place: (id % ROWS) + 1 } })))
  expect({ count, isDone }).toEqual({ count: (2 * ROWS) / 100 + 2, isDone: true })
})

test('as many new rows, and as many that are deleted', () => {
  const write = openList()
  const { count, isDone } = write([
    ...each((id) => ({ delete: [id], expect: { n: id } })),
    ...each((id) => ({ insert: { n: id, place: id } })),
  ])
  expect(isDone).toBe(true)
  expect(count).toBeLessThanOrEqual((2 * ROWS) / 100 + 3)
})
