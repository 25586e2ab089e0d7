/** Runs a unit on a SQLite file in this thread, and tells what it asked of the database. */

import { onTestFinished } from 'vitest'
import { Connection } from '../src/database/sqlite/connection.ts'
import { SqliteFile } from '../src/database/sqlite/file.ts'
import { toCell } from '../src/database/sqlite/values.ts'
import { sqliteWriteDialect } from '../src/database/sqlite/write-dialect.ts'
import { planUnit } from '../src/database/write/plan.ts'
import { runUnit } from '../src/database/write/run-unit.ts'
import { NOTHING, runSync } from '../src/database/write/work.ts'
import type { RowImage } from '../src/table/source/ledger-entry.ts'
import type { Value } from '../src/table/source/value.ts'
import type { Changes, RowChange } from '../src/table/source/write-unit.ts'
import { fullAccess } from './contracts/actors.ts'
import { makeDataFile } from './data-file.ts'

export type Ran = {
  readonly isDone: boolean | undefined
  readonly parts: readonly unknown[]
  /** How many statements it took, and how many of them read rows. */
  readonly count: number
  readonly reads: number
  /** All values that were read. */
  readonly read: readonly Value[]
  readonly images: readonly RowImage[]
}

/** `setUp` makes one table; the rows that are written are its. */
export function openUnits(setUp: string): (...parts: (readonly RowChange[])[]) => Ran {
  const run = openParts(setUp, { isRecorded: true })
  return (...parts) => run(...parts.map((rows) => ({ rows })))
}

/** The same for any changes. `isRecorded`: whether images of the rows are kept. */
export function openParts(
  setUp: string,
  { isRecorded }: { readonly isRecorded: boolean },
): (...parts: Changes[]) => Ran {
  const { path, remove } = makeDataFile(setUp)
  const file = new SqliteFile(path, {
    ...{ name: 'unit', isWritable: true, onReplaced: () => undefined },
  })
  const connection = new Connection(path, { readOnly: false, busyMs: 0 })
  onTestFinished(() => {
    connection.close()
    file.close()
    remove()
  })
  const catalogue = file.describe()
  const access = fullAccess(catalogue.schema.tables[0]!)
  const entry = { id: 'e', at: 0, by: { id: 'a', name: 'Ada' }, door: 'code' } as const
  return (...parts) => {
    const plan = planUnit(
      { catalogue, dialect: sqliteWriteDialect },
      { parts: parts.map((changes) => ({ ...changes, access })), ...(isRecorded && { entry }) },
    )
    const options = {
      ...{ dialect: sqliteWriteDialect, isCareful: true, isRecorded },
      rules: { refusalOf: () => undefined },
    }
    const [read, images]: [Value[], RowImage[]] = [[], []]
    let [count, reads] = [0, 0]
    const outcome = runSync(runUnit(plan, options), (request) => {
      if (typeof request === 'string') return NOTHING
      if ('record' in request) {
        images.push(...request.images)
        return NOTHING
      }
      count++
      const { statement, wants } = request
      const binds = statement.binds.map(toCell)
      if (wants === 'rows') {
        reads++
        const rows = connection.all(statement.text, binds)
        read.push(...rows.flat())
        return { ...NOTHING, rows }
      }
      const matched = connection.run(statement.text, binds)
      return { ...NOTHING, matched, changed: matched }
    })
    return { isDone: outcome?.isDone, parts: outcome?.parts ?? [], count, reads, read, images }
  }
}
