/** Sessions of signed-in people: opening, authenticating, rotating, listing and ending them. */

import type { MetadataStores } from '../../database/metadata/metadata.ts'
import type { ActiveSession, StoredSession } from '../../database/metadata/sessions.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { type Device, readDevice } from './device.ts'
import { SessionCache } from './session-cache.ts'
import { hashToken, makeId, newToken, type RandomBytes } from './tokens.ts'

/** The client that a sign-in comes from, as the server sees it. */
export type ClientInfo = { readonly address: string; readonly userAgent: string }

export type SessionIdentity = {
  /** Public id; not the secret in the cookie. */
  readonly id: string
  /** Survives the rotation of the id. */
  readonly lineage: string
  /** When the session ends unless it is used before then, ms since 1970. */
  readonly expiresAt: number
}

/** Somebody who is signed in, and the session they act in. */
export type Authenticated = { readonly actor: Actor; readonly session: SessionIdentity }

/** A new session; the token goes into the cookie, and only its hash is stored. */
export type SignedIn = Authenticated & { readonly token: string }

/** That the password was right and more is asked before there is a session. */
export type SecondStep = {
  readonly asks: 'code' | 'setUp'
  /** Names the person to the second step. */
  readonly step: string
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
}

export type Entered = SignedIn | SecondStep

export type SessionSummary = {
  readonly id: string
  readonly device: Device
  readonly address: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}

export type SessionLimits = {
  /** A session ends after this long without use, ms. */
  readonly idleMs: number
  /** A session ends this long after the sign-in in any case, ms. */
  readonly absoluteMs: number
  /** The time of last use is written at most this often, ms. */
  readonly lastSeenMs: number
  /** How long a session is cached before it is read again, ms. */
  readonly cacheMs: number
}

export type SignInSessionsOptions = {
  readonly stores: MetadataStores
  readonly now: () => number
  readonly randomBytes: RandomBytes
  readonly limits: SessionLimits
  /** Whether a session of theirs still counts. Default: it does. */
  mayStay?(userId: string): Promise<boolean>
}

/** Longest address and user agent that are stored, characters. */
const ADDRESS_CHARACTERS = 64
const USER_AGENT_CHARACTERS = 512

export class SignInSessions {
  readonly #options: SignInSessionsOptions
  /** Sessions read for people's requests, and for looks at who is signed in: a look must not hide a use. */
  readonly #used: SessionCache<Authenticated>
  readonly #looked: SessionCache<Authenticated>

  constructor(options: SignInSessionsOptions) {
    this.#options = options
    this.#used = new SessionCache(options.limits.cacheMs)
    this.#looked = new SessionCache(options.limits.cacheMs)
  }

  /** Opens a session with a new id and token, within `stores`. */
  async open(stores: MetadataStores, actor: Actor, client: ClientInfo): Promise<SignedIn> {
    const { token, tokenHash } = newToken(this.#options.randomBytes)
    const row = this.#row(actor, tokenHash, client)
    await stores.sessions.insert(row)
    await stores.users.update(actor.id, { lastSeenAt: row.createdAt })
    return { token, actor, session: identityOf(row) }
  }

  /** Who the token belongs to, or `undefined` if it is invalid or expired. */
  async authenticate(token: string): Promise<Authenticated | undefined> {
    const tokenHash = hashToken(token)
    if (tokenHash === undefined) return undefined
    const now = this.#options.now()
    return this.#used.get(tokenHash, now, () => this.#use(tokenHash, now))
  }

  /** The same, but this does not count as use, so the session ends no later for it. */
  async look(token: string): Promise<Authenticated | undefined> {
    const tokenHash = hashToken(token)
    if (tokenHash === undefined) return undefined
    const now = this.#options.now()
    return this.#looked.get(tokenHash, now, async () => {
      const row = await this.#find(tokenHash, now)
      return row && { actor: actorOf(row), session: identityOf(row) }
    })
  }

  /** Gives the session a new id and token; the old token stops working. */
  async rotate(session: SessionIdentity): Promise<{ token: string; session: SessionIdentity }> {
    const { token, tokenHash } = newToken(this.#options.randomBytes)
    const id = makeId(this.#options.randomBytes)
    const now = this.#options.now()
    const renamed = await this.#options.stores.sessions.rename(session.id, { id, tokenHash }, now)
    this.#forget((entry) => entry.session.id === session.id)
    if (!renamed) throw new AppError('SIGN_IN_REQUIRED')
    return { token, session: { ...session, id } }
  }

  async list(userId: string): Promise<SessionSummary[]> {
    const rows = await this.#options.stores.sessions.list(userId, this.#options.now())
    return rows.map(summaryOf)
  }

  async end(token: string): Promise<void> {
    const tokenHash = hashToken(token)
    if (tokenHash === undefined) return
    await this.#options.stores.sessions.removeByToken(tokenHash)
    this.#forget((_, cachedHash) => cachedHash === tokenHash)
  }

  async revoke(userId: string, sessionId: string): Promise<boolean> {
    const removed = await this.#options.stores.sessions.remove(userId, sessionId)
    this.#forget((entry) => entry.session.id === sessionId)
    return removed
  }

  /** Ends all sessions of a person except `except`; returns how many it ended. */
  async revokeAll(userId: string, except?: string): Promise<number> {
    const count = await this.#options.stores.sessions.removeAll(userId, except)
    this.forget(userId)
    return count
  }

  /** Reads a person’s sessions anew, since they or the person have changed. */
  forget(userId: string): void {
    this.#forget((entry) => entry.actor.id === userId)
  }

  #forget(matches: (entry: Authenticated, tokenHash: string) => boolean): void {
    this.#used.forget(matches)
    this.#looked.forget(matches)
  }

  async #use(tokenHash: string, now: number): Promise<Authenticated | undefined> {
    const row = await this.#find(tokenHash, now)
    return row && { actor: actorOf(row), session: await this.#seen(row, now) }
  }

  async #find(tokenHash: string, now: number): Promise<ActiveSession | undefined> {
    const { stores, mayStay } = this.#options
    const row = await stores.sessions.findActive(tokenHash, now)
    return row && ((await mayStay?.(row.userId)) ?? true) ? row : undefined
  }

  /** Writes the time of last use, unless it was written recently. */
  async #seen(row: ActiveSession, now: number): Promise<SessionIdentity> {
    const seenBefore = now - this.#options.limits.lastSeenMs
    if (row.lastSeenAt > seenBefore) return identityOf(row)
    const expiresAt = this.#expiry(row.createdAt, now)
    const { sessions, users } = this.#options.stores
    await sessions.touch({ id: row.id, now, seenBefore, expiresAt })
    await users.update(row.userId, { lastSeenAt: now })
    return identityOf({ ...row, expiresAt })
  }

  #row(actor: Actor, tokenHash: string, { address, userAgent }: ClientInfo): StoredSession {
    const { randomBytes, now } = this.#options
    const createdAt = now()
    return {
      id: makeId(randomBytes),
      tokenHash,
      lineage: makeId(randomBytes),
      userId: actor.id,
      createdAt,
      lastSeenAt: createdAt,
      expiresAt: this.#expiry(createdAt, createdAt),
      address: address.slice(0, ADDRESS_CHARACTERS),
      userAgent: userAgent.slice(0, USER_AGENT_CHARACTERS),
    }
  }

  #expiry(createdAt: number, now: number): number {
    const { idleMs, absoluteMs } = this.#options.limits
    return Math.min(now + idleMs, createdAt + absoluteMs)
  }
}

const actorOf = ({ userId, name, email, role }: ActiveSession): Actor => ({
  id: userId,
  name,
  email,
  role,
})

const identityOf = ({ id, lineage, expiresAt }: SessionIdentity): SessionIdentity => ({
  id,
  lineage,
  expiresAt,
})

const summaryOf = (row: StoredSession): SessionSummary => ({
  id: row.id,
  device: readDevice(row.userAgent),
  address: row.address,
  createdAt: row.createdAt,
  lastSeenAt: row.lastSeenAt,
  expiresAt: row.expiresAt,
})
