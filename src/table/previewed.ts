/** Corrections of one table that are looked at before they are saved. */

import * as v from 'valibot'
import type { Json } from '../protocol/json.ts'
import type { Correction } from './definition/corrections.ts'

/** What a valibot schema of JSON puts out; its depth is that of the request. */
const json = v.custom<Json>((value) => value !== undefined)

/** An option of the table, or of a column of it; without a value it is as it was read. */
export const previewed = v.strictObject({
  column: v.nullable(v.string()),
  part: v.string(),
  value: v.exactOptional(json),
})

export type Previewed = v.InferOutput<typeof previewed>

/** The corrections there would be if these of a table were saved. */
export function withPreviewed(
  corrections: readonly Correction[],
  table: string,
  parts: readonly Previewed[],
): readonly Correction[] {
  const isKept = (one: Correction) =>
    one.table !== table ||
    !parts.some(({ column, part }) => column === one.column && part === one.part)
  const added = parts.flatMap(({ value, ...part }) =>
    value === undefined ? [] : [{ ...part, table, value }],
  )
  return [...corrections.filter(isKept), ...added]
}
