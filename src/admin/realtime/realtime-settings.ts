/** The settings of live events: what carries them to browsers, and between nodes. */

import type { RealtimeAddress } from '../../protocol/channels.ts'
import type { ProviderPlace } from '../../realtime/provider.ts'
import type { RealtimeApp } from '../../realtime/signatures.ts'

/** Where nodes tell each other what happens. */
export type BusSetting = {
  readonly kind: 'redis' | 'postgres'
  /** Such as `redis://cache.example.org:6379`. */
  readonly url: string
  /** The setting that has named it. */
  readonly name: string
}

/** Another server that carries the events. */
export type ProviderSetting = { readonly app: RealtimeApp; readonly place: ProviderPlace }

export type RealtimeSettings = {
  /** `undefined` where there is one node. */
  readonly bus: BusSetting | undefined
  /** `undefined` where the admin's own server carries them. */
  readonly provider: ProviderSetting | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment overrides the option. Throws one sentence for a setting that is missing or cannot be
 * right; addresses may hold a password, so they are not shown.
 */
export function readRealtimeSettings({
  bus,
  env = {},
}: {
  readonly bus?: string | undefined
  readonly env?: Environment | undefined
}): RealtimeSettings {
  const [named] = [
    ['TABLEWIRE_BUS', env['TABLEWIRE_BUS']] as const,
    ['REDIS_URL', env['REDIS_URL']] as const,
    ['bus', bus] as const,
  ].flatMap(([name, url]) => (url ? readBus(name, url) : []))
  return { bus: named, provider: readProvider(env) }
}

function readBus(name: string, text: string): BusSetting {
  const url = URL.parse(text)
  const isRedis = url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== ''
  if (isRedis) return { kind: 'redis', url: text, name }
  // Its own reader knows all that such an address may leave out.
  if (name !== 'REDIS_URL' && /^postgres(?:ql)?:/.test(text))
    return { kind: 'postgres', url: text, name }
  const others = name === 'REDIS_URL' ? '' : ' or postgres://db.example.org/shop'
  throw new Error(`${name} is not an address like redis://cache.example.org:6379${others}.`)
}

const NEEDED = ['PUSHER_APP_ID', 'PUSHER_KEY', 'PUSHER_SECRET'] as const
const FORMATS = {
  PUSHER_APP_ID: /^[\w-]{1,64}$/,
  PUSHER_KEY: /^[\w-]{1,64}$/,
  PUSHER_SECRET: /^[!-~]{1,128}$/,
  PUSHER_CLUSTER: /^[a-z\d-]{1,32}$/,
} as const

/** The provider's default of the specification, §8. */
const CLUSTER = 'eu'

function readProvider(env: Environment): ProviderSetting | undefined {
  const { PUSHER_HOST: host, PUSHER_CLUSTER: cluster } = env
  const missing = NEEDED.filter((name) => !env[name])
  if (missing.length === NEEDED.length && !host && !cluster) return undefined
  if (missing.length > 0)
    throw new Error(
      `${missing.join(', ').replace(/, (?=[^,]*$)/, ' and ')} ${missing.length > 1 ? 'are' : 'is'} missing: another server of live events needs all of ${NEEDED.join(', ')}.`,
    )
  const [id, key, secret] = NEEDED.map((name) => read(env, name))
  const app = { id: id ?? '', key: key ?? '', secret: secret ?? '' }
  if (host) return { app, place: { origin: readHost(host) } }
  return { app, place: { cluster: cluster ? read(env, 'PUSHER_CLUSTER') : CLUSTER } }
}

function read(env: Environment, name: keyof typeof FORMATS): string {
  const text = env[name] ?? ''
  if (FORMATS[name].test(text)) return text
  throw new Error(`${name} has signs that it cannot have, or too many.`)
}

/** The host's origin: with TLS, unless the address says that there is none. */
function readHost(host: string): string {
  const url = URL.parse(host.includes('://') ? host : `https://${host}`)
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw new Error('PUSHER_HOST is not a host like ws.example.org or ws.example.org:6001.')
}

/** Where browsers open their sockets. */
export const addressOf = ({
  place,
}: ProviderSetting): Pick<RealtimeAddress, 'host' | 'cluster' | 'path'> =>
  'cluster' in place
    ? { host: null, cluster: place.cluster, path: '' }
    : { host: place.origin, cluster: null, path: '' }

/** The one origin that browsers may connect to for that. */
export const socketOriginOf = ({ place }: ProviderSetting): string =>
  'cluster' in place ? `wss://ws-${place.cluster}.pusher.com` : place.origin.replace(/^http/, 'ws')

/** Where events are sent. */
export const hostOf = ({ place }: ProviderSetting): string =>
  'cluster' in place ? `api-${place.cluster}.pusher.com` : new URL(place.origin).host
