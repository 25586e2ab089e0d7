/** Sign-in by the host: how an application tells the embedded admin who makes a request. */

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Role } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { KeyRing } from '../../server/keys.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { HostRequests } from '../mounts/mounts.ts'
import type { SignIn } from './visitors.ts'

/** The parts of a request that tell who makes it. */
export type AuthRequest = {
  readonly method: string
  /** Path and query, as the browser asked for them. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /**
   * The host's own request object, with what its middleware added: Node's `IncomingMessage`,
   * Express's `req`, Fastify's `request`, or the `Request` passed to `fetch`.
   */
  readonly hostRequest: unknown
}

/** Somebody who is signed in at the host. */
export type HostPerson = {
  /** Stable and unique, 1 to 200 characters. Preferences are stored under it. */
  readonly id: string
  readonly name: string
  readonly email?: string | undefined
  readonly role: Role
  /**
   * Tells this sign-in from others of the same person, 1 to 4096 characters, such as the id of the
   * host's session. It must stay the same while the person is signed in; it never reaches the browser.
   * When it changes, open pages have to be reloaded.
   */
  readonly session: string
}

/**
 * Replaces Tablewire's own accounts.
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
   * Who is signed in, or `undefined`. Called once for each request, except for the client's files
   * and health; and, without `stillSignedIn`, every few seconds for each session that has a live page
   * open, with the request that opened the page's socket, or that asked to join a channel. Throw `new AppError('FORBIDDEN')` for somebody who may not use the admin at all; any
   * other error is logged and answered as `SERVER_ERROR`.
   */
  authenticate(request: AuthRequest): Promise<HostPerson | undefined> | HostPerson | undefined
  /**
   * The person as they are now, or `undefined` if their session has ended or they may not use the admin
   * any more. Asked instead of `authenticate` about a session with a live page open; `person` is what
   * `authenticate` returned. It should not count as use of the session, because nobody has done anything.
   */
  stillSignedIn?(person: HostPerson): Promise<HostPerson | undefined> | HostPerson | undefined
  /**
   * A person who is not signed in, by their id, for code that acts on their behalf later; `undefined` if
   * there is none, or they may not use the admin any more. Default: such code is refused.
   */
  find?(
    id: string,
  ): Promise<Omit<HostPerson, 'session'> | undefined> | Omit<HostPerson, 'session'> | undefined
  /** Address of the sign-in page. `returnTo` is the path and query to return to. */
  signInUrl(returnTo: string): string
  /** Address of the link to sign out. Default: no link. */
  readonly signOutUrl?: string
}

const text = (min: number, max: number) => v.pipe(v.string(), v.minLength(min), v.maxLength(max))

const actorSchema = v.object({
  id: text(1, 200),
  name: text(0, 200),
  email: v.optional(text(0, 254), ''),
  role: text(1, 64),
})

const personSchema = v.object({ ...actorSchema.entries, session: text(1, 4096) })

/** How long the host's answer about who is signed in holds while that person asks for nothing, ms. */
const BELIEVED_MS = 3000

export type HostSignInParts = {
  readonly keys: KeyRing
  /** Maps Node's request to the host's own. */
  readonly hostRequests: HostRequests
  readonly now: () => number
}

export function createHostSignIn(
  auth: AuthProvider,
  { keys, hostRequests, now }: HostSignInParts,
): SignIn {
  const persons = new WeakMap<FastifyRequest, HostPerson>()
  const looks = new WeakMap<FastifyRequest, { at: number; visitor: Promise<Visitor | undefined> }>()

  async function authenticate(request: FastifyRequest): Promise<Visitor | undefined> {
    const { method, url, headers, raw } = request
    const hostRequest = hostRequests.get(raw) ?? raw
    const found = await ask('authenticate', () =>
      auth.authenticate({ method, url, headers, hostRequest }),
    )
    const visitor = visitorOf('authenticate', found, keys)
    if (visitor && found) persons.set(request, found)
    return visitor
  }

  async function look(request: FastifyRequest): Promise<Visitor | undefined> {
    const person = persons.get(request)
    if (!auth.stillSignedIn || !person) return authenticate(request)
    const found = await ask('stillSignedIn', () => auth.stillSignedIn?.(person))
    return visitorOf('stillSignedIn', found, keys)
  }

  return {
    authenticate,
    stillSignedIn(request) {
      const known = looks.get(request)
      const age = known ? now() - known.at : Infinity
      if (known && age >= 0 && age < BELIEVED_MS) return known.visitor
      const visitor = look(request)
      looks.set(request, { at: now(), visitor })
      return visitor
    },
    async find(id) {
      if (!auth.find)
        throw new AppError('FORBIDDEN', { detail: ({ account }) => account.notFindable })
      const found = await ask('find', () => auth.find?.(id))
      return found ? parsed('find', actorSchema, found) : undefined
    },
    async signInHref(returnTo) {
      return readHref(await ask('signInUrl', () => auth.signInUrl(returnTo)))
    },
    // Anonymous visitors have no forms here, so there is no CSRF token to bind.
    anonymous: () => '',
    links: auth.signOutUrl ? { signOut: { href: auth.signOutUrl, method: 'get' } } : {},
  }
}

/** Shows nothing of what the host throws, and takes no status from it, except from an `AppError`. */
async function ask<T>(what: string, question: () => T): Promise<Awaited<T>> {
  try {
    return await question()
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw serverError(`The auth provider’s ${what} failed.`, cause)
  }
}

/** The browser sees the lineage, so it is a keyed digest of the host's session. */
function visitorOf(what: string, found: unknown, keys: KeyRing): Visitor | undefined {
  if (found === undefined || found === null) return undefined
  const { session, ...actor } = parsed(what, personSchema, found)
  const lineage = keys.sign('session', JSON.stringify([actor.id, session])).mac
  return { actor, session: { id: lineage, lineage } }
}

function parsed<Its extends typeof actorSchema | typeof personSchema>(
  what: string,
  schema: Its,
  found: unknown,
): v.InferOutput<Its> {
  const { success, issues, output } = v.safeParse(schema, found)
  if (success) return output
  const wrong = issues.map((issue) => `${v.getDotPath(issue) ?? 'it'}: ${issue.message}`)
  throw serverError(`The auth provider’s ${what} returned no person: ${wrong.join(' ')}`)
}

/** A path or a web address as ASCII, since it goes into a header. Throws for anything else. */
function readHref(href: unknown): string {
  const base = 'https://host.invalid'
  const url = typeof href === 'string' ? URL.parse(href, base) : null
  if (url?.origin === base) return url.pathname + url.search + url.hash
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw serverError(
    `The auth provider’s signInUrl returned [${String(href)}], which is no address.`,
  )
}

/** The reason goes to the log only. */
const serverError = (why: string, cause?: unknown) =>
  new AppError('SERVER_ERROR', { cause: new Error(why, { cause }) })
