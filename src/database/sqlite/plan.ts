/** Whether SQLite answers a statement from an index or has to look at row after row. */

import type { Connection } from './connection.ts'
import type { SqliteTable } from './tables.ts'

/** Plans that are remembered, by statement text. */
const REMEMBERED = 1000

export class Plans {
  readonly #connection: Connection
  readonly #isServed = new Map<string, boolean>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Whether an index gives the order and is entered by each of these columns. */
  servesOrder(text: string, table: SqliteTable, columns: readonly string[]): boolean {
    return this.#remember(text, (steps) => {
      const entered = new Set(steps.filter((step) => / t0( |$)/.test(step)).flatMap(enteredBy))
      const isEntered = (column: string): boolean =>
        entered.has(column === table.integerKey ? 'rowid' : column) || entered.has(column)
      return !steps.some(isCostly) && columns.every(isEntered)
    })
  }

  /** Whether every table is entered by an index. */
  servesLookup(text: string): boolean {
    return this.#remember(
      text,
      (steps) => !steps.some((step) => isCostly(step) || /^SCAN (?!json_each)/.test(step)),
    )
  }

  #remember(text: string, decide: (steps: readonly string[]) => boolean): boolean {
    const known = this.#isServed.get(text)
    if (known !== undefined) return known
    const steps = this.#connection.all(`explain query plan ${text}`).map((row) => String(row[3]))
    const isServed = decide(steps)
    if (this.#isServed.size >= REMEMBERED) this.#isServed.clear()
    this.#isServed.set(text, isServed)
    return isServed
  }
}

/** Sorting, or making an index for this one time. */
const isCostly = (step: string): boolean => /TEMP B-TREE|AUTOMATIC/.test(step)

/** The columns in `SEARCH t0 USING INDEX i (a=? AND b>?)`. */
function enteredBy(step: string): string[] {
  const constraints = /\(([^()]*)\)$/.exec(step)?.[1]
  return constraints?.split(' AND ').map((one) => one.replace(/[<=>]+\?$/, '')) ?? []
}
