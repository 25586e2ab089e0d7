/** The channel that tells whoever may see a table that its saved views have changed. */

import * as v from 'valibot'
import { CHANNEL_NAME_MAX, channelName } from '../../protocol/channels.ts'
import { defineChannel } from '../../server/channel/channel.ts'
import type { Catalog } from '../catalog.ts'

/** Its one event, `changed`, says nothing else: views are read again, as far as their reader may know of them. */
export const VIEWS_CHANNEL = 'private-views.{table}'

export type ViewsChannel = ReturnType<typeof createViewsChannel>

export const createViewsChannel = (catalog: () => Catalog) =>
  defineChannel(VIEWS_CHANNEL, {
    authorize: ({ actor, params }) => catalog().find(actor, params.table) !== undefined,
    events: { changed: v.null() },
  })

/** `undefined` for a table whose name is too long for one. */
export function viewsChannelOf(table: string): string | undefined {
  const name = channelName(VIEWS_CHANNEL, { table })
  return name.length <= CHANNEL_NAME_MAX ? name : undefined
}
