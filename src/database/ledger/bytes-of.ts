/** How much room the ledger takes on disk. */

import { sql } from 'kysely'
import type { Store } from '../metadata/store.ts'
import type { LedgerTables } from './tables.ts'

const TABLES = [
  'tablewire_changes',
  'tablewire_change_images',
  'tablewire_change_keys',
  'tablewire_change_values',
]

/** `null` in a file with other tables, where only reading all of it would tell. */
export async function bytesOf(
  { db, engine }: Pick<Store<LedgerTables>, 'db' | 'engine'>,
  isAlone: boolean,
): Promise<number | null> {
  const names = sql.join(TABLES)
  const query = {
    sqlite: sql<{ bytes: unknown }>`select page_count * page_size as bytes
      from pragma_page_count(), pragma_page_size()`,
    postgres: sql<{ bytes: unknown }>`select sum(pg_total_relation_size(name::regclass)) as bytes
      from unnest(array[${names}]) as name`,
    mysql: sql<{ bytes: unknown }>`select sum(data_length + index_length) as bytes
      from information_schema.tables where table_schema = database() and table_name in (${names})`,
  }[engine]
  if (engine === 'sqlite' && !isAlone) return null
  const { rows } = await query.execute(db)
  return Number(rows[0]?.bytes)
}
