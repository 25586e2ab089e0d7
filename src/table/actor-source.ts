/** The database in one actor's name: what the code of components reads with. */

import type { Actor } from '../server/actor.ts'
import type { Catalog, OpenTable } from './catalog.ts'
import { everything, type Predicate } from './source/predicate.ts'
import type {
  Count,
  Facets,
  FoundRow,
  PageQuery,
  RowPage,
  RowSource,
  Run,
} from './source/row-source.ts'
import type { KeyValues } from './source/value.ts'

declare module '../server/component/services.ts' {
  interface Services {
    /** The database, as far as the actor may see it. */
    readonly source: ActorSource
  }
}

export type ActorSource = {
  /** Throws `NOT_FOUND` for a table that is not there or that the actor may not see, alike. */
  table(name: string): ActorTable
  /** Changes whenever rows may have changed: what `dependsOn` names. */
  dataVersion(): Promise<string>
}

/** A table of which an actor reads what the policy grants them. */
export type ActorTable = {
  /** The table's definition, and the access that the policy grants. */
  readonly open: OpenTable
  /** One page. Default: the first 25 rows, all columns that may be read, in the table's order. */
  page(query?: Partial<PageQuery>, run?: Run): Promise<RowPage>
  /** Default: all rows, counted exactly. */
  count(where?: Predicate, options?: Run & { bound?: number }): Promise<Count>
  /** How many rows hold each value of a column, the most frequent first. Default: of all rows. */
  facets(column: string, where?: Predicate, options?: Run & { limit?: number }): Promise<Facets>
  /** Default: all columns that may be read. `undefined` where there is no such row to be seen. */
  row(key: KeyValues, columns?: readonly string[], run?: Run): Promise<FoundRow | undefined>
}

const PAGE_SIZE = 25

/** Everything read through it is read in the name of the actor. */
export const actorSource = (
  source: RowSource,
  catalog: () => Catalog,
  actor: Actor,
): ActorSource => ({
  table: (name) => actorTable(source, catalog().open(actor, name)),
  dataVersion: () => source.dataVersion(),
})

function actorTable(source: RowSource, open: OpenTable): ActorTable {
  const { access, definition } = open
  const readable = access.table.columns
    .map(({ name }) => name)
    .filter((name) => access.canRead(name))
  return {
    open,
    page(query, run) {
      const all: PageQuery = {
        columns: readable,
        where: everything,
        sort: definition.defaultSort,
        size: PAGE_SIZE,
        place: { at: 'first' },
      }
      return source.page(access, { ...all, ...query }, run)
    },
    count: (where = everything, options) => source.count(access, where, options),
    facets: (column, where = everything, options) => source.facets(access, where, column, options),
    row: (key, columns = readable, run) => source.row(access, key, { columns }, run),
  }
}
