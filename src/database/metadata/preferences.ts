/** People's preferences, as JSON by name. */

import type { CompiledQuery, Kysely } from 'kysely'
import { type Json, parseJson } from '../../protocol/json.ts'
import type { MetadataTables } from './tables.ts'

type Named = { name: string; value: string }

export class Preferences {
  readonly #db: Kysely<MetadataTables>
  #all: CompiledQuery<Named> | undefined

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  /** All of a person's preferences, by name. */
  async all(userId: string): Promise<{ [name: string]: Json }> {
    // Every page asks for them, and building the query takes longer than running it.
    this.#all ??= allOf(this.#db)
    const { rows } = await this.#db.executeQuery<Named>({ ...this.#all, parameters: [userId] })
    return Object.fromEntries(rows.map(({ name, value }) => [name, parseJson(value)]))
  }

  async get(userId: string, name: string): Promise<Json | undefined> {
    const row = await this.#db
      .selectFrom('tablewirePreferences')
      .select('value')
      .where('userId', '=', userId)
      .where('name', '=', name)
      .executeTakeFirst()
    return row && parseJson(row.value)
  }

  async set(userId: string, name: string, value: Json): Promise<void> {
    const text = JSON.stringify(value)
    await this.#db
      .insertInto('tablewirePreferences')
      .values({ userId, name, value: text })
      .onConflict((conflict) => conflict.columns(['userId', 'name']).doUpdateSet({ value: text }))
      .execute()
  }

  async remove(userId: string, name: string): Promise<void> {
    await this.#db
      .deleteFrom('tablewirePreferences')
      .where('userId', '=', userId)
      .where('name', '=', name)
      .execute()
  }
}

/** The query of all preferences; the person is its one parameter. */
const allOf = (db: Kysely<MetadataTables>) =>
  db.selectFrom('tablewirePreferences').select(['name', 'value']).where('userId', '=', '').compile()
