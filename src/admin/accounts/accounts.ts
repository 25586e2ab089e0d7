/** Accounts: who may sign in, how they do it, and what keeps them signed in. */

import type { Metadata } from '../../database/metadata/metadata.ts'
import type { User } from '../../database/metadata/users.ts'
import { emailKey } from '../../database/metadata/email-key.ts'
import { AppError } from '../../server/app-error.ts'
import { type RateLimit, slidingWindow } from '../../server/rate-limit.ts'
import { networkKey } from './network-key.ts'
import { Passwords } from './passwords.ts'
import type { NewPerson } from './person.ts'
import { type LinkFacts, SignInLinks, type LinkTarget } from './sign-in-links.ts'
import {
  type Authenticated,
  type Origin,
  type SessionIdentity,
  type SessionLimits,
  type SessionSummary,
  type SignedIn,
  SignInSessions,
} from './sign-in-sessions.ts'
import type { RandomBytes } from './tokens.ts'

const MINUTE_MS = 60_000

export type AccountLimits = SessionLimits & {
  /** Sign-ins by password that may be tried a minute: for one account from one address, … */
  readonly attemptsPerPair: number
  /** … for one account from all addresses, which is more, so that strangers do not lock it … */
  readonly attemptsPerAccount: number
  /** … and from one address for all accounts. */
  readonly attemptsPerAddress: number
  /** How long a sign-in link is good, ms. */
  readonly linkMs: number
}

export const ACCOUNT_LIMITS: AccountLimits = {
  attemptsPerPair: 5,
  attemptsPerAccount: 30,
  attemptsPerAddress: 20,
  linkMs: 60 * MINUTE_MS,
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

export type PasswordSignIn = Origin & { readonly email: string; readonly password: string }

export const createAccounts = (options: AccountsOptions): Accounts => new Accounts(options)

export class Accounts {
  readonly #metadata: Metadata
  readonly #now: () => number
  readonly #passwords: Passwords
  readonly #sessions: SignInSessions
  readonly #links: SignInLinks
  readonly #perPair: RateLimit
  readonly #perAccount: RateLimit
  readonly #perAddress: RateLimit

  constructor({ metadata, now, randomBytes, limits: chosen, passwords }: AccountsOptions) {
    const limits = { ...ACCOUNT_LIMITS, ...chosen }
    const perMinute = (limit: number) => slidingWindow({ now, limit, windowMs: MINUTE_MS })
    this.#metadata = metadata
    this.#now = now
    this.#passwords = passwords ?? new Passwords({ randomBytes })
    this.#sessions = new SignInSessions({ stores: metadata, now, randomBytes, limits })
    this.#links = new SignInLinks({
      metadata,
      sessions: this.#sessions,
      passwords: this.#passwords,
      now,
      randomBytes,
      linkMs: limits.linkMs,
    })
    this.#perPair = perMinute(limits.attemptsPerPair)
    this.#perAccount = perMinute(limits.attemptsPerAccount)
    this.#perAddress = perMinute(limits.attemptsPerAddress)
  }

  /** Whether nobody is administrator, so that the first one is to be made. */
  async needsAdministrator(): Promise<boolean> {
    return (await this.administrator()) === undefined
  }

  /** The administrator of longest standing, for whom a link can be printed. */
  async administrator(): Promise<{ id: string; name: string; email: string } | undefined> {
    const user = await this.#metadata.users.firstAdministrator()
    return user && { id: user.id, name: user.name, email: user.email }
  }

  /**
   * Opens a session. Throws `SIGN_IN_FAILED`, without telling why, `TOO_MANY_REQUESTS`, or `BUSY`.
   * The session that the browser had before is not ended: `signOut` does that.
   */
  async signInWithPassword({ email, password, ...origin }: PasswordSignIn): Promise<SignedIn> {
    const [address, account] = [networkKey(origin.address), emailKey(email)]
    this.#perAddress.take(address)
    this.#perPair.take(JSON.stringify([account, address]))
    this.#perAccount.take(account)
    const user = await this.#metadata.users.findByEmail(email)
    const right = await this.#passwords.verify(password, user?.passwordHash ?? null)
    if (!user || !right || user.disabledAt !== null) throw new AppError('SIGN_IN_FAILED')
    await this.#renewHash(user, password)
    const { id, name, role } = user
    return this.#sessions.open(this.#metadata, { id, name, email: user.email, role }, origin)
  }

  /** Makes a sign-in link; returns its token, which is kept nowhere. */
  issueLink(target: LinkTarget): Promise<string> {
    return this.#links.issue(target)
  }

  /** What a link is good for, or `undefined`. Changes nothing. */
  inspectLink(token: string): Promise<LinkFacts | undefined> {
    return this.#links.inspect(token)
  }

  /**
   * Signs in by a link, once. `entry` makes the account where the link is for a newcomer, else it
   * is `null`. Throws `LINK_SPENT`; or what `checkPerson` throws and `EMAIL_TAKEN`, which leave
   * the link as it was.
   */
  redeemLink(token: string, entry: NewPerson | null, origin: Origin): Promise<SignedIn> {
    return this.#links.redeem(token, entry, origin)
  }

  /** Who the token belongs to, or `undefined` where it is not, or no longer, good. */
  authenticate(token: string): Promise<Authenticated | undefined> {
    return this.#sessions.authenticate(token)
  }

  /** Gives a session another id and token, its lineage staying. Throws `SIGN_IN_REQUIRED`. */
  rotate(session: SessionIdentity): Promise<{ token: string; session: SessionIdentity }> {
    return this.#sessions.rotate(session)
  }

  signOut(token: string): Promise<void> {
    return this.#sessions.end(token)
  }

  /** Where a person is signed in, the last seen first. */
  sessions(userId: string): Promise<SessionSummary[]> {
    return this.#sessions.list(userId)
  }

  /** Ends one session of a person; `false` where they have no such session. */
  revoke(userId: string, sessionId: string): Promise<boolean> {
    return this.#sessions.revoke(userId, sessionId)
  }

  /** Ends all sessions of a person but the current one; returns how many there were. */
  revokeOthers(userId: string, currentSessionId: string): Promise<number> {
    return this.#sessions.revokeAll(userId, currentSessionId)
  }

  /** Shuts a person out and ends their sessions; `false` where there is no such person. */
  async disable(userId: string): Promise<boolean> {
    const disabled = await this.#metadata.users.disable(userId, this.#now())
    await this.#sessions.revokeAll(userId)
    return disabled
  }

  /** Old hashes are made anew when the password is at hand. */
  async #renewHash({ id, passwordHash }: User, password: string): Promise<void> {
    if (passwordHash === null || !this.#passwords.needsRehash(passwordHash)) return
    await this.#metadata.users.setPasswordHash(id, await this.#passwords.hash(password))
  }
}
