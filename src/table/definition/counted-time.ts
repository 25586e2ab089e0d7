/** Columns of whole numbers that count time from 1970, and are shown as moments. */

import type { Column, Table } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { wordsOf } from './humanize.ts'
import { counted, unitOf } from './kinds/datetime.ts'
import type { ColumnDefinition } from './table-definition.ts'

type Columns = { readonly columns: ReadonlyMap<string, Pick<ColumnDefinition, 'kind' | 'field'>> }

/** Whether the values of a column are shown and edited as moments; a field of one's own is given what is stored. */
export function countsTime(
  { columns }: Columns,
  { name, type, array }: Pick<Column, 'name' | 'type' | 'array'>,
): boolean {
  const { kind, field } = columns.get(name) ?? {}
  return type === 'integer' && !array && kind === 'datetime' && field === undefined
}

/** Whether a value is shown as the moment that it counts to. */
export const isCount = (value: Value): boolean =>
  value !== null && !(value instanceof Uint8Array) && counted(value) !== undefined

/** Last words of the names of columns that count milliseconds, where no row tells that. */
const MILLISECONDS: ReadonlySet<string> = new Set(['ms', 'millis', 'milliseconds'])

/**
 * Milliseconds of what a column counts: as its values tell, else as those of others in its table do, else as its name
 * says. `held`: the value whose place another one takes.
 */
export function countUnit(
  definition: Columns & { readonly table: Table },
  { name, sample = [] }: Column,
  held: Value = null,
): number {
  for (const values of [[held], sample, ...samplesOf(definition)]) {
    const counts = values.filter(isCount)
    if (counts.length > 0) return unitOf(counts)
  }
  return MILLISECONDS.has(wordsOf(name).at(-1) ?? '') ? 1 : 1000
}

const samplesOf = ({ table, columns }: Columns & { readonly table: Table }) =>
  table.columns.flatMap((one) => (countsTime({ columns }, one) ? [one.sample ?? []] : []))
