/** The names of the channels on which tables tell that they have changed. */

import { CHANNEL_NAME_MAX, channelName } from '../protocol/channels.ts'
import type { OpenTable } from './catalog.ts'
import { type ColumnDefinition, foreignKeysOf } from './definition/table-definition.ts'
import type { Access } from './source/access.ts'
import { everything, type Predicate } from './source/predicate.ts'
import { policyAccesses, relatedAccesses } from './source/related-tables.ts'

/** Its one event, `changed`, says nothing else: rows are read again, under the reader's own policy. */
export const TABLE_CHANNEL = 'private-table.{table}'

/** The same for a write of any table. */
export const ANY_TABLE_CHANNEL = 'private-table.of.any'

/** Channels of one component; one that reads more tables hears of every write. */
const MOST = 20

/** An access belongs to one person, and is kept while what they are granted is the same. */
const known = {
  lists: new WeakMap<Access, readonly string[]>(),
  records: new WeakMap<Access, readonly string[]>(),
}

/**
 * The channels of all tables that a list reads whose conditions are `where`: its own, those that it refers to,
 * those of rows that it is filtered by, and those that the policy looks into for any of them. A type beside an id,
 * if one of the columns `shown` has it, may name any table. A table whose name is too long for a channel is not
 * live.
 */
export function listChannels(
  open: OpenTable,
  where: Predicate = everything,
  shown: readonly ColumnDefinition[] = [],
): readonly string[] {
  if (isPaired(shown)) return channelsOf(open, () => undefined)
  if (where.op === 'and' && where.all.length === 0) return once(known.lists, open, () => [open])
  return channelsOf(open, () => {
    const others = relatedAccesses(open.access, where)
    return [open, ...others.flatMap(({ table }) => open.others.find(table.name) ?? [])]
  })
}

/**
 * The same of a record or a form, which also show rows that refer to theirs, and what these refer to, and all columns.
 */
export const recordChannels = (open: OpenTable): readonly string[] =>
  once(known.records, open, () =>
    isPaired([...open.definition.columns.values()])
      ? undefined
      : [open, ...open.others.referringTo(open.definition.table.name)],
  )

const isPaired = (columns: readonly ColumnDefinition[]): boolean =>
  columns.some(({ typedBy }) => typedBy !== undefined)

/** `undefined` where rows of any table may be shown. */
type Shown = () => readonly OpenTable[] | undefined

function once(
  kept: WeakMap<Access, readonly string[]>,
  open: OpenTable,
  shown: Shown,
): readonly string[] {
  const channels = kept.get(open.access) ?? channelsOf(open, shown)
  kept.set(open.access, channels)
  return channels
}

function channelsOf(open: OpenTable, shown: Shown): readonly string[] {
  const nameOf = (table: string) => channelName(TABLE_CHANNEL, { table })
  const isShort = (name: string) => name.length <= CHANNEL_NAME_MAX
  const own = nameOf(open.definition.table.name)
  if (!isShort(own)) return []
  try {
    const tables = shown()
    const names = tables && [...tablesRead(tables)].map(nameOf)
    if (names && names.length <= MOST && names.every(isShort)) return names
  } catch {
    // Policies that refer to one another in a circle: the query that needs them fails, and says so.
  }
  return [own, ANY_TABLE_CHANNEL]
}

/** The tables, those that their rows refer to, and those that the policy looks into. */
function tablesRead(shown: readonly OpenTable[]): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (access: Access | undefined) => {
    if (!access || names.has(access.table.name)) return
    names.add(access.table.name)
    for (const { table } of policyAccesses(access)) names.add(table.name)
  }
  for (const { access, definition, others } of shown) {
    add(access)
    for (const { table } of foreignKeysOf(definition)) add(others.find(table)?.access)
  }
  return names
}
