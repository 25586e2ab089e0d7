/** The names of the channels on which tables tell that they have changed. */

import { CHANNEL_NAME_MAX, channelName } from '../protocol/channels.ts'
import type { OpenTable } from './catalog.ts'

/** Its one event, `changed`, says nothing else: rows are read again, under the reader's own policy. */
export const TABLE_CHANNEL = 'private-table.{table}'

/**
 * The channels of a table and of those whose labels it shows, as far as the actor may read them. A table
 * whose name is too long for one is not live.
 */
export const channelsOf = ({ definition, relations }: OpenTable): readonly string[] => {
  const related = [...relations.values()].map(({ access }) => access.table.name)
  return [...new Set([definition.table.name, ...related])]
    .map((table) => channelName(TABLE_CHANNEL, { table }))
    .filter((name) => name.length <= CHANNEL_NAME_MAX)
}
