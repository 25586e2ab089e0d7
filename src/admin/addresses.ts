/** The addresses of the admin's pages, and which ones may be gone to. */

export const SIGN_IN_PATH = '/sign-in'
export const SIGN_OUT_PATH = '/sign-out'
export const ACCOUNT_PATH = '/account'

/** Address of a table's listing. */
export const listPath = (table: string): string => `/tables/${encodeURIComponent(table)}`

export const linkPath = (token: string): string => `${SIGN_IN_PATH}/link/${token}`

/** A path of this very site to go on to, as ASCII, or `/` for whatever else was asked for. */
export function safeNext(next: unknown): string {
  // Browsers drop tabs and line ends, which could make two slashes of one.
  if (typeof next !== 'string' || next.length > 2000 || /[\\\p{Cc}]/u.test(next)) return '/'
  const base = 'http://tablewire.invalid'
  const url = isPath(next) ? URL.parse(next, base) : null
  const path = url?.origin === base ? url.pathname + url.search + url.hash : '/'
  // Dots that are resolved can leave two slashes at the front.
  return isPath(path) ? path : '/'
}

const isPath = (text: string) => /^\/(?!\/)/.test(text)
