/** Asks the server whether the page's socket may join a channel, and asks again after passing failures. */

import type { PageData } from '../protocol/page.ts'
import { retryDelay } from './backoff.ts'
import type { Environment } from './environment.ts'
import type { ChannelAuthorization, SocketEvents, UserAuthentication } from './push.ts'
import type { Answer, Transport } from './transport.ts'

export type AuthorizationOptions = {
  readonly environment: Pick<Environment, 'later' | 'random' | 'logError'>
  readonly transport: Pick<Transport, 'form'>
  page(): PageData
  /** Whether the answer is of use: to a socket that is connected, about a channel that is listened to. */
  isWanted(socketId: string, channel: string): boolean
  /** How long to wait before the first request, ms. */
  delay(): number
}

type Refused = Extract<Answer<never>, { kind: 'refused' }>

/**
 * Statuses of a person who is signed out, or whose page is too old. Requests of the page show that,
 * and the next page brings another token, so nothing is logged.
 */
const OUTDATED: readonly number[] = [401, 419]

/** Statuses that pass: too many requests, or a server that is busy or about to be replaced. */
const PASSING: readonly number[] = [429, 502, 503, 504]

export function createAuthorization(
  options: AuthorizationOptions,
): Pick<SocketEvents, 'authorize' | 'identify'> {
  const { environment, transport } = options

  const sleep = (ms: number) => new Promise<void>((resolve) => void environment.later(resolve, ms))

  return {
    async authorize(channel, socketId) {
      const delay = options.delay()
      if (delay > 0) await sleep(delay)
      for (let attempt = 0; options.isWanted(socketId, channel); attempt++) {
        const { realtime } = options.page()
        if (!realtime) break
        const answer = await transport.form<ChannelAuthorization>(realtime.authUrl, {
          socket_id: socketId,
          channel_name: channel,
        })
        if (answer.kind === 'ok') return answer.body
        if (answer.kind === 'refused' && !PASSING.includes(answer.status)) {
          if (!OUTDATED.includes(answer.status))
            environment.logError(refusedChannel(channel, answer))
          break
        }
        const retryAfterMs = answer.kind === 'refused' ? answer.retryAfterMs : null
        await sleep(retryDelay(attempt, retryAfterMs, environment.random()))
      }
      return null
    },
    async identify(socketId) {
      const { realtime } = options.page()
      if (!realtime) return null
      // Asked for by each connection anew; without it, events arrive all the same.
      const answer = await transport.form<UserAuthentication>(realtime.userAuthUrl, {
        socket_id: socketId,
      })
      return answer.kind === 'ok' ? answer.body : null
    },
  }
}

const refusedChannel = (channel: string, { status, error }: Refused): Error =>
  new Error(`The page may not listen to the channel [${channel}]: ${status} ${error.message}`)
