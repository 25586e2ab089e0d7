/** The addresses of the admin's pages, all under one prefix, and which redirects are safe. */

import { UPLOAD_PATH } from '../protocol/upload.ts'
import { UPDATE_PATH } from '../protocol/wire.ts'
import { ASSETS_PATH } from '../server/http/client-files.ts'
import { encodeTableName } from './table-name.ts'

/** Paths of the admin's pages below its prefix; segments that begin with `:` are parameters. */
export const PATHS = {
  start: '/',
  signIn: '/sign-in',
  link: '/sign-in/link/:token',
  oidc: '/sign-in/oidc',
  oidcBack: '/sign-in/oidc/back',
  you: '/you',
  history: '/history',
  people: '/people',
  roles: '/people/roles',
  seeAs: '/people/roles/see',
  stopSeeing: '/people/roles/stop',
  list: '/tables/:table',
  record: '/tables/:table/records/:key',
  file: '/tables/:table/records/:key/files/:column',
  listedFile: '/tables/:table/records/:key/files/:column/:id',
  newRecord: '/tables/:table/new',
  export: '/tables/:table/export',
  corrections: '/tables/:table/corrections',
  socket: '/app/:key',
  channelAuth: '/broadcasting/auth',
  userAuth: '/broadcasting/user-auth',
} as const

/** First path segments that only the admin may use, now or in a later version. */
const RESERVED: ReadonlySet<string> = new Set([
  ...Object.values(PATHS).flatMap((path) => path.split('/').slice(1, 2)),
  ...['sign-out', 'tablewire', 'healthz', 'readyz', 'apps', 'api'],
])

/** Whether a path begins with a segment that is the admin's own. */
export const isReserved = (path: string): boolean => {
  const [, first = ''] = path.split('/')
  // A parameter in first place would match every path with as many segments.
  return RESERVED.has(first) || first.startsWith(':')
}

export type Addresses = {
  /** What every address begins with: a path such as `/admin`, or an empty text. */
  readonly prefix: string
  readonly start: string
  readonly signIn: string
  readonly signOut: string
  /** Leads to the OpenID provider, which leads back to the second. */
  readonly oidc: string
  readonly oidcBack: string
  readonly you: string
  readonly history: string
  readonly people: string
  readonly roles: string
  /** Where an administrator begins to see the admin as a role does, and stops. */
  readonly seeAs: string
  readonly stopSeeing: string
  readonly update: string
  /** Where files are posted. */
  readonly uploads: string
  /** Folder of the client's files, ending with a slash. */
  readonly assets: string
  /** What the addresses of sockets begin with. */
  readonly sockets: string
  /** Where sockets ask to join a channel, and who their person is (spec §6). */
  readonly channelAuth: string
  readonly userAuth: string
  readonly health: string
  readonly ready: string
  /** What a listing's address begins with, up to the table. */
  readonly lists: string
  /** Address of a table's listing. */
  list(table: string): string
  /** Whether a path is a record's. */
  isRecord(path: string): boolean
  /** Address of a one-time link. */
  link(token: string): string
  /** Whether a path, with or without a query, is under the prefix. */
  has(url: string): boolean
  /** Where to redirect after sign-in: `next` as ASCII if it is under the prefix, else the start. */
  safeNext(next: unknown): string
}

/** Segments without a special meaning to routers, browsers or cookies. */
const PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/** Whether this is a plain path such as `/admin`, or empty. */
export const isPrefix = (path: string): boolean => path === '' || PREFIX.test(path)

/** `prefix` may end with a slash. Throws unless it is a plain path such as `/admin`. */
export function createAddresses(prefix = ''): Addresses {
  const base = prefix.replace(/\/$/, '')
  if (!isPrefix(base))
    throw new Error(
      `The prefix [${prefix}] is not a path such as /admin: slashes before names of letters, digits, “-”, “_”, “.” or “~”.`,
    )
  const start = `${base}/`
  const lists = `${base}/tables/`
  const signIn = base + PATHS.signIn
  const has = (url: string) => {
    const [path = ''] = url.split('?', 1)
    return path === base || path.startsWith(start)
  }
  return {
    prefix: base,
    start,
    signIn,
    signOut: `${base}/sign-out`,
    oidc: base + PATHS.oidc,
    oidcBack: base + PATHS.oidcBack,
    you: base + PATHS.you,
    history: base + PATHS.history,
    people: base + PATHS.people,
    roles: base + PATHS.roles,
    seeAs: base + PATHS.seeAs,
    stopSeeing: base + PATHS.stopSeeing,
    update: base + UPDATE_PATH,
    uploads: base + UPLOAD_PATH,
    assets: base + ASSETS_PATH,
    sockets: `${base}/app/`,
    channelAuth: base + PATHS.channelAuth,
    userAuth: base + PATHS.userAuth,
    health: `${base}/healthz`,
    ready: `${base}/readyz`,
    lists,
    list: (table) => lists + encodeTableName(table),
    isRecord: (path) =>
      path.startsWith(lists) && /^[^/]+\/records\//.test(path.slice(lists.length)),
    link: (token) => `${signIn}/link/${token}`,
    has,
    safeNext(next) {
      const path = pathOf(next)
      return path !== undefined && has(path) ? path : start
    },
  }
}

/** The path, if `next` stays on this site; `undefined` for anything else. */
function pathOf(next: unknown): string | undefined {
  // Browsers drop tabs and line breaks, which could turn `/<tab>/` into `//`.
  if (typeof next !== 'string' || next.length > 2000 || /[\\\p{Cc}]/u.test(next)) return undefined
  const base = 'http://tablewire.invalid'
  const url = isPath(next) ? URL.parse(next, base) : null
  const path = url?.origin === base ? url.pathname + url.search + url.hash : undefined
  // Resolving dot segments can leave two slashes at the front.
  return path !== undefined && isPath(path) ? path : undefined
}

const isPath = (text: string) => /^\/(?!\/)/.test(text)
