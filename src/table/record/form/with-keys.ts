/** Related rows that are typed by their names, as a person does who does not wait for what is found. */

import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import type { RowSource } from '../../source/row-source.ts'
import type { Texts } from './changed.ts'
import { readDrawn } from './read-text.ts'
import { writeText } from './write-text.ts'

/** The texts with the key of a related row where its name was typed, and no other row has the same. */
export async function withKeys(
  source: Pick<RowSource, 'page'>,
  open: OpenTable,
  changed: Texts,
  { locale }: Reader,
): Promise<Texts> {
  const columns = new Map(open.access.table.columns.map((column) => [column.name, column]))
  const found = Object.entries(changed).map(async ([name, text]) => {
    const [column, relation] = [columns.get(name), open.relations.get(name)]
    const read = column && relation && readDrawn(column, text, locale)
    if (!read || 'value' in read || text === null) return [name, text] as const
    const { access, references, label } = relation
    const isText = access.table.columns.some((one) => one.name === label && one.type === 'text')
    if (!isText) return [name, text] as const
    const { rows } = await source.page(access, {
      ...{ columns: [references], sort: [], size: 2, place: { at: 'first' } },
      where: { op: 'eq', column: label, value: text.trim() },
    })
    const [one, ...others] = rows.map(({ values: [key = null] }) => writeText(key))
    return [name, one != null && others.length === 0 ? one : text] as const
  })
  return Object.fromEntries(await Promise.all(found))
}
