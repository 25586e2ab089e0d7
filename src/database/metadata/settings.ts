/** What administrators have decided for everybody, as JSON by name. */

import type { Kysely } from 'kysely'
import { type Json, parseJson } from '../../protocol/json.ts'
import type { MetadataTables } from './tables.ts'

export class SharedSettings {
  readonly #db: Kysely<MetadataTables>

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  async get(name: string): Promise<Json | undefined> {
    const row = await this.#db
      .selectFrom('tablewireSettings')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst()
    return row && parseJson(row.value)
  }

  async set(name: string, value: Json): Promise<void> {
    const text = JSON.stringify(value)
    await this.#db
      .insertInto('tablewireSettings')
      .values({ name, value: text })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: text }))
      .execute()
  }
}
