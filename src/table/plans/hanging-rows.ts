/** What hangs on rows that are to be deleted: which of them stay for it, and what becomes of other tables' rows. */

import { messagesFor } from '../../messages/messages.ts'
import type { PlanView } from '../../protocol/plan-view.ts'
import type { OpenTable } from '../catalog.ts'
import { formatterFor } from '../format.ts'
import { orOnTimeout } from '../references.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { ForeignKey } from '../source/schema.ts'
import { foreignKeysOf } from '../definition/table-definition.ts'
import { type Asking, TIMEOUT_MS } from './asking.ts'

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
export type HangingRows = { readonly told: PlanView['hanging']; readonly cascaded: number }

/** Counted as far as that is done in time. `where`: the rows that are deleted. */
export async function hangingRows(asking: Asking, where: Predicate): Promise<HangingRows> {
  const { catalog, open, reader } = asking
  const { sealing } = messagesFor(reader.language)
  const links = linksTo(asking).filter((link) => !keepsRow(link))
  const told: PlanView['hanging'] = []
  let cascaded = 0
  for (const link of links) {
    const found = await hangingOf(asking, link, where)
    if (!found) continue
    told.push({ text: found.text, isRefused: false })
    cascaded += found.count
  }
  const { name } = open.access.table
  const known = new Set(
    linksTo(asking).map(({ open, foreignKey }) => linkName(open.access.table.name, foreignKey)),
  )
  const isAll = catalog().schema.tables.every((other) =>
    other.foreignKeys.every((one) => one.table !== name || known.has(linkName(other.name, one))),
  )
  if (!isAll) told.push({ text: sealing.hiddenHanging, isRefused: false })
  return { told, cascaded }
}

const linkName = (table: string, { columns }: ForeignKey): string =>
  JSON.stringify([table, ...columns])

/** `undefined` where nothing refers to the rows. */
async function hangingOf(
  { source, open, reader, signal }: Asking,
  { open: other, foreignKey }: Link,
  where: Predicate,
): Promise<{ readonly text: string; readonly count: number } | undefined> {
  const { hanging } = messagesFor(reader.language).sealing
  const { columns, references, onDelete = 'restrict' } = foreignKey
  const [column, ...others] = columns
  const [to] = references
  const { label } = other.definition
  if (onDelete === 'restrict' || column === undefined || to === undefined) return undefined
  // Rows that refer by several columns are not counted.
  if (others.length > 0) return { text: hanging[onDelete](label), count: 0 }
  const table = open.access.table.name
  const referring: Predicate = { op: 'related', column, table, references: to, where }
  const found = await source
    .count(other.access.seeing(open.access), referring, { signal, timeoutMs: TIMEOUT_MS })
    .catch(orOnTimeout(undefined))
  if (found?.count === 0) return undefined
  const rows = found && { count: found.count, text: formatterFor(reader).number(found.count) }
  return { text: hanging[onDelete](label, rows), count: found?.count ?? 0 }
}
