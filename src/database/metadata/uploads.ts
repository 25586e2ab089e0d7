/** Files that have arrived and that nobody has kept yet; their bytes are in a storage. */

import type { Kysely } from 'kysely'
import type { UploadRecord, UploadRecords } from '../../server/upload/upload-records.ts'
import type { MetadataTables, UploadRow } from './tables.ts'

export class UploadTable implements UploadRecords {
  readonly #db: Kysely<MetadataTables>
  readonly #now: () => number

  constructor(db: Kysely<MetadataTables>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  async insert({ isFinished, ...record }: UploadRecord): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('tablewireUploads')
      .values({ ...record, finished: isFinished ? 1 : 0, createdAt: this.#now() })
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

  async finish(id: string): Promise<void> {
    await this.#db
      .updateTable('tablewireUploads')
      .set({ finished: 1 })
      .where('id', '=', id)
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
      .executeTakeFirstOrThrow()
    return Number(bytes)
  }
}

function recordOf(row: UploadRow): UploadRecord {
  const { id, userId, component, property, name, type, digest } = row
  return {
    ...{ id, userId, component, property, name, type, digest },
    size: Number(row.size),
    isFinished: Number(row.finished) === 1,
  }
}
