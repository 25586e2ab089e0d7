/** Tells from SQLite's query plan whether an index serves a question. */

import type { IndexedRun, Question } from '../query-runner.ts'
import type { SqlContext } from '../query/scope.ts'
import { runsApart, statementOf } from '../query/select.ts'
import type { Connection } from './connection.ts'
import type { SqliteTable } from './tables.ts'

type TableQuestion = Question<SqliteTable>

/** How a run's rows are found. */
export type Plan = {
  /** Whether all that match are sorted. */
  readonly sorts: boolean
  /** The indexes by which they are found. */
  readonly indexes: readonly string[]
}

/** Cached plans, by statement text. */
const REMEMBERED = 1000

export class Plans {
  readonly #connection: Connection
  readonly #isServed = new Map<string, boolean>()
  readonly #plans = new Map<string, Plan>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** `text` is the question's statement. */
  isServed(question: TableQuestion, text: string, context: SqlContext): boolean {
    return remembered(this.#isServed, text, () => this.#decide(question, text, context))
  }

  /** How a statement that reads one run of an order is answered. */
  planOf(text: string): Plan {
    return remembered(this.#plans, text, () => {
      const steps = this.#steps(text)
      return {
        sorts: steps.some((step) => step.endsWith('TEMP B-TREE FOR ORDER BY')),
        indexes: steps.flatMap(
          (step) => / t0 USING (?:COVERING )?INDEX (.+?)(?: \(|$)/.exec(step)?.[1] ?? [],
        ),
      }
    })
  }

  #decide({ need, table, select }: TableQuestion, text: string, context: SqlContext): boolean {
    if (need.of === 'order') {
      const apart = runsApart(select).map((one) => statementOf(context, one).text)
      return need.runs.every((run, i) => this.#servesRun(run, apart[i], table))
    }
    return need.of === 'lookup' && !this.#steps(text).some((step) => isCostly(step) || isScan(step))
  }

  /** Whether an index gives the order and seeks by each of the columns. */
  #servesRun({ entered }: IndexedRun, text: string | undefined, { integerKey }: SqliteTable) {
    if (entered === undefined || text === undefined) return false
    const steps = this.#steps(text)
    const found = new Set(steps.filter((step) => / t0( |$)/.test(step)).flatMap(enteredBy))
    const isEntered = (column: string): boolean =>
      found.has(column === integerKey ? 'rowid' : column) || found.has(column)
    return !steps.some(isCostly) && entered.every(isEntered)
  }

  #steps(text: string): string[] {
    return this.#connection.all(`explain query plan ${text}`).map((row) => String(row[3]))
  }
}

function remembered<Known>(known: Map<string, Known>, text: string, decide: () => Known): Known {
  const before = known.get(text)
  if (before !== undefined) return before
  const decided = decide()
  if (known.size >= REMEMBERED) known.clear()
  known.set(text, decided)
  return decided
}

const isScan = (step: string): boolean => /^SCAN (?!json_each)/.test(step)

/** Whether a step sorts, or builds a temporary index. */
const isCostly = (step: string): boolean => /TEMP B-TREE|AUTOMATIC/.test(step)

/** The columns of `SEARCH t0 USING INDEX i (a=? AND (b,c)>(?,?))`. */
function enteredBy(step: string): string[] {
  const [, constraints = ''] = /\(((?:[^()]|\([^()]*\))*)\)$/.exec(step) ?? []
  return constraints.split(' AND ').flatMap((one) => one.replace(/[<=>].*$/, '').split(/[(),]/))
}
