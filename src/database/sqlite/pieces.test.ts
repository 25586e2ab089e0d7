/** A scan in pieces reads each row once, whatever the row numbers, and can end between two pieces. */

import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataFile } from '../../../test/data-file.ts'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { startQuestion } from '../query/question.ts'
import { pageShape } from '../query/page-sql.ts'
import { statementOf } from '../query/select.ts'
import { scanDialect, sqliteDialect } from './dialect.ts'
import { SqliteFile } from './file.ts'

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

/** A table with rows of these numbers, and the scan that finds those whose text holds an `a`. */
function scanOf(fill: string) {
  const { path, remove } = makeDataFile(
    `create table t (id integer primary key, text text not null); ${fill}`,
  )
  const db = new DatabaseSync(path)
  const file = new SqliteFile(path, {
    name: 'pieces',
    isWritable: false,
    onReplaced: () => undefined,
  })
  onTestFinished(() => {
    file.close()
    db.close()
    remove()
  })
  const catalogue = file.describe()
  const shape = pageShape(catalogue, fullAccess(catalogue.schema.tables[0]!), {
    columns: ['id'],
    where: { op: 'contains', column: 'text', text: 'a' },
    sort: [{ column: 'text', descending: true }],
    size: 10_000,
    place: { at: 'first' },
  })
  const context = { catalogue, dialect: sqliteDialect }
  const { select } = startQuestion(context, shape, { backwards: false }, 10_000)
  const { text, binds } = statementOf({ catalogue, dialect: scanDialect }, select)
  return {
    /** The numbers of the found rows; `alive` is called between pieces. */
    run(alive: () => number = () => 1): bigint[] {
      db.function('alive', { deterministic: false }, alive)
      const statement = db.prepare(text)
      statement.setReadBigInts(true)
      return statement.all(...(binds as (string | number)[])).map((row) => row['id'] as bigint)
    },
  }
}

const rowsAt = (...ids: bigint[]) =>
  ids
    .map((id) => `insert into t values (${id === LEAST ? '-9223372036854775807 - 1' : id}, 'a')`)
    .join(';')

test.each([
  ['no row', []],
  ['one row', [7n]],
  ['rows at the bounds of pieces', [1n, 3999n, 4000n, 4001n, 8000n, 8001n, 12_001n]],
  ['rows below zero', [-9000n, -5000n, -1n, 0n, 1n]],
  ['rows far apart', [LEAST, -5n, 0n, 5n, 10n ** 15n, MOST]],
  ['rows at the very end', [MOST - 4001n, MOST - 4000n, MOST - 1n, MOST]],
  ['rows at the very beginning', [LEAST, LEAST + 1n, LEAST + 3999n, LEAST + 4000n, LEAST + 4001n]],
])('%s', (_, ids) => {
  const found = scanOf(rowsAt(...ids)).run()
  expect(found.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids)
})

test('it asks for each piece, and ends where it is no longer wanted', () => {
  const scan =
    scanOf(`with recursive seq(i) as (select 1 union all select i + 1 from seq where i < 40000)
    insert into t select i, 'a' || i from seq`)
  let asked = 0
  const alive = (last: number) => () => {
    asked += 1
    if (asked === last) throw new Error('The scan was ended.')
    return 1
  }
  expect(scan.run(alive(0))).toHaveLength(10_000)
  expect(asked).toBe(9)
  asked = 0
  expect(() => scan.run(alive(3))).toThrow('The scan was ended.')
  expect(asked).toBe(3)
})
