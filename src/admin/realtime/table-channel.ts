/** The channel of a table: tells whoever may read it that its rows may have changed. */

import * as v from 'valibot'
import { LIMITS } from '../../realtime/limits.ts'
import type { Publication } from '../../realtime/realtime-server.ts'
import { beginningOf, type Channel, defineChannel } from '../../server/channel/channel.ts'
import type { Catalog } from '../../table/catalog.ts'
import { TABLE_CHANNEL } from '../../table/table-channel.ts'

export type TableChannel = Channel<typeof TABLE_CHANNEL, { readonly changed: null }>

/** What the names of these channels begin with. */
export const TABLES = beginningOf(TABLE_CHANNEL)

export const createTableChannel = (catalog: () => Catalog): TableChannel =>
  defineChannel(TABLE_CHANNEL, {
    authorize: ({ actor, params }) => catalog().find(actor, params.table) !== undefined,
    events: { changed: v.null() },
  })

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
