/** Files that are kept for columns; their bytes are in a storage. */

import type { Kysely } from 'kysely'
import type { FileHolder, FileRecords, HeldFile } from '../../server/upload/file-records.ts'
import type { MetadataTables } from './tables.ts'

export class FileTable implements FileRecords {
  readonly #db: Kysely<MetadataTables>

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  async hold(key: string, { table, column }: FileHolder, dueAt: number): Promise<void> {
    await this.#db
      .insertInto('tablewireFiles')
      .values({ fileKey: key, tableName: table, columnName: column, dueAt })
      .onConflict((conflict) => conflict.column('fileKey').doUpdateSet({ dueAt }))
      .execute()
  }

  async due(before: number, limit: number): Promise<readonly HeldFile[]> {
    const rows = await this.#db
      .selectFrom('tablewireFiles')
      .selectAll()
      .where('dueAt', '<=', before)
      .orderBy('dueAt')
      .limit(limit)
      .execute()
    return rows.map(({ fileKey: key, tableName: table, columnName: column, dueAt }) => ({
      ...{ key, table, column, dueAt: Number(dueAt) },
    }))
  }

  async putOff({ key, dueAt: before }: HeldFile, dueAt: number): Promise<void> {
    await this.#db
      .updateTable('tablewireFiles')
      .set({ dueAt })
      .where('fileKey', '=', key)
      .where('dueAt', '=', before)
      .execute()
  }

  async forget({ key, dueAt }: HeldFile): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('tablewireFiles')
      .where('fileKey', '=', key)
      .where('dueAt', '=', dueAt)
      .executeTakeFirstOrThrow()
    return numDeletedRows === 1n
  }
}
