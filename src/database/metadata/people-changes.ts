/** Who changed who may come in, and what they may do. */

import type { Kysely } from 'kysely'
import type { MetadataTables, PeopleChangeRow } from './tables.ts'

export type PeopleChange = PeopleChangeRow

export type PeopleChangesQuery = {
  /** Of this person alone. */
  readonly by?: string | undefined
  /** From here on, and before, ms since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly size: number
}

export class PeopleChanges {
  readonly #db: Kysely<MetadataTables>

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  async insert(change: PeopleChange): Promise<void> {
    await this.#db.insertInto('tablewirePeopleChanges').values(change).execute()
  }

  /** The newest first. */
  list({ by, since, until, size }: PeopleChangesQuery): Promise<PeopleChange[]> {
    let query = this.#db.selectFrom('tablewirePeopleChanges').selectAll()
    if (by !== undefined) query = query.where('byId', '=', by)
    if (since !== undefined) query = query.where('at', '>=', since)
    if (until !== undefined) query = query.where('at', '<', until)
    return query.orderBy('at', 'desc').orderBy('id').limit(size).execute()
  }
}
