/** The addresses of the admin's pages, all under one prefix, and which ones may be gone to. */

import { UPDATE_PATH } from '../protocol/wire.ts'
import { ASSETS_PATH } from '../server/http/client-files.ts'

/** Paths of the admin's pages below its prefix; parts that begin with `:` are names of parameters. */
export const PATHS = {
  start: '/',
  signIn: '/sign-in',
  link: '/sign-in/link/:token',
  account: '/account',
  list: '/tables/:table',
  record: '/tables/:table/records/:key',
} as const

/** First parts of paths that the admin has for itself, today's and those that are kept for it. */
const TAKEN: ReadonlySet<string> = new Set([
  ...Object.values(PATHS).map((path) => path.split('/')[1]!),
  ...['sign-out', 'tablewire', 'healthz', 'readyz', 'app', 'apps', 'broadcasting', 'api'],
])

/** Whether a path is one of the admin's own or below one. */
export const isTaken = (path: string): boolean => {
  const first = path.split('/')[1]!
  // A name would take every path that has as many parts.
  return TAKEN.has(first) || first.startsWith(':')
}

export type Addresses = {
  /** What every address begins with: a path such as `/admin`, or nothing. */
  readonly prefix: string
  readonly start: string
  readonly signIn: string
  readonly signOut: string
  readonly account: string
  readonly update: string
  /** Folder of the client's files, with a slash at its end. */
  readonly assets: string
  readonly health: string
  readonly ready: string
  /** What a listing's address begins with, before the table. */
  readonly lists: string
  /** Address of a table's listing. */
  list(table: string): string
  /** Whether a path leads to one row of a table. */
  isRecord(path: string): boolean
  /** Address that a one-time link leads to. */
  link(token: string): string
  /** Whether a path, with its query or without, is one of these or below one. */
  has(url: string): boolean
  /** A path of this very admin to go on to, as ASCII, or its start for whatever else was asked for. */
  safeNext(next: unknown): string
}

/** Parts that mean nothing to routers, browsers or cookies. */
const PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/** `prefix` may end with a slash. Throws where it is no plain path such as `/admin`. */
export function createAddresses(prefix = ''): Addresses {
  const base = prefix.replace(/\/$/, '')
  if (base !== '' && !PREFIX.test(base))
    throw new Error(
      `The prefix [${prefix}] is not a path such as /admin: slashes before names of letters, digits, “-”, “_”, “.” or “~”.`,
    )
  const start = `${base}/`
  const lists = `${base}/tables/`
  const signIn = base + PATHS.signIn
  const has = (url: string) => {
    const path = url.split('?', 1)[0]!
    return path === base || path.startsWith(start)
  }
  return {
    prefix: base,
    start,
    signIn,
    signOut: `${base}/sign-out`,
    account: base + PATHS.account,
    update: base + UPDATE_PATH,
    assets: base + ASSETS_PATH,
    health: `${base}/healthz`,
    ready: `${base}/readyz`,
    lists,
    list: (table) => lists + encodeURIComponent(table),
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

/** A path of this very site, or nothing for whatever else was asked for. */
function pathOf(next: unknown): string | undefined {
  // Browsers drop tabs and line ends, which could make two slashes of one.
  if (typeof next !== 'string' || next.length > 2000 || /[\\\p{Cc}]/u.test(next)) return undefined
  const base = 'http://tablewire.invalid'
  const url = isPath(next) ? URL.parse(next, base) : null
  const path = url?.origin === base ? url.pathname + url.search + url.hash : undefined
  // Dots that are resolved can leave two slashes at the front.
  return path !== undefined && isPath(path) ? path : undefined
}

const isPath = (text: string) => /^\/(?!\/)/.test(text)
