/** The rules that a table's own definition adds to those of the database. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import { AppError } from '../../server/app-error.ts'
import type { RowImage } from '../source/ledger-entry.ts'
import { isValue } from '../source/value.ts'
import type { Values } from '../source/write-unit.ts'
import type { ChangeProblem, RowAsked } from './change.ts'
import type { Entry } from './ledger.ts'

type AnyRow = { readonly [column: string]: unknown }

/** `Row` is the row's type; without one, the names of columns are not checked. */
export type TableRules<Row = AnyRow> = {
  /**
   * What a row must fulfil: any Standard Schema over the row as it will be, asked before a row is created or
   * updated. An issue is shown at the field that its path names.
   */
  readonly rules?: StandardSchemaV1<unknown, unknown> | undefined
  /**
   * Asked before each row is created, updated or deleted. Refuses with `refuse('…')`, or returns values
   * that are written along, such as who has changed it. Taking a change back asks it for refusals only.
   */
  changing?(asked: RowAsked<Row>): Partial<Row> | void | Promise<Partial<Row> | void>
  /**
   * Told of each change once it is on disk: at least once, by one node, again with growing pauses where it
   * throws. What still fails after a day stands in the history as failed.
   */
  changed?(told: ToldChange): void | Promise<void>
}

/** A change that is on disk, as `changed` is told of it. */
export type ToldChange = {
  readonly entry: Entry
  /** What the rows of the table held before and hold after, whole, in chunks. */
  rows(): AsyncIterable<readonly RowImage[]>
}

export type RuleProblem = Pick<ChangeProblem, 'kind' | 'columns' | 'sentence'>

/** What `changing` adds to the values, or why it refuses. */
export async function askChanging(
  { changing }: TableRules,
  asked: RowAsked,
): Promise<{ readonly added: Values } | { readonly problem: RuleProblem }> {
  try {
    const added = await changing?.(asked)
    return { added: valuesOf(asked.table, added ?? {}) }
  } catch (error) {
    const isRefusal =
      error instanceof AppError && (error.code === 'REFUSED' || error.code === 'FORBIDDEN')
    if (!isRefusal) throw error
    return { problem: { kind: 'rule', columns: [], sentence: error.message } }
  }
}

/** What the table's schema has against the row as it will be. */
export async function askRules({ rules }: TableRules, after: Values): Promise<RuleProblem[]> {
  const { issues = [] } = (await rules?.['~standard'].validate(after)) ?? {}
  return issues.map(({ message, path = [] }) => {
    const [first] = path
    const name = typeof first === 'object' ? first.key : first
    return { kind: 'rule', columns: name === undefined ? [] : [String(name)], sentence: message }
  })
}

/** Throws a `TypeError` for anything that no column holds: it comes from the table's definition. */
const valuesOf = (table: string, added: AnyRow): Values =>
  Object.fromEntries(
    Object.entries(added).flatMap(([name, value]) => {
      if (value === undefined) return []
      if (isValue(value)) return [[name, value]]
      throw new TypeError(`\`changing\` of [${table}] returned no value for [${name}].`)
    }),
  )
