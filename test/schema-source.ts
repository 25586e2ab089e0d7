/** A source that has a schema and nothing else, for tests of what is made of it. */

import type { RowSource } from '../src/table/source/row-source.ts'
import type { Table } from '../src/table/source/schema.ts'

export const sourceSchema = (tables: readonly Table[]): RowSource => {
  const source: Partial<RowSource> = {
    describe: async () => ({ name: 'test', engine: 'SQLite 3', tables }),
  }
  // A catalog asks for no more.
  return source as RowSource
}
