/** The names of the channels that tell of the jobs of a table. */

import { CHANNEL_NAME_MAX, channelName } from '../../protocol/channels.ts'

/** Its one event, `changed`, says nothing else: jobs are read again, as far as their reader may know of them. */
export const JOB_CHANNEL = 'private-jobs.{table}'

/** `undefined` for a table whose name is too long for one. */
export function jobChannelOf(table: string): string | undefined {
  const name = channelName(JOB_CHANNEL, { table })
  return name.length <= CHANNEL_NAME_MAX ? name : undefined
}
