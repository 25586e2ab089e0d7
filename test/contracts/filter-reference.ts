/** What each value of a filter means, said again in the plainest way, for rows in memory. */

import type { FilterComponents, FilterGroup, FilterValue } from '../../src/protocol/filters.ts'
import { encodeValue } from '../../src/table/row-key.ts'
import type { Value } from '../../src/table/source/value.ts'

export type Row = { readonly [column: string]: Value }

/** The rows of other tables that refer to a row, by the key of the filter. */
export type Referring = (key: string, row: Row) => readonly Row[]

/** Whether a row fulfils all filters; their keys are the names of its columns. */
export const fulfils = (filters: FilterComponents, row: Row, referring: Referring): boolean =>
  Object.entries(filters).every(([key, value]) =>
    'join' in value ? ofGroup(value, row, referring) : ofValue(key, value, row, referring),
  )

function ofGroup({ join, of }: FilterGroup, row: Row, referring: Referring): boolean {
  const results = of.map((one) =>
    'join' in one ? ofGroup(one, row, referring) : ofValue(one.filter, one.value, row, referring),
  )
  return join === 'and' ? results.every(Boolean) : results.some(Boolean)
}

function ofValue(key: string, value: FilterValue, row: Row, referring: Referring): boolean {
  if ('rows' in value) {
    const { rows, where } = value
    const found = referring(key, row).map((one) => !where || ofGroup(where, one, () => []))
    if (rows === 'every') return found.every(Boolean)
    return rows === 'some' ? found.some(Boolean) : !found.some(Boolean)
  }
  return ofColumn(value, row[key] ?? null)
}

function ofColumn(value: Exclude<FilterValue, { rows: unknown }>, held: Value): boolean {
  if ('in' in value) return value.in.some((one) => isSame(held, one))
  if ('notIn' in value) return !value.notIn.some((one) => isSame(held, one))
  if ('empty' in value) return value.empty === (held === null || held === '')
  if ('is' in value) return value.is === 'unset' ? held === null : held === (value.is === 'yes')
  if ('text' in value) return ofText(value, held) !== (value.not === true)
  if ('preset' in value) throw new Error('The reference has no clock.')
  if ('minDate' in value) {
    const day = String(held).slice(0, 10)
    return held !== null && day >= value.minDate && day <= value.maxDate
  }
  if ('since' in value) return held !== null && String(held).slice(0, 10) >= value.since
  if ('until' in value) return held !== null && String(held).slice(0, 10) <= value.until
  const { min, max } = value
  if (held === null) return false
  const isAbove = min === undefined || min === null || Number(held) >= Number(min)
  return isAbove && (max === undefined || max === null || Number(held) <= Number(max))
}

function ofText(
  { test, text }: { readonly test: 'contains' | 'starts' | 'equals'; readonly text: string },
  held: Value,
): boolean {
  if (held === null) return false
  const [all, part] = [String(held).toLowerCase(), text.toLowerCase()]
  if (test === 'equals') return held === text
  return test === 'starts' ? all.startsWith(part) : all.includes(part)
}

const isSame = (held: Value, one: string | null): boolean =>
  held === null || one === null ? held === one : encodeValue(held) === one
