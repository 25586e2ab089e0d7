/** The channel of a table: tells whoever may read it that its rows may have changed. */

import * as v from 'valibot'
import { LIMITS } from '../../realtime/limits.ts'
import type { Publication } from '../../realtime/realtime-server.ts'
import { beginningOf, type Channel, defineChannel } from '../../server/channel/channel.ts'
import type { Catalog } from '../../table/catalog.ts'
import { channelName } from '../../protocol/channels.ts'
import { holdsOwnRows } from '../../table/source/schema.ts'
import { ANY_TABLE_CHANNEL, TABLE_CHANNEL } from '../../table/table-channel.ts'

export type TableChannel = Channel<typeof TABLE_CHANNEL, { readonly changed: null }>

/** What the names of these channels begin with. */
export const TABLES = beginningOf(TABLE_CHANNEL)

export const createTableChannel = (catalog: () => Catalog): TableChannel =>
  defineChannel(TABLE_CHANNEL, {
    authorize: ({ actor, params }) => catalog().find(actor, params.table) !== undefined,
    events: { changed: v.null() },
  })

/** The channel of any table, for whoever may read one. */
export const createAnyTableChannel = (catalog: () => Catalog) =>
  defineChannel(ANY_TABLE_CHANNEL, {
    authorize: ({ actor }) =>
      catalog().schema.tables.some(({ name }) => catalog().find(actor, name) !== undefined),
    events: { changed: v.null() },
  })

/**
 * Which channels hear of a write of these tables: theirs, that of any, and those of views and other tables that
 * may show rows of theirs.
 */
export function concernedBy(
  tables: readonly string[],
  { schema }: Pick<Catalog, 'schema'>,
): (channel: string) => boolean {
  const showing = schema.tables.filter((table) => !holdsOwnRows(table)).map(({ name }) => name)
  const names = [...tables, ...showing].map((table) => channelName(TABLE_CHANNEL, { table }))
  const concerned = new Set([ANY_TABLE_CHANNEL, ...names])
  return (channel) => concerned.has(channel)
}

/** Tells on channels of tables that their rows may have changed, but for one socket. */
export function tellChanged(
  publish: (publication: Publication) => void,
  names: readonly string[],
  except?: string,
): void {
  for (let at = 0; at < names.length; at += LIMITS.channelsPerEvent) {
    const channels = names.slice(at, at + LIMITS.channelsPerEvent)
    publish({ channels, name: 'changed', data: null, ...(except !== undefined && { except }) })
  }
}
