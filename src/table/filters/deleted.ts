/** The filter that leaves out rows marked as deleted: a list has it until somebody takes it away. */

import type { FilterComponents } from '../../protocol/filters.ts'
import { sameJson } from '../../protocol/json.ts'
import type { OpenTable } from '../catalog.ts'
import { markOf } from '../record/marking.ts'
import { keyOfColumn } from './address.ts'

/** Says in an address that the filter was taken away: without it, a list would have it again. */
export const DELETED = 'deleted'
export const SHOWN = 'shown'

/** The filters of a list, and whether they leave out no rows that are marked as deleted. */
export type Filtered = {
  readonly filterComponents: FilterComponents
  readonly showsDeleted: boolean | 'slow'
}

/** What the filter asks for, to leave marked rows out. */
export const LEFT_OUT = { empty: true } as const

/** The filter's key; `undefined` where a list hides no marked rows. */
export function deletedKey(open: OpenTable): string | undefined {
  const { hidesDeleted, filters } = open.definition
  const column = hidesDeleted ? markOf(open) : undefined
  const key = column === undefined ? undefined : keyOfColumn(column)
  return key === undefined || filters?.[key] === false ? undefined : key
}

/** These filters, with that of marked rows where they have none about the same column. */
export function withoutDeleted(values: FilterComponents, open: OpenTable): FilterComponents {
  const key = deletedKey(open)
  return key === undefined || key in values ? values : { [key]: LEFT_OUT, ...values }
}

/** Whether a list has that filter and no other. */
export const isDefault = (values: FilterComponents, open: OpenTable): boolean =>
  deletedKey(open) !== undefined && sameJson(values, withoutDeleted({}, open))

/** The state of a list with these filters alone. */
export function filteredBy(filterComponents: FilterComponents, open: OpenTable): Filtered {
  const key = deletedKey(open)
  return { filterComponents, showsDeleted: key !== undefined && !(key in filterComponents) }
}

/** The state without filters: that of marked rows stays as long as there are others to take away. */
export function cleared(values: FilterComponents, open: OpenTable): Filtered {
  const key = deletedKey(open)
  const own = key === undefined ? undefined : values[key]
  const isAlone = own !== undefined && Object.keys(values).length === 1
  return filteredBy(key === undefined || own === undefined || isAlone ? {} : { [key]: own }, open)
}
