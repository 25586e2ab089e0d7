/** A table of the type zoo with a row for each value that its database takes. */

import type { MetadataPlace } from '../metadata-places.ts'
import { createTable, NOTE, typedIn } from './zoo.ts'
import { ZOOS } from './zoos.ts'

/** Anew, a table with each type, and a row with each value that its database takes. */
export async function createRows(place: MetadataPlace, table: string): Promise<void> {
  const { columns, left } = ZOOS[place.engine]
  await place.run(`drop table if exists ${table}`)
  await createTable(place, table, { ...columns, ...left.columns, note: NOTE })
  const values = [
    ...Object.keys(left.columns).map((name, at) => [name, left.values[at] ?? 'null'] as const),
    ...Object.entries(columns).flatMap(([name, { edges }]) =>
      edges.map((edge) => [name, `'${(typedIn(edge) ?? '').replaceAll("'", "''")}'`] as const),
    ),
  ]
  for (const [at, [name, value]] of values.entries())
    // What the database refuses is no value of it.
    await place
      .run(`insert into ${table} (id, ${name}) values (${at + 1}, ${value})`)
      .catch(() => null)
}
