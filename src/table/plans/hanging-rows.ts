/** What hangs on rows that are to be deleted: which of them stay for it, and what becomes of other tables' rows. */

import { messagesFor } from '../../messages/messages.ts'
import type { HangingLine } from '../../protocol/plan-view.ts'
import type { OpenTable } from '../catalog.ts'
import { writeFilters } from '../filters/address.ts'
import { DELETED, filteredBy, SHOWN } from '../filters/deleted.ts'
import { formatterFor } from '../format.ts'
import { rowsReferring } from '../record/related.ts'
import { orOnTimeout } from '../references.ts'
import { rowsPredicate } from '../selection.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { ForeignKey } from '../source/schema.ts'
import type { KeyValues } from '../source/value.ts'
import { foreignKeysOf } from '../definition/table-definition.ts'
import { type Asking, TIMEOUT_MS } from './asking.ts'
import { readSome } from './told-values.ts'

type Link = { readonly open: OpenTable; readonly foreignKey: ForeignKey }

/** Foreign keys of tables that the actor may see, by columns that they may read. */
function linksTo({ open }: Pick<Asking, 'open'>): Link[] {
  const { name } = open.access.table
  return open.others.referringTo(name).flatMap((other) =>
    foreignKeysOf(other.definition)
      .filter(({ table, references }) => table === name && readsAll(open, references))
      .filter(({ columns }) => readsAll(other, columns))
      .map((foreignKey) => ({ open: other, foreignKey })),
  )
}

const readsAll = ({ access }: OpenTable, columns: readonly string[]): boolean =>
  columns.every((name) => access.canRead(name))

const keepsRow = ({ foreignKey: { onDelete = 'restrict' } }: Link): boolean =>
  onDelete === 'restrict'

/** Rows that the database will not delete, by the tables that refer to them. */
export const heldRows = (
  asking: Pick<Asking, 'open'>,
): { readonly where: Predicate; readonly table: string }[] =>
  linksTo(asking)
    .filter(keepsRow)
    .map(({ open, foreignKey: { columns, references } }) => ({
      where: {
        ...{ op: 'referred', table: open.access.table.name, columns, references },
        where: everything,
      },
      table: open.definition.label,
    }))

/** In sentences, and how many rows the database takes along, as far as they were counted. */
export type HangingRows = { readonly told: HangingLine[]; readonly cascaded: number }

/** Counted as far as that is done in time. `where`: the rows that are deleted; `key`: of one that is alone. */
export async function hangingRows(
  asking: Asking,
  where: Predicate,
  key?: KeyValues,
): Promise<HangingRows> {
  const { catalog, open, reader } = asking
  const { sealing } = messagesFor(reader.language)
  const links = linksTo(asking).filter((link) => !keepsRow(link))
  const told: HangingLine[] = []
  let cascaded = 0
  const hrefOf = await listsReferring(asking, links, key)
  for (const link of links) {
    const found = await hangingOf(asking, link, where)
    if (!found) continue
    const href = hrefOf(link)
    told.push({ text: found.text, ...(href !== undefined && { href }) })
    cascaded += found.count
  }
  const { name } = open.access.table
  const known = new Set(
    linksTo(asking).map(({ open, foreignKey }) => linkName(open.access.table.name, foreignKey)),
  )
  const isAll = catalog().schema.tables.every((other) =>
    other.foreignKeys.every((one) => one.table !== name || known.has(linkName(other.name, one))),
  )
  if (!isAll) told.push({ text: (key ? sealing.one : sealing).hiddenHanging })
  return { told, cascaded }
}

/** The rows for which the database keeps one row, table by table. */
export async function rowsHolding(asking: Asking, key: KeyValues): Promise<HangingLine[]> {
  const { reader } = asking
  const { restrict } = messagesFor(reader.language).form.hanging
  const links = linksTo(asking).filter(keepsRow)
  const hrefOf = await listsReferring(asking, links, key)
  const told: ((isLast: boolean) => HangingLine)[] = []
  for (const link of links) {
    const rows = await countReferring(asking, link, rowsPredicate([key], asking.open))
    const href = hrefOf(link)
    const { label } = link.open.definition
    if (rows && rows.count > 0 && href !== undefined)
      told.push((isLast) => ({ text: restrict(label, rows, isLast), href }))
  }
  return told.map((line, at) => line(at === told.length - 1))
}

/** Where the rows are listed that refer to one row by a link; none are without a `key`. */
async function listsReferring(
  asking: Asking,
  links: readonly Link[],
  key: KeyValues | undefined,
): Promise<(link: Link) => string | undefined> {
  const columns = [...new Set(links.flatMap(({ foreignKey }) => foreignKey.references))]
  const [row] = key && links.length > 0 ? await readSome(asking, [key], columns) : []
  const values = new Map(columns.map((name, at) => [name, row?.values[at] ?? null]))
  return ({ open, foreignKey }) => {
    const referring = rowsReferring(open, foreignKey, values)
    if (!referring) return undefined
    const { filterComponents, showsDeleted } = filteredBy(referring.filterComponents, open)
    const shown: [string, string][] = showsDeleted === true ? [[DELETED, SHOWN]] : []
    const query = new URLSearchParams([...writeFilters(filterComponents), ...shown])
    return `${asking.href(open.access.table.name)}?${query.toString()}`
  }
}

const linkName = (table: string, { columns }: ForeignKey): string =>
  JSON.stringify([table, ...columns])

/** `undefined` where nothing refers to the rows. */
async function hangingOf(
  asking: Asking,
  link: Link,
  where: Predicate,
): Promise<{ readonly text: string; readonly count: number } | undefined> {
  const { hanging } = messagesFor(asking.reader.language).sealing
  const { open: other, foreignKey } = link
  const { onDelete = 'restrict' } = foreignKey
  if (onDelete === 'restrict') return undefined
  const rows = await countReferring(asking, link, where)
  if (rows?.count === 0) return undefined
  const count = onDelete === 'none' ? 0 : (rows?.count ?? 0)
  return { text: hanging[onDelete](other.definition.label, rows), count }
}

/** `undefined` where it is not known in time. Rows that refer by several columns are not counted. */
async function countReferring(
  { source, open, reader, signal }: Asking,
  { open: other, foreignKey: { columns, references } }: Link,
  where: Predicate,
): Promise<{ readonly count: number; readonly text: string } | undefined> {
  const [column, ...others] = columns
  const [to] = references
  if (others.length > 0 || column === undefined || to === undefined) return undefined
  const table = open.access.table.name
  const referring: Predicate = { op: 'related', column, table, references: to, where }
  const found = await source
    .count(other.access.seeing(open.access), referring, { signal, timeoutMs: TIMEOUT_MS })
    .catch(orOnTimeout(undefined))
  return found && { count: found.count, text: formatterFor(reader).number(found.count) }
}
