/** Files that have arrived and that nobody has kept yet; their bytes are in a storage. */

import type { Kysely } from 'kysely'
import type {
  UploadRecord,
  UploadRecords,
  UploadState,
} from '../../server/upload/upload-records.ts'
import type { MetadataTables, UploadRow } from './tables.ts'

export class UploadTable implements UploadRecords {
  readonly #db: Kysely<MetadataTables>
  readonly #now: () => number

  constructor(db: Kysely<MetadataTables>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  async insert(record: UploadRecord): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('tablewireUploads')
      .values({ ...record, createdAt: this.#now() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  async find(id: string): Promise<UploadRecord | undefined> {
    const row = await this.#db
      .selectFrom('tablewireUploads')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && recordOf(row)
  }

  async arrive(id: string, digest: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewireUploads')
      .set({ digest, state: 'finished' })
      .where('id', '=', id)
      .where('state', '=', 'started')
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  async finish(id: string): Promise<void> {
    await this.#move(id, 'finished', ['arrived'])
  }

  async keep(id: string): Promise<void> {
    await this.#move(id, 'kept', ['arrived', 'finished'])
  }

  async use(id: string): Promise<void> {
    await this.#move(id, 'used', ['kept'])
  }

  async #move(id: string, state: UploadState, from: readonly UploadState[]): Promise<void> {
    await this.#db
      .updateTable('tablewireUploads')
      .set({ state })
      .where('id', '=', id)
      .where('state', 'in', from)
      .execute()
  }

  async remove(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('tablewireUploads')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numDeletedRows === 1n
  }

  async bytesOf(userId: string): Promise<number> {
    const { bytes } = await this.#db
      .selectFrom('tablewireUploads')
      .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
      .where('userId', '=', userId)
      .where('state', 'not in', ['kept', 'used'])
      .executeTakeFirstOrThrow()
    return Number(bytes)
  }
}

function recordOf(row: UploadRow): UploadRecord {
  const { id, userId, component, property, name, type, digest, state } = row
  return {
    ...{ id, userId, component, property, name, type, digest, state },
    size: Number(row.size),
  }
}
