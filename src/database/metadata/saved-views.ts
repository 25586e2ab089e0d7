/** Saved views of lists: a person's own, and everyone's. */

import type { CompiledQuery, Kysely } from 'kysely'
import type { StoredView, ViewRecords } from '../../table/saved-views/view-records.ts'
import type { MetadataTables, SavedViewRow } from './tables.ts'

export class SavedViewTable implements ViewRecords {
  readonly #db: Kysely<MetadataTables>
  #of: CompiledQuery<SavedViewRow> | undefined

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  async of(table: string, personId: string): Promise<readonly StoredView[]> {
    // Every list asks for them, and building the query takes longer than running it.
    this.#of ??= viewsOf(this.#db)
    const { rows } = await this.#db.executeQuery<SavedViewRow>({
      ...this.#of,
      parameters: [table, personId],
    })
    // Some servers take names of tables for equal that differ in case.
    return rows.map(viewOf).filter((view) => view.table === table)
  }

  async insert({ table, by, ...view }: StoredView): Promise<void> {
    const { isDefault, isTab, ...others } = view
    await this.#db
      .insertInto('tablewireSavedViews')
      .values({
        ...others,
        ...{ tableName: table, byId: by.id, byName: by.name },
        ...{ isDefault: flag(isDefault), isTab: flag(isTab) },
      })
      .execute()
  }

  async update(id: string, { isDefault, isTab, ...others }: Change): Promise<void> {
    await this.#db
      .updateTable('tablewireSavedViews')
      .set({
        ...others,
        ...(isDefault !== undefined && { isDefault: flag(isDefault) }),
        ...(isTab !== undefined && { isTab: flag(isTab) }),
      })
      .where('id', '=', id)
      .execute()
  }

  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom('tablewireSavedViews').where('id', '=', id).execute()
  }
}

type Change = Parameters<ViewRecords['update']>[1]

const flag = (is: boolean): 0 | 1 => (is ? 1 : 0)

/** The query for a table's views; the table and the person are its parameters. */
const viewsOf = (db: Kysely<MetadataTables>) =>
  db
    .selectFrom('tablewireSavedViews')
    .selectAll()
    .where('tableName', '=', '')
    .where((is) => is.or([is('ownerId', '=', ''), is('ownerId', 'is', null)]))
    .orderBy('position')
    .orderBy('id')
    .compile()

const viewOf = (row: SavedViewRow): StoredView => ({
  ...{ id: row.id, table: row.tableName, name: row.name, ownerId: row.ownerId, query: row.query },
  by: { id: row.byId, name: row.byName },
  ...{ isDefault: Number(row.isDefault) === 1, isTab: Number(row.isTab) === 1 },
  ...{ position: Number(row.position), changedAt: Number(row.changedAt) },
})
