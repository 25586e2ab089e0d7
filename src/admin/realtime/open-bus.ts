/** Opens what carries events between the nodes of an admin. */

import { openNotices } from '../../database/postgres/notices.ts'
import { AppError } from '../../server/app-error.ts'
import type { Bus } from '../../realtime/bus.ts'
import { postgresBus } from '../../realtime/postgres-bus.ts'
import { redisBus } from '../../realtime/redis-bus.ts'
import type { RealtimeApp } from '../../realtime/signatures.ts'
import type { BusSetting } from './realtime-settings.ts'

export type BusParts = {
  readonly app: RealtimeApp
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: ((line: string, error?: unknown) => void) | undefined
}

/**
 * Does not wait for the server: without it, the node serves its own sockets. Each interruption is logged
 * once. Throws one sentence if a package is missing or the address cannot be read.
 */
export async function openBus({ kind, url, name }: BusSetting, parts: BusParts): Promise<Bus> {
  const { app, env, log } = parts
  // Several admins may share one server: nodes with the same key belong together.
  const channel = `tablewire-${app.key}`
  const reportAt = (place: string) => (error: unknown) =>
    log?.(
      `${place} cannot be reached: until it is back, live events stay on the node where they happen.`,
      error,
    )
  if (kind === 'redis') {
    const { host } = new URL(url)
    const refused = (error: Error) =>
      log?.(`${host} refuses a command: live events may stay on the node where they happen.`, error)
    return redisBus({ url, name: channel, report: reportAt(host), refused })
  }
  const { place, connect } = await openNotices(url, channel, env).catch((error: unknown) => {
    throw error instanceof AppError
      ? new Error(`${name}: ${error.detail}`, { cause: error })
      : error
  })
  return postgresBus({ connect, report: reportAt(place) })
}
