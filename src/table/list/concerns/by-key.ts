/** Rows that have left the page but are still in sight, such as one whose change took it out of the filter. */

import * as v from 'valibot'
import { type Row, ROWS_BY_KEY_MAX } from '../../../protocol/table-view.ts'
import { formatterFor } from '../../format.ts'
import { rowsPredicate } from '../../selection.ts'
import type { PageQuery } from '../../source/row-source.ts'
import { defineConcern, type ListContext } from '../concern.ts'
import { hasPairs, loadPairs } from '../pairs.ts'
import { drawRows } from '../rows.ts'

export const byKey = defineConcern({
  name: 'byKey',
  state: {},
  initial: {},
  address: { names: [], owns: () => false, read: () => ({}), write: () => [] },
  actions: {
    rowsByKey: {
      kind: 'query',
      args: v.strictTuple([v.pipe(v.array(v.string()), v.maxLength(ROWS_BY_KEY_MAX))]),
      run: drawByKey,
    },
  },
  view: () => ({}),
})

/** The rows of the table with these keys, but for those that are gone or that the actor may not see. */
async function drawByKey(context: ListContext<object>, named: string[]): Promise<Row[]> {
  const { opened, signal, locale, language, timeZone } = context
  const { access, keys, services } = opened
  const read = (query: PageQuery) => services.source.page(access, query, { signal })
  const asked = named.flatMap((text) => [keys.read(text) ?? []]).filter((key) => key.length > 0)
  if (asked.length === 0) return []
  const query = context.pageQuery()
  const where = rowsPredicate(asked, opened)
  const found = await read({
    ...query,
    ...{ where, sort: [], size: asked.length, place: { at: 'first' } },
  })
  if (found.rows.length === 0) return []
  // How many digits an amount has and how exact a time is depends on the others of its column.
  const others = await read(query)
  const columns = context.columns()
  const page = { ...others, rows: [...found.rows, ...others.rows] }
  const pairs = hasPairs(opened) ? await loadPairs(context, columns, found) : undefined
  const list = services.href(access.table.name)
  const { rows } = drawRows(
    { page, open: opened, columns, list, pairs },
    formatterFor({ locale, language, timeZone }),
  )
  return rows.slice(0, found.rows.length)
}
