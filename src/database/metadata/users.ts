/** The people who may sign in. */

import type { Kysely } from 'kysely'
import { emailKey } from './email-key.ts'
import type { MetadataTables, UserRow } from './tables.ts'

export type User = Omit<UserRow, 'emailKey'>

const COLUMNS = [
  'id',
  'email',
  'name',
  'role',
  'passwordHash',
  'createdAt',
  'disabledAt',
  'lastSeenAt',
] as const satisfies readonly (keyof User)[]

/** What of a person others may change. */
export type PersonChange = Partial<Pick<User, 'name' | 'role' | 'disabledAt' | 'lastSeenAt'>>

export class Users {
  readonly #db: Kysely<MetadataTables>

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  find(id: string): Promise<User | undefined> {
    return this.#select().where('id', '=', id).executeTakeFirst()
  }

  /** Ignores letter case and Unicode form of the address. */
  findByEmail(email: string): Promise<User | undefined> {
    return this.#select().where('emailKey', '=', emailKey(email)).executeTakeFirst()
  }

  /** The administrator with the oldest account that is not disabled. */
  firstAdministrator(): Promise<User | undefined> {
    return this.#select()
      .where('role', '=', 'admin')
      .where('disabledAt', 'is', null)
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  }

  /** Adds a person; `false` where the address is taken. */
  async insert(user: User): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('tablewireUsers')
      .values({ ...user, emailKey: emailKey(user.email) })
      .onConflict((conflict) => conflict.column('emailKey').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  /** All people, by name. */
  list(): Promise<User[]> {
    return this.#select().orderBy('name').orderBy('id').execute()
  }

  /** How many administrators are not disabled. */
  async countAdministrators(): Promise<number> {
    const { count } = await this.#db
      .selectFrom('tablewireUsers')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('role', '=', 'admin')
      .where('disabledAt', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Changes a person; `false` where there is none. */
  async update(id: string, change: PersonChange): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewireUsers')
      .set(change)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Changes how a person is called and where they get mail; the address must be free. */
  async rename(id: string, { name, email }: Pick<User, 'name' | 'email'>): Promise<void> {
    await this.#db
      .updateTable('tablewireUsers')
      .set({ name, email, emailKey: emailKey(email) })
      .where('id', '=', id)
      .execute()
  }

  /** Removes a person, with their sessions and links. */
  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom('tablewireUsers').where('id', '=', id).execute()
  }

  /** `null`: no password is right. */
  async setPasswordHash(id: string, passwordHash: string | null): Promise<void> {
    await this.#db
      .updateTable('tablewireUsers')
      .set({ passwordHash })
      .where('id', '=', id)
      .execute()
  }

  #select() {
    return this.#db.selectFrom('tablewireUsers').select(COLUMNS)
  }
}
