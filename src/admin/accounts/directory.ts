/** Who may come in, and in which role: inviting people, changing their role, disabling them. */

import type { Metadata, MetadataStores } from '../../database/metadata/metadata.ts'
import type { PeopleChangeKind } from '../../database/metadata/tables.ts'
import type { User } from '../../database/metadata/users.ts'
import type { Actor, Role } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { checkIdentity, hasComeIn, type Identity } from './person.ts'
import type { PasswordLink, SignInLinks } from './sign-in-links.ts'
import type { SignInSessions } from './sign-in-sessions.ts'
import { makeId, type RandomBytes } from './tokens.ts'

export type PersonState = 'active' | 'invited' | 'disabled'

export type Person = Identity & {
  readonly id: string
  readonly role: Role
  readonly state: PersonState
  /** Times are ms since 1970. */
  readonly disabledAt: number | null
  readonly lastSeenAt: number | null
  /** Until when they may choose a password by a link that was made for them. */
  readonly linkUntil: number | null
  /** In how many browsers they are signed in. */
  readonly sessions: number
  /** Whether more than a password is asked of them. */
  readonly hasSecondFactor: boolean
  /** Whether an OpenID provider signs them in, and says which role they have. */
  readonly isProvided: boolean
}

/** Who makes a change. */
export type By = Pick<Actor, 'id' | 'name'>

/** Whoever runs the `tablewire people` command, who has the machine. */
export const COMMAND: By = { id: 'command', name: 'tablewire people' }

/** A link, and the person that it is for. */
export type IssuedLink = PasswordLink & {
  readonly person: Identity & { readonly id: string; readonly role: Role }
  /** Whether they have not come in yet. */
  readonly isInvited: boolean
}

export type DirectoryOptions = {
  readonly metadata: Metadata
  readonly sessions: SignInSessions
  readonly links: SignInLinks
  readonly now: () => number
  readonly randomBytes: RandomBytes
  readonly record: RecordChange
  /** Whether people come in through an OpenID provider. */
  readonly hasProvider: boolean
}

/** Notes who changed what of whom, in the transaction that changes it. */
export type RecordChange = (
  stores: MetadataStores,
  by: By,
  person: Pick<User, 'id' | 'name'>,
  what: PeopleChangeKind,
  values?: { readonly before?: string | null; readonly after?: string | null },
) => Promise<void>

export const recordChanges =
  (now: () => number, randomBytes: RandomBytes): RecordChange =>
  ({ peopleChanges }, by, person, what, { before = null, after = null } = {}) =>
    peopleChanges.insert({
      ...{ id: makeId(randomBytes), at: now(), byId: by.id, byName: by.name },
      ...{ personId: person.id, personName: person.name, what, before, after },
    })

/** Every change is recorded, with who made it, in the transaction that makes it. */
export class Directory {
  readonly #options: DirectoryOptions

  constructor(options: DirectoryOptions) {
    this.#options = options
  }

  /** All people, by name. */
  async list(): Promise<Person[]> {
    const { metadata, now, hasProvider } = this.#options
    const [users, links, counts, holders, provided] = await Promise.all([
      metadata.users.list(),
      metadata.links.openForPasswords(now()),
      metadata.sessions.counts(now()),
      metadata.secondFactors.holders(),
      metadata.identities.holders(),
    ])
    return users.map((user) => ({
      ...{ id: user.id, name: user.name, email: user.email, role: user.role },
      state: stateOf(user),
      ...{ disabledAt: user.disabledAt, lastSeenAt: user.lastSeenAt },
      linkUntil: user.disabledAt === null ? (links.get(user.id) ?? null) : null,
      sessions: counts.get(user.id) ?? 0,
      hasSecondFactor: holders.has(user.id),
      isProvided: hasProvider && provided.has(user.id),
    }))
  }

  /**
   * Makes an account, and the link by which its person chooses a password. An address that is only
   * invited may be invited again: the new link takes the place of the old one. Throws `EMAIL_TAKEN`, or
   * what `checkIdentity` throws.
   */
  async invite(
    by: By,
    { role, ...entered }: Identity & { readonly role: Role },
  ): Promise<IssuedLink> {
    const { links, now, randomBytes } = this.#options
    const { name, email } = checkIdentity(entered)
    return this.#transact(by, async (within) => {
      const known = await within.users.findByEmail(email)
      if (known && (hasComeIn(known) || known.disabledAt !== null))
        throw new AppError('EMAIL_TAKEN')
      const id = known?.id ?? makeId(randomBytes)
      if (known) await within.users.update(id, { name, role })
      else {
        const access = { passwordHash: null, disabledAt: null, lastSeenAt: null }
        const user = { id, name, email, role, createdAt: now(), ...access }
        if (!(await within.users.insert(user))) throw new AppError('EMAIL_TAKEN')
      }
      await this.#options.record(within, by, { id, name }, 'invited', {
        ...{ before: known?.role ?? null, after: role },
      })
      const link = await links.issueForPassword(within, { id, role })
      const person = { id, name, email: known?.email ?? email, role }
      return { ...link, person, isInvited: true }
    })
  }

  /**
   * Makes a new link by which a person chooses a password. Throws `NOT_FOUND`, and `FORBIDDEN` for oneself: another
   * password of one's own takes the one that is there.
   */
  async renewLink(by: By, id: string): Promise<IssuedLink> {
    refuseOneself(by, id)
    const { links } = this.#options
    return this.#transact(by, async (within) => {
      const user = await existing(within, id)
      if (user.disabledAt !== null) throw new AppError('NOT_FOUND')
      await this.#options.record(within, by, user, 'link')
      const { name, email, role } = user
      const link = await links.issueForPassword(within, user)
      return { ...link, person: { id, name, email, role }, isInvited: !hasComeIn(user) }
    })
  }

  /** Takes a link back, and with it the account of somebody who has not come in. Throws `NOT_FOUND`, `FORBIDDEN`. */
  async withdraw(by: By, id: string): Promise<void> {
    refuseOneself(by, id)
    return this.#transact(by, async (within) => {
      const user = await existing(within, id)
      const had = await within.links.removePasswordLinks(id)
      if (hasComeIn(user)) {
        if (!had) throw new AppError('NOT_FOUND')
      } else await within.users.remove(id)
      await this.#options.record(within, by, user, 'withdrawn')
    })
  }

  /**
   * In effect at once. Throws `NOT_FOUND`, and `FORBIDDEN` for oneself, the last administrator, and whoever has the role
   * from their provider, which would give it again.
   */
  async changeRole(by: By, id: string, role: Role): Promise<void> {
    await this.#change(by, id, async (within, user) => {
      if (user.role === role) return
      if (this.#options.hasProvider && (await within.identities.of(id)))
        throw new AppError('FORBIDDEN', { detail: ({ account }) => account.providedRole })
      if (user.role === 'admin') await refuseLast(within, user)
      await within.users.update(id, { role })
      await this.#options.record(within, by, user, 'role', { before: user.role, after: role })
    })
  }

  /** Ends all their sessions and links. Throws `NOT_FOUND`, and `FORBIDDEN` as `changeRole` does. */
  async disable(by: By, id: string): Promise<void> {
    await this.#change(by, id, async (within, user) => {
      if (user.disabledAt !== null) return
      if (user.role === 'admin') await refuseLast(within, user)
      await within.users.update(id, { disabledAt: this.#options.now() })
      await within.sessions.removeAll(id)
      await within.links.removeAll(id)
      await this.#options.record(within, by, user, 'disabled')
    })
  }

  /** Throws `NOT_FOUND`. */
  async enable(by: By, id: string): Promise<void> {
    await this.#change(by, id, async (within, user) => {
      if (user.disabledAt === null) return
      await within.users.update(id, { disabledAt: null })
      await this.#options.record(within, by, user, 'enabled')
    })
  }

  /** For who has lost it. Throws `NOT_FOUND`, and `FORBIDDEN` for one’s own, which takes the password. */
  async removeSecondFactor(by: By, id: string): Promise<void> {
    await this.#change(by, id, async (within, user) => {
      if (await within.secondFactors.removeAll(id))
        await this.#options.record(within, by, user, 'secondOff')
    })
  }

  /** Signs a person out everywhere. Throws `NOT_FOUND`. */
  async endSessions(by: By, id: string): Promise<void> {
    await this.#change(by, id, async (within, user) => {
      if ((await within.sessions.removeAll(id)) > 0)
        await this.#options.record(within, by, user, 'sessions')
    })
  }

  async #change(
    by: By,
    id: string,
    change: (within: MetadataStores, user: User) => Promise<void>,
  ): Promise<void> {
    refuseOneself(by, id)
    await this.#transact(by, async (within) => change(within, await existing(within, id)))
    this.#options.sessions.forget(id)
  }

  /** On another node, the role of who makes the change may have been taken a moment ago. */
  #transact<T>(by: By, work: (within: MetadataStores) => Promise<T>): Promise<T> {
    return this.#options.metadata.transaction(async (within) => {
      const known = await within.users.find(by.id)
      if (known && (known.role !== 'admin' || known.disabledAt !== null))
        throw new AppError('FORBIDDEN')
      return work(within)
    })
  }
}

async function existing({ users }: MetadataStores, id: string): Promise<User> {
  const user = await users.find(id)
  if (!user) throw new AppError('NOT_FOUND')
  return user
}

async function refuseLast({ users }: MetadataStores, { disabledAt }: User): Promise<void> {
  if (disabledAt === null && (await users.countAdministrators()) < 2)
    throw new AppError('FORBIDDEN', { detail: ({ account }) => account.lastAdministrator })
}

const stateOf = (user: User): PersonState => {
  if (user.disabledAt !== null) return 'disabled'
  return hasComeIn(user) ? 'active' : 'invited'
}

/** What one does with one's own account takes more than a session. */
function refuseOneself(by: By, id: string): void {
  if (by.id === id) throw new AppError('FORBIDDEN', { detail: ({ account }) => account.ownAccount })
}
