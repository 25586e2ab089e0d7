/** The accounts of people whom an OpenID provider signs in. */

import type { Metadata, MetadataStores } from '../../database/metadata/metadata.ts'
import type { Subject } from '../../database/metadata/identities.ts'
import type { User } from '../../database/metadata/users.ts'
import type { Role } from '../../server/actor.ts'
import { AppError, type Detail } from '../../server/app-error.ts'
import type { By, RecordChange } from './directory.ts'
import { checkIdentity } from './person.ts'
import type { SignInSessions } from './sign-in-sessions.ts'
import { makeId, type RandomBytes } from './tokens.ts'

/** What the provider says of somebody. */
export type ProvidedPerson = Subject & {
  /** Empty where it gives none. */
  readonly name: string
  /** Only one that it has verified. */
  readonly email: string | undefined
  /** `undefined` for somebody who may not come in. */
  readonly role: Role | undefined
  /** Whether it has asked for more than one factor. */
  readonly isStrong: boolean
}

type Admitted = ProvidedPerson & { readonly role: Role }

export type ProvidedOptions = {
  readonly metadata: Metadata
  readonly sessions: SignInSessions
  readonly now: () => number
  readonly randomBytes: RandomBytes
  readonly record: RecordChange
}

/** An account has a password or a provider, and never both: whoever has left the provider stays outside. */
export class Provided {
  readonly #options: ProvidedOptions

  constructor(options: ProvidedOptions) {
    this.#options = options
  }

  /**
   * The account of somebody whom the provider `called` has signed in, with the role that it says. Makes one for whoever
   * is new, and takes over the one that has their address. Throws `PROVIDER_REFUSED`.
   */
  async admit(person: ProvidedPerson, called: string): Promise<User> {
    const { metadata, sessions, record } = this.#options
    const by: By = { id: PROVIDER_ID, name: called }
    const { role } = person
    if (role === undefined) return this.#putOut(person, by)
    const admitted = { ...person, role }
    const user = await metadata.transaction(async (within) => {
      const known = (await this.#known(within, person)) ?? (await this.#found(within, admitted, by))
      if (known.disabledAt !== null) throw refused()
      if (known.role !== role) {
        if (known.role === 'admin') await refuseLast(within)
        await within.users.update(known.id, { role })
        await record(within, by, known, 'role', { before: known.role, after: role })
      }
      await within.identities.setStrong(known.id, person.isStrong)
      return { ...known, role }
    })
    sessions.forget(user.id)
    return user
  }

  async #known({ identities, users }: MetadataStores, person: Subject): Promise<User | undefined> {
    const identity = await identities.find(person)
    return identity && users.find(identity.userId)
  }

  /** The account of somebody who comes through the provider for the first time. */
  async #found(within: MetadataStores, person: Admitted, by: By): Promise<User> {
    const { email } = person
    // Said before anybody looks whether there is an account with it.
    if (email === undefined) throw refused(({ provided }) => provided.unverified)
    const user = await within.users.findByEmail(email)
    return user ? this.#link(within, user, person, by) : this.#create(within, person, email, by)
  }

  /**
   * Whoever had the account may have chosen its address without owning it, so no password, factor, link or session of
   * before is left.
   */
  async #link(within: MetadataStores, user: User, person: Admitted, by: By): Promise<User> {
    if (user.disabledAt !== null) throw refused()
    const before = await within.identities.of(user.id)
    // The address belongs to somebody else there now.
    if (before?.issuer === person.issuer) throw refused(({ provided }) => provided.otherSubject)
    await within.users.setPasswordHash(user.id, null)
    await within.secondFactors.removeAll(user.id)
    await within.links.removeAll(user.id)
    await within.sessions.removeAll(user.id)
    await this.#tie(within, user, person)
    await this.#options.record(within, by, user, 'linked')
    return { ...user, passwordHash: null }
  }

  async #create(within: MetadataStores, person: Admitted, address: string, by: By): Promise<User> {
    const { now, randomBytes, record } = this.#options
    const { role } = person
    const { name, email } = identityOf(person.name, address)
    const [id, createdAt] = [makeId(randomBytes), now()]
    const access = { passwordHash: null, disabledAt: null, lastSeenAt: createdAt }
    const user: User = { id, name, email, role, createdAt, ...access }
    if (!(await within.users.insert(user))) throw refused()
    await this.#tie(within, user, person)
    await record(within, by, user, 'provided', { after: role })
    return user
  }

  async #tie(within: MetadataStores, { id }: User, person: Subject): Promise<void> {
    const { now } = this.#options
    await within.identities.set(person, id, now())
    await within.users.update(id, { lastSeenAt: now() })
  }

  /** Whoever may not come in any more does not stay either. */
  async #putOut(person: ProvidedPerson, by: By): Promise<never> {
    const { metadata, sessions, record } = this.#options
    const user = await metadata.transaction(async (within) => {
      const known = await this.#known(within, person)
      if (known && (await within.sessions.removeAll(known.id)) > 0)
        await record(within, by, known, 'sessions')
      return known
    })
    if (user) sessions.forget(user.id)
    throw refused(({ provided }) => provided.noRole)
  }
}

/** By whom the history says that the provider did it. */
export const PROVIDER_ID = 'oidc'

const refused = (detail?: Detail): AppError =>
  new AppError('PROVIDER_REFUSED', { detail: detail ?? (({ provided }) => provided.notLetIn) })

/** Who is no administrator there any more cannot come in as one; and one has to be left. */
async function refuseLast({ users }: MetadataStores): Promise<void> {
  if ((await users.countAdministrators()) < 2)
    throw refused(({ provided }) => provided.lastAdministrator)
}

function identityOf(name: string, email: string) {
  try {
    return checkIdentity({ name, email })
  } catch (cause) {
    throw new AppError('PROVIDER_REFUSED', {
      cause,
      detail: ({ provided }) => provided.unverified,
    })
  }
}
