/** The rows of other tables that a page of a list names by a type and an id beside it. */

import { recordHref } from '../../protocol/record-view.ts'
import type { OpenTable } from '../catalog.ts'
import { pairedRows } from '../record/paired.ts'
import type { RowPage } from '../source/row-source.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { ListLoad } from './load.ts'
import { type PairCells, readColumns } from './rows.ts'

/** Whether any column of the table has a type beside it. */
export function hasPairs({ definition }: Pick<OpenTable, 'definition'>): boolean {
  for (const { typedBy } of definition.columns.values()) if (typedBy !== undefined) return true
  return false
}

/** `undefined` where no shown column has a type beside it. The rows are read through the actor's own access. */
export async function loadPairs(
  {
    opened,
    signal,
    locale,
    language,
    timeZone,
  }: Pick<ListLoad, 'opened' | 'signal' | 'locale' | 'language' | 'timeZone'>,
  columns: readonly ColumnDefinition[],
  { rows }: RowPage,
): Promise<PairCells | undefined> {
  const typed = columns.flatMap(({ name, typedBy }, place) => {
    const at = typedBy === undefined ? -1 : readColumns(columns, opened).indexOf(typedBy)
    return at < 0 ? [] : [{ name, place, at }]
  })
  if (typed.length === 0) return undefined
  const { source, catalog, href } = opened.services
  const reader = { locale, language, timeZone }
  const reading = { source, tables: catalog().schema.tables, signal, reader }
  const found = typed.map(async ({ name, place, at }) => {
    const pairs = rows.map(({ values, masked }) => ({
      type: masked?.has(at) ? null : (values[at] ?? null),
      id: masked?.has(place) ? null : (values[place] ?? null),
    }))
    const referred = await pairedRows(opened, name, pairs, reading)
    const cells = referred.map((one) =>
      one?.key == null || one.label === null
        ? undefined
        : ([one.label, recordHref(href(one.open.access.table.name), one.key, '')] as const),
    )
    return [place, cells] as const
  })
  return new Map(await Promise.all(found))
}
