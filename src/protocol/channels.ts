/** Channels as both sides name them: a pattern such as `private-orders.{id}`, and its parameters. */

import type { Json } from './json.ts'

/** The values of the `{names}` in a pattern, such as `{ id: string }` for `private-orders.{id}`. */
export type ChannelParams<Pattern extends string> =
  Pattern extends `${string}{${infer Name}}${infer Rest}`
    ? { readonly [key in Name]: string } & ChannelParams<Rest>
    : {}

/** The types of one channel, inferred from its definition on the server. */
export type ChannelTypes = {
  readonly pattern: string
  /** Details of its events, by name. */
  readonly events: { readonly [name: string]: Json }
  /** What its members tell of each other; `null` where it has none. */
  readonly member: Json
}

/** Carries the types of a channel. The property is never there; only the compiler reads it. */
export type TypedChannel<Types extends ChannelTypes = ChannelTypes> = {
  readonly '~channel'?: Types
}

/** The types that a channel carries. */
export type ChannelOf<Channel extends TypedChannel> =
  Channel extends TypedChannel<infer Types extends ChannelTypes> ? Types : never

/** Longest name of a channel, characters: the protocol's own limit. */
export const CHANNEL_NAME_MAX = 200

/** Where the browser opens its socket, and who lets it join a channel. */
export type RealtimeAddress = {
  /** Public key of the application at the server. */
  readonly key: string
  /** Origin of another server, such as `https://ws.example.org`; `null` for the page's own. */
  readonly host: string | null
  /** Cluster of the hosted provider; `null` where `host`, or the page's own origin, answers. */
  readonly cluster: string | null
  /** What the socket's path begins with, such as `/admin`. */
  readonly path: string
  /**
   * How writes behind the admin's back are noticed: by the file's version, by triggers that tell, by
   * asking the database, or by asking one that may answer seconds later.
   */
  readonly noticedBy: 'version' | 'triggers' | 'asking' | 'delayed'
  /** Lets a socket join a channel (spec §6, §7). */
  readonly authUrl: string
  /** Says who a socket's person is (spec §6). */
  readonly userAuthUrl: string
}

/**
 * A part of a channel's name. Bytes that names cannot have, and the dot between parts, are written as
 * `=XX`, so that no two channels share a name.
 */
export const channelPart = (text: string): string =>
  text.toWellFormed().replace(/[^A-Za-z0-9_\-@,;]/gu, escaped)

/** The name of one channel on the wire, such as `private-orders.17`. */
export const channelName = <Pattern extends string>(
  pattern: Pattern,
  params: ChannelParams<Pattern>,
): string => {
  const values = new Map<string, unknown>(Object.entries(params))
  return pattern.replace(PARAMETER, (_, name: string) => {
    const value = values.get(name)
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`The channel [${pattern}] needs a text for {${name}}.`)
    return channelPart(value)
  })
}

/**
 * Returns what reads the parameters from a channel's name; `undefined` if the name is not one of the
 * pattern's.
 */
export function channelReader(
  pattern: string,
): (name: string) => { [parameter: string]: string } | undefined {
  const names: string[] = []
  const source = pattern
    .split(PARAMETER)
    .map((part, at) => {
      if (at % 2 === 0) return part.replace(/[^\w-]/g, '\\$&')
      names.push(part)
      return '([^.]+)'
    })
    .join('')
  const shape = new RegExp(`^${source}$`)
  return (name) => {
    const found = shape.exec(name)
    if (!found) return undefined
    const params: { [parameter: string]: string } = {}
    for (const [at, parameter] of names.entries()) {
      const value = unescaped(found[at + 1] ?? '')
      if (!value) return undefined
      params[parameter] = value
    }
    // A value that is not spelled as `channelName` does would be a second name of the same channel.
    return channelName(pattern, params) === name ? params : undefined
  }
}

/** Whether a channel's parameters are those of the pattern. */
export const isOfPattern = <Pattern extends string>(
  pattern: Pattern,
  params: { readonly [parameter: string]: string },
): params is ChannelParams<Pattern> & { readonly [parameter: string]: string } =>
  Array.from(pattern.matchAll(PARAMETER), ([, name = '']) => name).every((name) => name in params)

const PARAMETER = /\{(\w+)\}/g

/** `encodeURIComponent` leaves these signs as they are. */
const escaped = (char: string): string =>
  /[.!~*'()]/.test(char)
    ? `=${char.charCodeAt(0).toString(16).toUpperCase()}`
    : encodeURIComponent(char).replaceAll('%', '=')

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/%/g, '=').replace(/=/g, '%'))
  } catch {
    return undefined
  }
}
