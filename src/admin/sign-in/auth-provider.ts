/** The host's own sign-in: how whoever embeds the admin tells it who makes a request. */

import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import { ROLES, type Role } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { KeyRing } from '../../server/keys.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { HostRequests } from '../mounts/mounts.ts'
import type { SignIn } from './visitors.ts'

/** A request, as far as it tells who makes it. */
export type AuthRequest = {
  readonly method: string
  /** Path and query, as the browser asked for them. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /**
   * The request as the host knows it, with what its middleware put there: Node's `IncomingMessage`,
   * Express's `req`, Fastify's `request`, or the `Request` that was given to `fetch`.
   */
  readonly hostRequest: unknown
}

/** Somebody who is signed in at the host. */
export type HostPerson = {
  /** Stable and unique among people, 1 to 200 characters. Preferences are kept by it. */
  readonly id: string
  readonly name: string
  readonly email?: string | undefined
  readonly role: Role
  /**
   * What tells this sign-in from others of the same person, 1 to 4096 characters, such as the id of
   * the host's session. It stays as long as the person is signed in, and never reaches the browser.
   * Pages that are open when it changes have to be loaded anew.
   */
  readonly session: string
}

/**
 * Takes the place of Tablewire's own accounts.
 *
 * @example
 * const auth: AuthProvider = {
 *   async authenticate({ headers }) {
 *     const session = await sessions.find(headers.cookie)
 *     return session && { id: session.userId, name: session.userName, role: 'editor', session: session.id }
 *   },
 *   signInUrl: (returnTo) => `/login?next=${encodeURIComponent(returnTo)}`,
 *   signOutUrl: '/logout',
 * }
 */
export type AuthProvider = {
  /**
   * Who is signed in, or `undefined`. Asked once for each request that is not for a file of the
   * client. Throw `new AppError('FORBIDDEN')` for somebody who may not come here at all; any other
   * error is told as `SERVER_ERROR`, and goes to the log.
   */
  authenticate(request: AuthRequest): Promise<HostPerson | undefined> | HostPerson | undefined
  /** Where people sign in. `returnTo` is the path and query to lead back to. */
  signInUrl(returnTo: string): string
  /** Where a link to sign out leads. Default: there is none. */
  readonly signOutUrl?: string
}

const text = (min: number, max: number) => v.pipe(v.string(), v.minLength(min), v.maxLength(max))

const personSchema = v.object({
  id: text(1, 200),
  name: text(0, 200),
  email: v.optional(text(0, 254), ''),
  role: v.picklist(ROLES),
  session: text(1, 4096),
})

/** `hostRequests` gives the host's own request for one of Node's. */
export function createHostSignIn(
  auth: AuthProvider,
  keys: KeyRing,
  hostRequests: HostRequests,
): SignIn {
  return {
    async authenticate(request) {
      const { method, url, headers, raw } = request
      const hostRequest = hostRequests.get(raw) ?? raw
      const found: unknown = await ask('authenticate', () =>
        auth.authenticate({ method, url, headers, hostRequest }),
      )
      return found === undefined || found === null ? undefined : visitorOf(found, keys)
    },
    async signInHref(returnTo) {
      return readHref(await ask('signInUrl', () => auth.signInUrl(returnTo)))
    },
    // Nobody posts a form here without being signed in.
    anonymous: () => '',
    links: auth.signOutUrl ? { signOut: { href: auth.signOutUrl, method: 'get' } } : {},
  }
}

/** What the host throws is its own affair: none of it is shown, and no status is taken from it. */
async function ask<T>(what: string, question: () => T): Promise<Awaited<T>> {
  try {
    return await question()
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw serverError(`The auth provider’s ${what} failed.`, cause)
  }
}

/** The browser sees the lineage, so it is not the host's own word for the session. */
function visitorOf(found: unknown, keys: KeyRing): Visitor {
  const parsed = v.safeParse(personSchema, found)
  if (!parsed.success) {
    const wrong = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'it'}: ${issue.message}`)
    throw serverError(`The auth provider’s authenticate returned no person: ${wrong.join(' ')}`)
  }
  const { session, ...actor } = parsed.output
  const lineage = keys.sign('session', JSON.stringify([actor.id, session])).mac
  return { actor, session: { id: lineage, lineage } }
}

/** A path or a web address as ASCII, since it goes into a header; anything else leads nowhere. */
function readHref(href: unknown): string {
  const base = 'https://host.invalid'
  const url = typeof href === 'string' ? URL.parse(href, base) : null
  if (url?.origin === base) return url.pathname + url.search + url.hash
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw serverError(
    `The auth provider’s signInUrl returned [${String(href)}], which is no address.`,
  )
}

/** The log is told why; whoever asked is not. */
const serverError = (why: string, cause?: unknown) =>
  new AppError('SERVER_ERROR', { cause: new Error(why, { cause }) })
