/** One-time sign-in links, for an existing person or for one who makes an account. */

import type { StoredLink } from '../../database/metadata/links.ts'
import type { Metadata, MetadataStores } from '../../database/metadata/metadata.ts'
import type { User } from '../../database/metadata/users.ts'
import type { Role } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { RecordChange } from './directory.ts'
import { OneAtATime } from './one-at-a-time.ts'
import { checkPassword, type Passwords } from './passwords.ts'
import { checkPerson, hasComeIn, type NewPerson } from './person.ts'
import type { ChosenPassword } from './second-factors.ts'
import type { ClientInfo, Entered, SecondStep, SignInSessions } from './sign-in-sessions.ts'
import { hashToken, makeId, newToken, type RandomBytes } from './tokens.ts'

export type LinkTarget = {
  /** Role of the account that the link makes; an existing person keeps their own. */
  readonly role: Role
  /** Whom it signs in. Without it, the link makes a new account. */
  readonly userId?: string
}

/** A link by which a person chooses a password. */
export type PasswordLink = {
  readonly token: string
  readonly expiresAt: number
  /** Whether an earlier one of the person's no longer works. */
  readonly replaces: boolean
}

/** What a link does. */
export type LinkFacts = {
  readonly role: Role
  /** Whom it signs in; `null` if it makes a new account. */
  readonly person: { readonly id: string; readonly name: string; readonly email: string } | null
  /** Whether it makes the first administrator. */
  readonly newAdministrator: boolean
  /** Whether the person chooses a password, which ends their other sessions. */
  readonly setsPassword: boolean
  readonly expiresAt: number
}

export type SignInLinksOptions = {
  readonly metadata: Metadata
  readonly sessions: SignInSessions
  readonly passwords: Passwords
  readonly now: () => number
  readonly randomBytes: RandomBytes
  /** How long a link is valid, ms. */
  readonly linkMs: number
  /** The same of one by which a person chooses a password. */
  readonly inviteMs: number
  readonly record: RecordChange
  /** Opens a session, or says what is asked before that. */
  readonly enter: Enter
  /** What is asked before a chosen password counts; `undefined` where nothing is. */
  askFirst(user: User, chosen: ChosenPassword): Promise<SecondStep | undefined>
}

export type Enter = (within: MetadataStores, user: User, how: HowToEnter) => Promise<Entered>

export type HowToEnter = {
  readonly client: ClientInfo
  /** Whoever has the machine made a link that stands for a second factor as well. */
  readonly isTrusted: boolean
}

/** Finds or inserts the person who signs in, in the transaction that spends the link. */
type FindOrCreate = (within: MetadataStores) => Promise<User>

export class SignInLinks {
  readonly #options: SignInLinksOptions
  /** Redeems one at a time, so that submitting a link fifty times costs one password hash. */
  readonly #redemptions = new OneAtATime()

  constructor(options: SignInLinksOptions) {
    this.#options = options
  }

  /** Makes a link and returns its token. Throws `FORBIDDEN` for a new administrator if there is one. */
  async issue({ role, userId }: LinkTarget): Promise<string> {
    const { metadata, now, randomBytes, linkMs } = this.#options
    if (userId === undefined && role === 'admin' && (await metadata.users.firstAdministrator()))
      throw new AppError('FORBIDDEN', { detail: ({ account }) => account.administrator })
    const { token, tokenHash } = newToken(randomBytes)
    await metadata.links.insert({
      ...{ tokenHash, role, userId: userId ?? null },
      ...{ expiresAt: now() + linkMs, setsPassword: 0 },
    })
    return token
  }

  /** Makes a link by which a person chooses a password, in the place of earlier ones of theirs. */
  async issueForPassword(
    { links }: MetadataStores,
    { id, role }: Pick<User, 'id' | 'role'>,
  ): Promise<PasswordLink> {
    const { now, randomBytes, inviteMs } = this.#options
    const { token, tokenHash } = newToken(randomBytes)
    const expiresAt = now() + inviteMs
    const replaces = await links.removePasswordLinks(id)
    await links.insert({ tokenHash, role, userId: id, expiresAt, setsPassword: 1 })
    return { token, expiresAt, replaces }
  }

  /** What the link does, or `undefined` if it is invalid, spent or expired. Changes nothing. */
  async inspect(token: string): Promise<LinkFacts | undefined> {
    const { metadata, now } = this.#options
    const tokenHash = hashToken(token)
    const link = tokenHash && (await metadata.links.findOpen(tokenHash, now()))
    return link ? factsOf(link, metadata) : undefined
  }

  /**
   * Signs in by a link; `entry` is what the person entered. Exactly one attempt succeeds, the others
   * get `LINK_SPENT`; after a refused entry the link is still valid.
   */
  async redeem(token: string, entry: NewPerson | null, client: ClientInfo): Promise<Entered> {
    const tokenHash = hashToken(token)
    if (tokenHash === undefined) throw new AppError('LINK_SPENT')
    return this.#redemptions.run(tokenHash, async () => {
      const facts = await this.inspect(token)
      if (!facts) throw new AppError('LINK_SPENT')
      const { person, setsPassword } = facts
      if (person && setsPassword)
        return this.#choose(person.id, { link: tokenHash, ...(entry ?? NOBODY) }, client)
      const how = { client, isTrusted: !setsPassword }
      return this.#spend(tokenHash, await this.#prepare(facts, entry), how)
    })
  }

  /** Takes a new password, once the second factor of whoever has one was shown. */
  async #choose(
    userId: string,
    { link, password }: { readonly link: string; readonly password: string },
    client: ClientInfo,
  ): Promise<Entered> {
    const { metadata, passwords, askFirst } = this.#options
    checkPassword(password)
    const user = await existingPerson(metadata, userId)
    const passwordHash = await passwords.hash(password, { key: user.email, isKnown: true })
    const step = await askFirst(user, { link, passwordHash })
    if (step) return step
    const how = { client, isTrusted: false }
    return this.#spend(link, this.#withPassword(userId, passwordHash), how)
  }

  /** Takes the password that somebody has chosen by a link, who has shown their second factor since. Throws `LINK_SPENT`. */
  finish(
    userId: string,
    { link, passwordHash }: ChosenPassword,
    client: ClientInfo,
  ): Promise<Entered> {
    const how = { client, isTrusted: true }
    return this.#spend(link, this.#withPassword(userId, passwordHash), how)
  }

  async #spend(tokenHash: string, findOrCreate: FindOrCreate, how: HowToEnter): Promise<Entered> {
    const { metadata, sessions, now, enter } = this.#options
    const { user, entered } = await metadata.transaction(async (within) => {
      if (!(await within.links.spend(tokenHash, now()))) throw new AppError('LINK_SPENT')
      const found = await findOrCreate(within)
      return { user: found, entered: await enter(within, found, how) }
    })
    sessions.forget(user.id)
    return entered
  }

  /** Sets the password of an existing person, and ends their sessions: somebody else may have had it. */
  #withPassword(userId: string, passwordHash: string): FindOrCreate {
    const { record } = this.#options
    return async (within) => {
      const user = await existingPerson(within, userId)
      await within.users.setPasswordHash(user.id, passwordHash)
      await within.sessions.removeAll(user.id)
      await within.links.removeAll(user.id)
      await within.identities.remove(user.id)
      await record(within, user, user, hasComeIn(user) ? 'password' : 'joined')
      return { ...user, passwordHash }
    }
  }

  /** Does all that is slow or may be refused, before the link is spent. */
  async #prepare(facts: LinkFacts, entry: NewPerson | null): Promise<FindOrCreate> {
    const { person, role } = facts
    if (person && entry)
      throw new AppError('REQUEST_INVALID', {
        detail: ({ account }) => account.linkFor(person.email),
      })
    if (person) return (within) => existingPerson(within, person.id)
    const newcomer = await this.#newcomer(role, checkPerson(entry ?? NOBODY))
    return (within) => insertPerson(within, newcomer)
  }

  async #newcomer(role: Role, { name, email, password }: NewPerson): Promise<User> {
    const { metadata, passwords, randomBytes, now } = this.#options
    if (await metadata.users.findByEmail(email)) throw emailTaken()
    const passwordHash = await passwords.hash(password, { key: email, isKnown: true })
    const [id, createdAt] = [makeId(randomBytes), now()]
    return {
      ...{ id, name, email, role, passwordHash },
      ...{ createdAt, disabledAt: null, lastSeenAt: null },
    }
  }
}

const NOBODY: NewPerson = { name: '', email: '', password: '' }

async function factsOf(link: StoredLink, stores: MetadataStores): Promise<LinkFacts | undefined> {
  const { userId, role, expiresAt } = link
  const setsPassword = link.setsPassword === 1
  if (userId === null) {
    const newAdministrator = role === 'admin'
    if (newAdministrator && (await stores.users.firstAdministrator())) return undefined
    return { role, person: null, newAdministrator, setsPassword, expiresAt }
  }
  const user = await stores.users.find(userId)
  if (!user || user.disabledAt !== null) return undefined
  const person = { id: user.id, name: user.name, email: user.email }
  return { role: user.role, person, newAdministrator: false, setsPassword, expiresAt }
}

async function existingPerson({ users }: MetadataStores, id: string): Promise<User> {
  const user = await users.find(id)
  if (!user || user.disabledAt !== null) throw new AppError('LINK_SPENT')
  return user
}

async function insertPerson({ users }: MetadataStores, newcomer: User): Promise<User> {
  if (newcomer.role === 'admin' && (await users.firstAdministrator()))
    throw new AppError('LINK_SPENT', { detail: ({ account }) => account.administrator })
  if (!(await users.insert(newcomer))) throw emailTaken()
  return newcomer
}

const emailTaken = () => new AppError('EMAIL_TAKEN')
