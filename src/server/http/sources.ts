/** What documents may load from other origins: each feature says what it needs, and when. */

import type { IncomingMessage } from 'node:http'

/** What a feature may load from another origin, by directive of a content security policy. */
export const SOURCE_KINDS = ['img', 'media', 'font', 'connect', 'frame'] as const

export type SourceKind = (typeof SOURCE_KINDS)[number]

/** Origins and schemes by kind, as a content security policy writes them, such as `https:`. */
export type Sources = { readonly [kind in SourceKind]?: readonly string[] }

/** A part of the application that loads something from another origin. */
export type Feature = {
  readonly sources: Sources
  /** Whether it is in use now for whoever makes the request. Called for every document. */
  isUsed(request: IncomingMessage): boolean
}

/** The sources of one kind that these features need, without duplicates. */
export const sourcesOf = (features: readonly Feature[], kind: SourceKind): string[] => [
  ...new Set(features.flatMap(({ sources }) => sources[kind] ?? [])),
]

/**
 * A source that a policy can hold: an origin such as `https://tiles.example.org` or
 * `https://*.example.org`, `https:`, `http:`, `data:` or `blob:`.
 */
export const isSource = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^(?:https?:|data:|blob:|(?:https?|wss?):\/\/(?:\*\.)?[\w-]+(?:\.[\w-]+)*(?::\d{1,5})?)$/.test(
    text,
  )
