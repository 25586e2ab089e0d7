/** Rows that are marked as deleted, as a list shows them: by their mark. */

import { markOf } from '../../record/marking.ts'
import { defineConcern } from '../concern.ts'

export const deleted = defineConcern({
  name: 'deleted',
  state: {},
  initial: {},
  address: { names: [], owns: () => false, read: () => ({}), write: () => [] },
  // The last of what is read, so that the places of the shown columns stay.
  query(_state, { opened, query: { columns } }) {
    const mark = markOf(opened)
    const isRead = mark === undefined || columns.length === 0 || columns.includes(mark)
    return isRead ? {} : { columns: [...columns, mark] }
  },
  actions: {},
  view({ opened, page, columns }): { markedKeys?: string[] } {
    const mark = markOf(opened)
    if (mark === undefined) return {}
    const shown = columns.findIndex(({ name }) => name === mark)
    const place = shown < 0 ? columns.length : shown
    const markedKeys = page.rows.flatMap(({ key, values, masked }) =>
      masked?.has(place) || (values[place] ?? null) === null
        ? []
        : [opened.keys.record(key) ?? opened.keys.name(key)],
    )
    return markedKeys.length > 0 ? { markedKeys } : {}
  },
})
