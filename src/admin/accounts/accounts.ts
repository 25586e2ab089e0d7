/** Accounts: signing in by password or link, and the sessions that follow. */

import type { Metadata, MetadataStores } from '../../database/metadata/metadata.ts'
import type { User } from '../../database/metadata/users.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { passingKeys, type Sealer } from '../../server/keys.ts'
import { ATTEMPT_LIMITS, type AttemptLimits, type Attempts, countAttempts } from './attempts.ts'
import { Passwords } from './passwords.ts'
import { Directory, recordChanges } from './directory.ts'
import { OwnAccount } from './own-account.ts'
import type { NewPerson } from './person.ts'
import { createChallenges } from './challenges.ts'
import { Provided, type ProvidedPerson } from './provided.ts'
import { Passkeys, type PasskeySite } from './passkeys.ts'
import { type ChosenPassword, type FirstStep, SecondFactors } from './second-factors.ts'
import { type HowToEnter, type LinkFacts, SignInLinks, type LinkTarget } from './sign-in-links.ts'
import {
  type Authenticated,
  type ClientInfo,
  type Entered,
  type SecondStep,
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
  /** Hides the secrets of second factors. Default: with keys that end with the process. */
  readonly sealer?: Sealer
  /** Whether everybody needs a second factor. Default: it is their own choice. */
  readonly requiresSecondFactor?: boolean
  /** What apps for codes call this Tablewire. Default: `Tablewire`. */
  readonly issuer?: string
  /** What passkeys are bound to. Default: there are none. */
  readonly site?: PasskeySite | undefined
  /** Whether people come in through an OpenID provider. Default: nobody does. */
  readonly hasProvider?: boolean
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
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly #provided: Provided
  readonly #metadata: Metadata
  readonly #passwords: Passwords
  readonly #sessions: SignInSessions
  readonly #links: SignInLinks
  readonly #attempts: Attempts

  constructor(options: AccountsOptions) {
    const { metadata, now, randomBytes, sealer = passingKeys(), issuer = 'Tablewire' } = options
    const { requiresSecondFactor: isRequired = false } = options
    const limits = { ...ACCOUNT_LIMITS, ...options.limits }
    this.#metadata = metadata
    this.#passwords = options.passwords ?? new Passwords({ randomBytes })
    this.#sessions = new SignInSessions({
      ...{ stores: metadata, now, randomBytes, limits },
      ...(isRequired && { mayStay: (id) => hasTwoFactors(metadata, id) }),
    })
    this.#attempts = countAttempts(metadata.limits, now, limits)
    const record = recordChanges(now, randomBytes)
    const shared = { metadata, sessions: this.#sessions, record, now, randomBytes }
    const checked = { ...shared, passwords: this.#passwords, attempts: this.#attempts }
    this.own = new OwnAccount(checked)
    this.secondFactors = new SecondFactors({
      ...{ ...checked, own: this.own, sealer, isRequired, issuer },
    })
    this.passkeys = new Passkeys({
      ...{ ...checked, own: this.own, secondFactors: this.secondFactors, site: options.site },
      challenges: createChallenges({ sealer, limits: metadata.limits, now, randomBytes }),
    })
    this.#links = new SignInLinks({
      ...{ ...checked, linkMs: limits.linkMs, inviteMs: limits.inviteMs },
      enter: (...entering) => this.#enter(...entering),
      askFirst: async (user, chosen) =>
        (await this.secondFactors.nextStep(metadata, user.id)) === 'code'
          ? this.#secondStep('code', user, chosen)
          : undefined,
    })
    this.#provided = new Provided(shared)
    this.directory = new Directory({
      ...{ ...shared, links: this.#links },
      hasProvider: options.hasProvider ?? false,
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
   * Opens a session, or asks for a second step. Throws `SIGN_IN_FAILED` (without a reason),
   * `TOO_MANY_REQUESTS` or `BUSY`. It does not end the browser’s earlier session; `signOut` does.
   */
  async enterByPassword({ email, password, browser, ...client }: PasswordSignIn): Promise<Entered> {
    const asker = await this.#attempts.atSignIn(email, client.address, browser)
    const user = await this.#metadata.users.findByEmail(email)
    const right = await this.#passwords.verify(password, user?.passwordHash ?? null, asker)
    if (!user || !right || user.disabledAt !== null) throw new AppError('SIGN_IN_FAILED')
    const renewed = await this.#renewHash(user, password)
    return this.#enter(this.#metadata, renewed, { client, isTrusted: false })
  }

  /** The same for code that has no second step to show. Throws `SECOND_FACTOR_REQUIRED` as well. */
  async signInWithPassword(entry: PasswordSignIn): Promise<SignedIn> {
    return signedInOf(await this.enterByPassword(entry))
  }

  /**
   * Opens a session for whom a first step has named, by a code of their app or a recovery code. Throws
   * `CODE_WRONG`, `PAGE_EXPIRED` or `TOO_MANY_REQUESTS`.
   */
  async enterByCode(step: string, code: string, client: ClientInfo): Promise<SignedIn> {
    const first = await this.secondFactors.openStep(step)
    await this.secondFactors.prove(first.user, code, client.address)
    return this.#finish(first, client)
  }

  /**
   * The same, once they have set up the codes that are asked for; also returns recovery codes, which are
   * none where the form is posted twice.
   */
  async enterBySetUp(
    step: string,
    { sealed, code }: { sealed: string; code: string },
    client: ClientInfo,
  ): Promise<{ signedIn: SignedIn; recovery: readonly string[] }> {
    const { user } = await this.secondFactors.openStep(step)
    const entry = { sealed, code, isFirst: true }
    const recovery = await this.secondFactors.finish(user, entry, client.address)
    return { signedIn: await this.openSession(user, client), recovery }
  }

  /**
   * Opens a session by a passkey: alone, which stands for the password as well, or for whom a first step has
   * named. Throws `PASSKEY_REFUSED`, `PAGE_EXPIRED` or `TOO_MANY_REQUESTS`.
   */
  async enterByPasskey(step: string, answer: string, client: ClientInfo): Promise<SignedIn> {
    await this.#attempts.atPasskey(client.address)
    if (step === '') return this.openSession(await this.passkeys.proveAnybody(answer), client)
    const first = await this.secondFactors.openStep(step)
    await this.passkeys.proveFor(first.user.id, answer)
    return this.#finish(first, client)
  }

  /** Opens a session after the second step; a password that waits for it counts now. */
  async #finish({ user, chosen }: FirstStep, client: ClientInfo): Promise<SignedIn> {
    if (!chosen) return this.openSession(user, client)
    return signedInOf(await this.#links.finish(user.id, chosen, client))
  }

  /**
   * Opens a session for somebody whom the OpenID provider `called` has signed in, or asks for the second step, unless
   * the provider has. Throws `PROVIDER_REFUSED`.
   */
  async enterByProvider(
    person: ProvidedPerson,
    called: string,
    client: ClientInfo,
  ): Promise<Entered> {
    const user = await this.#provided.admit(person, called)
    if (person.isStrong) return this.openSession(user, client)
    return this.#enter(this.#metadata, user, { client, isTrusted: false })
  }

  /** Opens a session for somebody who has shown all that is asked. */
  openSession(user: User, client: ClientInfo): Promise<SignedIn> {
    const { id, name, email, role } = user
    return this.#sessions.open(this.#metadata, { id, name, email, role }, client)
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
   * Signs in by a link, once, or asks for a second step. `entry` is what a new person entered for their
   * account, or `null` for an existing person. Throws `LINK_SPENT`, `EMAIL_TAKEN` or what `checkPerson`
   * throws; after the latter two the link is still valid.
   */
  enterByLink(token: string, entry: NewPerson | null, client: ClientInfo): Promise<Entered> {
    return this.#links.redeem(token, entry, client)
  }

  /** The same for code that has no second step to show. Throws `SECOND_FACTOR_REQUIRED` as well. */
  async redeemLink(token: string, entry: NewPerson | null, client: ClientInfo): Promise<SignedIn> {
    return signedInOf(await this.enterByLink(token, entry, client))
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

  /** Whether an OpenID provider signs a person in, who has no password then. */
  async isProvided(userId: string): Promise<boolean> {
    return (await this.#metadata.identities.of(userId)) !== undefined
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

  async #enter(
    within: MetadataStores,
    user: User,
    { client, isTrusted }: HowToEnter,
  ): Promise<Entered> {
    const { id, name, email, role } = user
    const asks = await this.secondFactors.nextStep(within, id)
    if (asks === 'setUp' || (asks === 'code' && !isTrusted)) return this.#secondStep(asks, user)
    return this.#sessions.open(within, { id, name, email, role }, client)
  }

  #secondStep(asks: SecondStep['asks'], user: User, chosen?: ChosenPassword): SecondStep {
    const { id, name, email } = user
    return { asks, step: this.secondFactors.beginStep(user, chosen), user: { id, name, email } }
  }

  /**
   * Rehashes at the current cost, which needs the password and so can only happen at sign-in. Returns the
   * person with the hash that is stored now.
   */
  async #renewHash(user: User, password: string): Promise<User> {
    const { id, email, passwordHash: stored } = user
    if (stored === null || !this.#passwords.needsRehash(stored)) return user
    const passwordHash = await this.#passwords.hash(password, { key: email, isKnown: true })
    await this.#metadata.users.setPasswordHash(id, passwordHash)
    return { ...user, passwordHash }
  }
}

/** Whether somebody has a second factor here, or was asked for one by their provider. */
const hasTwoFactors = async (
  { secondFactors, identities }: MetadataStores,
  userId: string,
): Promise<boolean> =>
  (await secondFactors.has(userId)) || (await identities.of(userId))?.isStrong === 1

function signedInOf(entered: Entered): SignedIn {
  if ('asks' in entered) throw new AppError('SECOND_FACTOR_REQUIRED')
  return entered
}
