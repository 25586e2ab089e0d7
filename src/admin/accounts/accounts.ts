/** Accounts: signing in by password or link, and the sessions that follow. */

import type { Metadata } from '../../database/metadata/metadata.ts'
import type { User } from '../../database/metadata/users.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { ATTEMPT_LIMITS, type AttemptLimits, type Attempts, countAttempts } from './attempts.ts'
import { Passwords } from './passwords.ts'
import { Directory, recordChanges } from './directory.ts'
import { OwnAccount } from './own-account.ts'
import type { NewPerson } from './person.ts'
import { type LinkFacts, SignInLinks, type LinkTarget } from './sign-in-links.ts'
import {
  type Authenticated,
  type ClientInfo,
  type SessionIdentity,
  type SessionLimits,
  type SessionSummary,
  type SignedIn,
  SignInSessions,
} from './sign-in-sessions.ts'
import type { RandomBytes } from './tokens.ts'

const MINUTE_MS = 60_000

export type AccountLimits = SessionLimits &
  AttemptLimits & {
    /** How long a sign-in link is valid, ms. */
    readonly linkMs: number
    /** The same of one by which a person chooses a password. */
    readonly inviteMs: number
  }

export const ACCOUNT_LIMITS: AccountLimits = {
  ...ATTEMPT_LIMITS,
  linkMs: 60 * MINUTE_MS,
  inviteMs: 7 * 24 * 60 * MINUTE_MS,
  idleMs: 120 * MINUTE_MS,
  absoluteMs: 720 * MINUTE_MS,
  lastSeenMs: MINUTE_MS,
  cacheMs: 5000,
}

export type AccountsOptions = {
  readonly metadata: Metadata
  readonly now: () => number
  readonly randomBytes: RandomBytes
  /** Default: `ACCOUNT_LIMITS`. */
  readonly limits?: Partial<AccountLimits>
  /** Default: hashed by Node at the usual cost. */
  readonly passwords?: Passwords
}

export type PasswordSignIn = ClientInfo & {
  readonly email: string
  readonly password: string
  /** Id of a browser in which this account has signed in before. */
  readonly browser?: string
}

export const createAccounts = (options: AccountsOptions): Accounts => new Accounts(options)

export class Accounts {
  /** Who may come in. */
  readonly directory: Directory
  /** What people change about their own accounts. */
  readonly own: OwnAccount
  readonly #metadata: Metadata
  readonly #passwords: Passwords
  readonly #sessions: SignInSessions
  readonly #links: SignInLinks
  readonly #attempts: Attempts

  constructor({ metadata, now, randomBytes, limits: chosen, passwords }: AccountsOptions) {
    const limits = { ...ACCOUNT_LIMITS, ...chosen }
    this.#metadata = metadata
    this.#passwords = passwords ?? new Passwords({ randomBytes })
    this.#sessions = new SignInSessions({ stores: metadata, now, randomBytes, limits })
    this.#attempts = countAttempts(metadata.limits, now, limits)
    const record = recordChanges(now, randomBytes)
    const shared = { metadata, sessions: this.#sessions, record, now, randomBytes }
    this.#links = new SignInLinks({
      ...{ ...shared, passwords: this.#passwords },
      ...{ linkMs: limits.linkMs, inviteMs: limits.inviteMs },
    })
    this.directory = new Directory({ ...shared, links: this.#links })
    this.own = new OwnAccount({
      ...{ ...shared, passwords: this.#passwords, attempts: this.#attempts },
    })
  }

  /** Whether there is no administrator yet. */
  async needsAdministrator(): Promise<boolean> {
    return (await this.administrator()) === undefined
  }

  /** The oldest administrator account, which the printed sign-in link is for. */
  async administrator(): Promise<{ id: string; name: string; email: string } | undefined> {
    const user = await this.#metadata.users.firstAdministrator()
    return user && { id: user.id, name: user.name, email: user.email }
  }

  /**
   * Opens a session. Throws `SIGN_IN_FAILED` (without a reason), `TOO_MANY_REQUESTS` or `BUSY`.
   * It does not end the browser’s earlier session; `signOut` does.
   */
  async signInWithPassword({
    email,
    password,
    browser,
    ...client
  }: PasswordSignIn): Promise<SignedIn> {
    const asker = await this.#attempts.atSignIn(email, client.address, browser)
    const user = await this.#metadata.users.findByEmail(email)
    const right = await this.#passwords.verify(password, user?.passwordHash ?? null, asker)
    if (!user || !right || user.disabledAt !== null) throw new AppError('SIGN_IN_FAILED')
    await this.#renewHash(user, password)
    const { id, name, role } = user
    return this.#sessions.open(this.#metadata, { id, name, email: user.email, role }, client)
  }

  /** Makes a sign-in link; returns its token, of which only a hash is stored. */
  issueLink(target: LinkTarget): Promise<string> {
    return this.#links.issue(target)
  }

  /** What a link does, or `undefined` if it is not valid. Changes nothing. */
  inspectLink(token: string): Promise<LinkFacts | undefined> {
    return this.#links.inspect(token)
  }

  /**
   * Signs in by a link, once. `entry` is what a new person entered for their account, or `null` for
   * an existing person. Throws `LINK_SPENT`, `EMAIL_TAKEN` or what `checkPerson` throws; after the
   * latter two the link is still valid.
   */
  redeemLink(token: string, entry: NewPerson | null, client: ClientInfo): Promise<SignedIn> {
    return this.#links.redeem(token, entry, client)
  }

  /** A person who is not signed in; `undefined` if there is none, or the account is disabled. */
  async find(id: string): Promise<Actor | undefined> {
    const user = await this.#metadata.users.find(id)
    if (!user || user.disabledAt !== null) return undefined
    return { id: user.id, name: user.name, email: user.email, role: user.role }
  }

  /** Who the token belongs to, or `undefined` if it is invalid or expired. */
  authenticate(token: string): Promise<Authenticated | undefined> {
    return this.#sessions.authenticate(token)
  }

  /** The same, for whoever only looks: it does not count as use of the session. */
  look(token: string): Promise<Authenticated | undefined> {
    return this.#sessions.look(token)
  }

  /** Gives a session a new id and token; its lineage stays. Throws `SIGN_IN_REQUIRED`. */
  rotate(session: SessionIdentity): Promise<{ token: string; session: SessionIdentity }> {
    return this.#sessions.rotate(session)
  }

  signOut(token: string): Promise<void> {
    return this.#sessions.end(token)
  }

  /** A person’s sessions, the most recently used first. */
  sessions(userId: string): Promise<SessionSummary[]> {
    return this.#sessions.list(userId)
  }

  /** Ends one session of a person; `false` where they have no such session. */
  revoke(userId: string, sessionId: string): Promise<boolean> {
    return this.#sessions.revoke(userId, sessionId)
  }

  /** Ends all sessions of a person except the current one; returns how many it ended. */
  revokeOthers(userId: string, currentSessionId: string): Promise<number> {
    return this.#sessions.revokeAll(userId, currentSessionId)
  }

  /** Rehashes at the current cost, which needs the password and so can only happen at sign-in. */
  async #renewHash({ id, email, passwordHash }: User, password: string): Promise<void> {
    if (passwordHash === null || !this.#passwords.needsRehash(passwordHash)) return
    await this.#metadata.users.setPasswordHash(
      id,
      await this.#passwords.hash(password, { key: email, isKnown: true }),
    )
  }
}
