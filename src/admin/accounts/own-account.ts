/** What people change about their own accounts. */

import type { Metadata, MetadataStores } from '../../database/metadata/metadata.ts'
import type { User } from '../../database/metadata/users.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { emailKey } from '../../database/metadata/email-key.ts'
import type { Attempts } from './attempts.ts'
import type { RecordChange } from './directory.ts'
import { checkPassword, type Passwords } from './passwords.ts'
import { checkIdentity, type Identity } from './person.ts'
import type { ClientInfo, SignInSessions } from './sign-in-sessions.ts'

export type OwnAccountOptions = {
  readonly metadata: Metadata
  readonly sessions: SignInSessions
  readonly passwords: Passwords
  readonly attempts: Attempts
  readonly record: RecordChange
}

/** Who changes it, and from where. */
export type Self = { readonly actor: Pick<Actor, 'id'>; readonly client: ClientInfo }

/** Every change is recorded in the transaction that makes it. */
export class OwnAccount {
  readonly #options: OwnAccountOptions

  constructor(options: OwnAccountOptions) {
    this.#options = options
  }

  /**
   * Throws `PASSWORD_WRONG` unless it is the person's, and `TOO_MANY_REQUESTS` or `BUSY` as at sign-in.
   * Returns them.
   */
  async confirm({ actor, client }: Self, password: string): Promise<User> {
    const { metadata, passwords, attempts } = this.#options
    const asker = await attempts.atOwnPassword(actor.id, client.address)
    const user = await metadata.users.find(actor.id)
    const isRight = await passwords.verify(password, user?.passwordHash ?? null, asker)
    if (!user || !isRight || user.disabledAt !== null) throw new AppError('PASSWORD_WRONG')
    return user
  }

  /**
   * Changes name and address; another address takes the password. Throws what `confirm` and `checkIdentity`
   * throw, and `EMAIL_TAKEN`. Returns what is kept.
   */
  async changeIdentity(self: Self, entered: Identity, password: string): Promise<Identity> {
    const { metadata, sessions, record } = this.#options
    const identity = checkIdentity(entered)
    const seen = await existing(metadata, self)
    if (seen.email !== identity.email) await this.confirm(self, password)
    const kept = await metadata.transaction(async (within) => {
      const before = await existing(within, self)
      // What changed meanwhile, such as the address, stays unless this form changes it.
      const changed = (['name', 'email'] as const).filter(
        (what) => seen[what] !== identity[what] && before[what] !== identity[what],
      )
      const after = changed.reduce((all, what) => ({ ...all, [what]: identity[what] }), before)
      const other = await within.users.findByEmail(after.email)
      if (other && other.id !== before.id) throw new AppError('EMAIL_TAKEN')
      await within.users.rename(before.id, after)
      const by = { id: before.id, name: after.name }
      for (const what of changed)
        await record(within, by, by, what, { before: before[what], after: after[what] })
      // Open links were sent to the old address.
      if (emailKey(before.email) !== emailKey(after.email)) await within.links.removeAll(before.id)
      return { name: after.name, email: after.email }
    })
    sessions.forget(seen.id)
    return kept
  }

  /** Ends all sessions but this one. Throws what `confirm` and `checkPassword` throw. */
  async changePassword(self: Self, current: string, next: string, session: string): Promise<void> {
    const { metadata, passwords, sessions, record } = this.#options
    checkPassword(next)
    const user = await this.confirm(self, current)
    const hash = await passwords.hash(next, { key: user.id, isKnown: true })
    await metadata.transaction(async (within) => {
      await within.users.setPasswordHash(user.id, hash)
      await within.sessions.removeAll(user.id, session)
      await within.links.removeAll(user.id)
      await record(within, user, user, 'password')
    })
    sessions.forget(user.id)
  }
}

async function existing({ users }: MetadataStores, { actor }: Self): Promise<User> {
  const user = await users.find(actor.id)
  if (!user || user.disabledAt !== null) throw new AppError('NOT_FOUND')
  return user
}
