/** Finds rows of related tables by the values that refer to them, all relations in one statement. */

import type { Access } from '../../table/source/access.ts'
import type { Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import type { QueryRunner } from '../query-runner.ts'
import { policyConditions, referredAmong } from './predicate-sql.ts'
import { lookupQuestion } from './question.ts'
import {
  fromSql,
  guards,
  operand,
  readableColumn,
  scopeOf,
  tableOf,
  unknownColumn,
  type SqlContext,
} from './scope.ts'
import { all, join, sql, whole, type Sql } from './sql.ts'

/** The columns of a relation: its own, and those of the other table. */
export type Related = {
  readonly columns: readonly string[]
  readonly access: Access
  readonly references: readonly string[]
  readonly label?: string | undefined
  readonly more?: readonly string[] | undefined
}

/** A row, or rows, of a relation's other table. */
export type Lookup = Pick<Related, 'access' | 'references' | 'label' | 'more'> & {
  /** Its index in the list of relations. */
  readonly place: number
  /** The values of `references`, none of them NULL; or with `isMany`, the values of the only one. */
  readonly values: readonly Value[]
  readonly isMany: boolean
  /** Columns to read besides the label, in the form that a union requires. */
  readonly read: readonly string[]
}

export type Found = {
  readonly place: number
  readonly label: string | null
  readonly values: readonly Value[]
}

/** Throws `TABLE_UNKNOWN_COLUMN` for columns that the actor may not read, whatever the rows hold. */
export function checkRelation(
  { catalogue }: SqlContext,
  columns: readonly string[],
  { columns: own, access, references, label, more = [] }: Related,
): void {
  const missing = own.find((column) => !columns.includes(column))
  if (missing !== undefined) throw unknownColumn(missing)
  const other = { of: tableOf(catalogue, access), access }
  for (const column of [...references, ...more]) readableColumn(other, column)
  if (label !== undefined) readableColumn(other, label)
}

/** A row that the actor may not see is not found, as if it did not exist. */
export async function lookUp(
  runner: QueryRunner,
  lookups: readonly Lookup[],
  run?: Run,
): Promise<Found[]> {
  const [first, ...others] = lookups.map(({ access }) => access)
  if (!first) return []
  const question = lookupQuestion(runner, [first, ...others], { of: 'lookups', lookups })
  const { rows } = await runner.read(question, run)
  const byPlace = new Map(lookups.map((one) => [one.place, one]))
  return rows.map(([place, label = null, ...values]) => ({
    place: Number(place),
    label: labelText(label, values, byPlace.get(Number(place))),
    values,
  }))
}

/**
 * The texts of the label's columns. One that looks like a secret is left out, so that a row without others is
 * named by its key, as one without a label.
 */
function labelText(first: Value, values: readonly Value[], lookup?: Lookup): string | null {
  const { label, more = [], read = [], access } = lookup ?? {}
  const isShown = (column: string | undefined, value: Value) =>
    value !== null && (column === undefined || access?.showsValue(column, value) !== false)
  const others = more.flatMap((column, i) => {
    const text = values[read.length + i] ?? null
    return isShown(column, text) && String(text).trim() !== '' ? [String(text)] : []
  })
  const own = isShown(label, first) ? [String(first)] : []
  return own.length + others.length === 0 ? null : [...own, ...others].join(' ').trimStart()
}

export function lookupsSql(context: SqlContext, lookups: readonly Lookup[]): Sql {
  const width = Math.max(...lookups.map(({ read, more = [] }) => read.length + more.length))
  const parts = lookups.map((one) => {
    const rows = lookupSql(context, one, width)
    return one.isMany
      ? rows
      : sql`select * from (${rows} ${context.dialect.limit(1)}) as r${whole(one.place)}`
  })
  return join(parts, ' union all ')
}

/** Longest label, characters. */
const LABEL_MAX = 200

function lookupSql(context: SqlContext, lookup: Lookup, width: number): Sql {
  const { dialect } = context
  const { access, references, label, more = [], values, isMany, place } = lookup
  const scope = scopeOf(context, access)
  const cell = (column: string) => operand(scope, readableColumn(scope, column))
  const given = references.map(cell)
  const [filler] = given
  const columns = [
    ...lookup.read.map((column) => dialect.unioned(cell(column))),
    ...more.map((column) => dialect.beginning(dialect.text(cell(column)), LABEL_MAX)),
  ]
  // Shorter lists are padded, since all parts of a union need the same number of columns.
  while (filler && columns.length < width) columns.push(dialect.text(filler))
  const named = label === undefined ? filler : cell(label)
  const name = named ? dialect.beginning(dialect.text(named), LABEL_MAX) : sql`''`
  const demands = [
    ...guards(scope),
    ...given.map((one, i) => referredAmong(context, one, isMany ? values : [values[i] ?? null])),
    ...policyConditions(scope),
  ]
  const list = [sql`${whole(place)} as relation`, sql`${name} as label`]
  const rest = columns.map((column, i) => sql`${column} as k${whole(i)}`)
  return sql`select ${join([...list, ...rest])} from ${fromSql(scope)} where ${all(demands)}`
}
