/** The wire contract: what the browser and the server say to each other (spec §7). */

import type { ErrorCode } from './errors.ts'
import type { Json, JsonObject } from './json.ts'
import type { Patch } from './patch.ts'

/** Where updates are posted unless the page configuration says otherwise. */
export const UPDATE_PATH = '/tablewire/update'

/** Cookie that holds the browser's time zone, such as `Europe/Vienna`. */
export const ZONE_COOKIE = 'tablewire_zone'

/** Header names of the wire. Values are plain ASCII. */
export const HEADERS = {
  /** Marks a component update by its presence; `TAKES_PATCHES` and `IS_PATIENT` are values that say more. */
  marker: 'X-Tablewire',
  /** Asks for a page as data instead of HTML; `NAVIGATE` has its values. */
  navigate: 'X-Tablewire-Navigate',
  /** On every request that the client makes (spec §7). */
  requestedWith: 'X-Requested-With',
  /** Only while a socket is connected (spec §7). */
  socketId: 'X-Socket-Id',
  /** The page's CSRF token, where a socket asks to join a channel (spec §7). */
  csrf: 'X-CSRF-Token',
  /** Names a batch, so that a retry has one effect. */
  idempotencyKey: 'Idempotency-Key',
} as const

/** Values of the navigation header; the server takes any other for a visit. */
export const NAVIGATE = {
  visit: '1',
  /** Nobody sees the page yet: the server writes nothing. */
  prefetch: 'prefetch',
  /** A prefetched page is shown now: the server answers with the shell alone. */
  shown: 'shown',
} as const

/** Value of the marker where the client makes refreshed views of those that it was sent before. */
export const TAKES_PATCHES = 'patches'

/** Value of the marker where somebody has asked to go on with what took too long. */
export const IS_PATIENT = 'patient'

/** Value of `X-Requested-With` on every client request (spec §7). */
export const REQUESTED_WITH = 'XMLHttpRequest'

/** Limits of one update request; beyond them the server refuses all of it. */
export const UPDATE_LIMITS = {
  bodyBytes: 256 * 1024,
  depth: 32,
  components: 20,
  calls: 20,
  updates: 200,
  pathSegments: 10,
} as const

/** Method prefix of a call that passes on another component's event, whose name follows it. */
export const EVENT_METHOD = 'on:'

/** One action the client asks for. */
export type Call = { method: string; params: Json[] }

/** One component's part of an update request. */
export type ComponentRequest = {
  /** The string last received, unchanged. */
  snapshot: string
  /** New values by dotted path, plain JSON, applied before the calls. */
  updates: { [path: string]: Json }
  calls: Call[]
}

export type UpdateRequest = { _token: string; components: ComponentRequest[] }

/** A change of address that needs no new page. */
export type UrlEffect = { href: string; mode: 'push' | 'replace' }

/** An event for the components that listen to it, and for listeners on `window`. */
export type Dispatch = { name: string; detail: Json }

/** An event that a component has handled, and the id of the component that dispatched it. */
export type HeardEvent = { from: string; event: string }

/** What the server asks the client to do after an update. Absent keys mean nothing to do. */
export type Effects = {
  /** What React draws; left out when it has not changed. */
  view?: Json
  /** In place of the view, how to make it of the one that the snapshot was sent with. */
  patch?: Patch
  /** One entry for each call, in order. */
  returns?: Json[]
  /** Messages by field; `''` for those of the whole component. */
  errors?: { [field: string]: string[] }
  dispatches?: Dispatch[]
  /** The page to go to; nothing else of this component is applied. */
  redirect?: string
  url?: UrlEffect
  download?: { href: string; name: string }
  /** Rows may have changed. The page's socket is not told: other live components are to be read anew. */
  wrote?: true
  /** Channels of which the component has to hear from now on, besides those that it was drawn with. */
  channels?: string[]
  /** Events of others in the batch that this component has already handled on the server. */
  heard?: HeardEvent[]
  /**
   * The component takes longer than the others of its batch: ask for it again under this idempotency
   * key, together with those that have the same one. Nothing else of the answer counts.
   */
  later?: string
  /** A retry is answered, and only what decides was kept: lists and texts of `returns` may end early. */
  shortened?: true
  /**
   * The snapshot is of another build, key or session: fetch the page anew, keep the edits. Make the
   * calls again, unless `returns` holds their results from a request whose answer was lost.
   */
  outdated?: true
}

export type ComponentResponse = { snapshot: string; effects: Effects }

export type UpdateResponse = { components: ComponentResponse[]; assets: Assets }

/** The client that the server serves now. When it changes, the page is loaded in full. */
export type Assets = { version: string }

/** Body of a refusal: an error code, and a message for people. */
export type ErrorBody = { error: { code: ErrorCode; message: string; reference?: string } }

/** What a snapshot string holds once parsed. Only the server may trust it, after verifying. */
export type Snapshot = { data: JsonObject; memo: Memo; checksum: string }

/** What the server needs to restore the component. */
export type Memo = {
  /** Unique in its page. */
  id: string
  /** Name the component was defined under. */
  name: string
  /** What the page gave it; absent where that is nothing. */
  params?: Json
  /** Path of the page that it stands on. */
  path: string
  /** Build that issued it. */
  build: string
  /** Process that issued it, where one names itself: its own need not be checked against code. */
  process?: string
  /** Whom it was issued to, and the lineage of the session. */
  user: string
  lineage: string
  /** Digest of the view last sent, so that the same one is not sent again. */
  view: string
  /** Digest of what the view was read from, where the component can tell. */
  reads?: string
}
