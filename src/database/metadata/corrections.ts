/** What administrators have corrected of the tables of a database, and who did so when. */

import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { CorrectionChangeRow, CorrectionRow, MetadataTables } from './tables.ts'

export type { CorrectionChangeRow, CorrectionRow } from './tables.ts'

/** What is corrected: an option of a table, or of one of its columns. */
export type CorrectedPlace = Pick<CorrectionRow, 'tableName' | 'columnName' | 'part'>

/** A change of one correction: `null` takes it back. */
export type CorrectionEdit = CorrectedPlace &
  Pick<CorrectionRow, 'at' | 'byId' | 'byName'> & {
    /** Of the change in the history. */
    readonly id: string
    /** As JSON. */
    readonly value: string | null
  }

export type CorrectionChangesQuery = {
  /** Of this person alone. */
  readonly by?: string | undefined
  /** From here on, and before, ms since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly size: number
}

/** `database`: the name that its source gives it. */
export class CorrectionTable {
  readonly #db: Kysely<MetadataTables>

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  /** In the order in which they were made. */
  list(database: string): Promise<CorrectionRow[]> {
    return this.#db
      .selectFrom('tablewireCorrections')
      .selectAll()
      .where('scope', '=', digest(database))
      .orderBy('at')
      .orderBy('id')
      .execute()
  }

  /** Another text whenever a correction has changed; empty until the first one. */
  async version(database: string): Promise<string> {
    const row = await this.#db
      .selectFrom('tablewireSettings')
      .select('value')
      .where('name', '=', versionName(database))
      .executeTakeFirst()
    return row?.value ?? ''
  }

  /** Makes or takes back one correction, and notes that; does nothing if it is as wanted. */
  async edit(database: string, { id, value, ...edit }: CorrectionEdit): Promise<void> {
    const scope = digest(database)
    const { tableName, columnName, part } = edit
    const place = digest(scope, tableName, columnName ?? '', columnName === null ? '' : '1', part)
    const known = await this.#db
      .selectFrom('tablewireCorrections')
      .select('value')
      .where('id', '=', place)
      .executeTakeFirst()
    const before = known?.value ?? null
    if (before === value) return
    await this.#db.deleteFrom('tablewireCorrections').where('id', '=', place).execute()
    if (value !== null)
      await this.#db
        .insertInto('tablewireCorrections')
        .values({ ...edit, id: place, scope, value })
        .execute()
    await this.#db
      .insertInto('tablewireCorrectionChanges')
      .values({ ...edit, id, scope, before, after: value })
      .execute()
    await this.#setVersion(database, id)
  }

  /** The newest first. */
  changes(
    database: string,
    { by, since, until, size }: CorrectionChangesQuery,
  ): Promise<CorrectionChangeRow[]> {
    let query = this.#db
      .selectFrom('tablewireCorrectionChanges')
      .selectAll()
      .where('scope', '=', digest(database))
    if (by !== undefined) query = query.where('byId', '=', by)
    if (since !== undefined) query = query.where('at', '>=', since)
    if (until !== undefined) query = query.where('at', '<', until)
    return query.orderBy('at', 'desc').orderBy('id').limit(size).execute()
  }

  /** The last change of one correction. */
  lastChange(
    database: string,
    { tableName, columnName, part }: CorrectedPlace,
  ): Promise<CorrectionChangeRow | undefined> {
    return this.#db
      .selectFrom('tablewireCorrectionChanges')
      .selectAll()
      .where('scope', '=', digest(database))
      .where('tableName', '=', tableName)
      .where('columnName', columnName === null ? 'is' : '=', columnName)
      .where('part', '=', part)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  }

  async #setVersion(database: string, value: string): Promise<void> {
    await this.#db
      .insertInto('tablewireSettings')
      .values({ name: versionName(database), value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  }
}

/** Names may be long. */
const digest = (...names: readonly string[]): string =>
  hash('sha256', JSON.stringify(names), 'base64url')

const versionName = (database: string): string => `corrections ${digest(database)}`
