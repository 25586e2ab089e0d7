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
] as const satisfies readonly (keyof User)[]

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

  async setPasswordHash(id: string, passwordHash: string): Promise<void> {
    await this.#db
      .updateTable('tablewireUsers')
      .set({ passwordHash })
      .where('id', '=', id)
      .execute()
  }

  /** Disables an account; `false` if there is none. */
  async disable(id: string, disabledAt: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewireUsers')
      .set({ disabledAt })
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  #select() {
    return this.#db.selectFrom('tablewireUsers').select(COLUMNS)
  }
}
