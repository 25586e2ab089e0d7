/** What administrators have corrected of the tables: it stands between what is inferred and what code declares. */

import type { Json } from '../../protocol/json.ts'
import type { Schema, Table } from '../source/schema.ts'
import { checkDefinitions } from './check-definitions.ts'
import { type Definitions, own, readSort, type TableOptions } from './define-table.ts'
import type { Kind } from './kind.ts'
import { kindsWith } from './kinds.ts'

/** The options of a table, and of a column, that can be corrected. */
export const TABLE_PARTS = ['label', 'labelColumn', 'sort', 'shown'] as const
export const COLUMN_PARTS = ['label', 'kind', 'unit', 'currency', 'minorUnit', 'values'] as const

export type CorrectedPart = (typeof TABLE_PARTS)[number] | (typeof COLUMN_PARTS)[number]

/** One option of a table, or of one of its columns, with the value that `defineTable` takes. */
export type Correction = {
  readonly table: string
  /** `null`: of the table itself. */
  readonly column: string | null
  readonly part: string
  readonly value: Json
}

/** Why a correction is not in effect, or not all of it: a name is no longer there, or the value does not suit. */
export type Fault = { readonly why: 'gone'; readonly name: string } | { readonly why: 'unfitting' }

export type Ignored = { readonly correction: Correction; readonly fault: Fault }

/** What corrections are checked against. */
export type Correctable = {
  readonly schema: Schema
  /** What code declares, which wins. */
  readonly declared: Definitions
  readonly kinds: readonly Kind[]
}

export type Corrected = {
  /** What code declares, and what was corrected of everything else. */
  readonly definitions: Definitions
  /** The corrections that are not in effect, or not as a whole. */
  readonly ignored: readonly Ignored[]
}

/** The declarations over the corrections that suit the tables; of those that do not go together, the first. */
export function withCorrections(
  corrections: readonly Correction[],
  correctable: Correctable,
): Corrected {
  const { declared } = correctable
  const ignored: Ignored[] = []
  const byTable = [...Map.groupBy(corrections, ({ table }) => table)]
  const tables = byTable.flatMap(([name, all]) => {
    const kept: Correction[] = []
    for (const correction of all.toSorted(afterItsKind)) {
      const { fault, rest } = judge(correction, correctable, kept)
      if (fault) ignored.push({ correction, fault })
      if (rest) kept.push(rest)
    }
    const options = mergeOptions(kept, own(declared, name))
    return isFitting(name, options, correctable) ? [[name, options] as const] : []
  })
  return {
    definitions: tables.length === 0 ? declared : { ...declared, ...Object.fromEntries(tables) },
    ignored,
  }
}

/** What only money has is judged once it is known what is money. */
const OF_MONEY: readonly string[] = ['currency', 'minorUnit']

const afterItsKind = (one: Correction, other: Correction): number =>
  Number(OF_MONEY.includes(one.part)) - Number(OF_MONEY.includes(other.part))

const UNFITTING: Fault = { why: 'unfitting' }

/** A correction, without names that are gone; `rest` is missing where nothing of it can hold. */
type Judged = { readonly fault?: Fault; readonly rest?: Correction }

/** Whether a correction can hold, beside what code declares, and beside others of the table that hold. */
export function judge(
  correction: Correction,
  correctable: Correctable,
  others: readonly Correction[] = [],
): Judged {
  const { table: name, column } = correction
  const table = correctable.schema.tables.find((one) => one.name === name)
  if (!table) return gone(name)
  if (column !== null && !has(table, column)) return gone(column)
  if (!isPart(correction)) return { fault: UNFITTING }
  const { lost, value } = withoutLost(correction, table)
  const fault = lost === undefined ? {} : gone(lost)
  if (Array.isArray(value) && value.length === 0 && lost !== undefined) return fault
  const rest = { ...correction, value }
  const isPicture = rest.part === 'kind' && showsPictures(value, correctable.kinds)
  const merged = mergeOptions([...others, rest], own(correctable.declared, name))
  return isPicture || !isFitting(name, merged, correctable)
    ? { fault: UNFITTING }
    : { ...fault, rest }
}

const gone = (name: string): { fault: Fault } => ({ fault: { why: 'gone', name } })

const has = ({ columns }: Table, name: string): boolean =>
  columns.some((column) => column.name === name)

const isPart = ({ column, part }: Correction): boolean =>
  (column === null ? TABLE_PARTS : COLUMN_PARTS).some((one) => one === part)

/** Whoever can write a row could make readers load something from elsewhere: only code decides for that. */
const showsPictures = (kind: Json, kinds: readonly Kind[]): boolean =>
  typeof kind === 'string' && kindsWith(kinds).byName.get(kind)?.showsPictures === true

/** Lists of columns without those that the table no longer has. */
function withoutLost({ part, value }: Correction, table: Table): { value: Json; lost?: string } {
  if (part === 'label' || !Array.isArray(value)) return { value }
  const names = new Set(table.columns.map(({ name }) => name))
  const listed = value.filter((one) => typeof one === 'string')
  if (listed.length < value.length) return { value }
  const columnOf = (one: string) => (part === 'sort' ? readSort(one, names)[0]?.column : one) ?? one
  const lost = listed.map(columnOf).find((name) => !names.has(name))
  if (lost === undefined) return { value }
  return { value: listed.filter((one) => names.has(columnOf(one))), lost }
}

/** Whether nothing is wrong with the options of a table. */
const isFitting = (
  name: string,
  options: object,
  { schema, kinds }: Correctable,
): options is TableOptions =>
  checkDefinitions(Object.fromEntries([[name, options]]), schema, kinds).length === 0

/** The options that code declares, over corrections of one table. */
function mergeOptions(corrections: readonly Correction[], code: TableOptions = {}): object {
  const ofTable = corrections.filter(({ column }) => column === null)
  const columns = Map.groupBy(
    corrections.filter(({ column }) => column !== null),
    ({ column }) => column ?? '',
  )
  const names = new Set([...columns.keys(), ...Object.keys(code.columns ?? {})])
  const merged = [...names].map((name) => [
    name,
    { ...valuesOf(columns.get(name) ?? []), ...said(own(code.columns, name) ?? {}) },
  ])
  return {
    ...valuesOf(ofTable),
    ...said(code),
    ...(names.size > 0 && { columns: Object.fromEntries(merged) }),
  }
}

const valuesOf = (corrections: readonly Correction[]): { [part: string]: Json } =>
  Object.fromEntries(corrections.map(({ part, value }) => [part, value]))

/** An option that is `undefined` is not declared. */
const said = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
