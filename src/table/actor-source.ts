/** The database on behalf of one actor, for the code of components. */

import type { Actor } from '../server/actor.ts'
import { AppError } from '../server/app-error.ts'
import type { Services } from '../server/component/services.ts'
import { type Catalog, createCatalog, type OpenTable } from './catalog.ts'
import { quoted, suggestion } from './definition/problems.ts'
import type { Policy } from './source/access.ts'
import { everything, type Predicate } from './source/predicate.ts'
import type {
  Count,
  FacetOptions,
  Facets,
  FoundRow,
  PageQuery,
  RowPage,
  RowSource,
  Run,
} from './source/row-source.ts'
import type { KeyValues } from './source/value.ts'
import type { Changes, UnitResult } from './source/write-unit.ts'

declare module '../server/component/services.ts' {
  interface Services {
    /** The database, as far as the actor may see it. */
    readonly source: ActorSource
  }
}

export type ActorSource = {
  /** Throws `NOT_FOUND` both for a missing table and for one that the actor may not see. */
  table(name: string): ActorTable
  /** Changes whenever rows may have changed: what `dependsOn` names. `null` where nobody can tell. */
  dataVersion(): Promise<string | null>
}

/** A table, as far as the policy lets the actor read and change it. */
export type ActorTable = {
  /** The table's definition, and the access that the policy grants. */
  readonly open: OpenTable
  /** One page. Default: the first 25 rows, all columns that may be read, in the table's order. */
  page(query?: Partial<PageQuery>, run?: Run): Promise<RowPage>
  /** Default: all rows, counted exactly. */
  count(where?: Predicate, options?: Run & { bound?: number }): Promise<Count>
  /** How many rows hold each value of a column, the most frequent first. Default: of all rows. */
  facets(column: string, where?: Predicate, options?: FacetOptions): Promise<Facets>
  /** Writes changes, all or none, as far as the policy lets the actor. */
  write(changes: Changes, run?: Run): Promise<UnitResult>
  /** One row; `undefined` if it is missing or hidden. Default: all columns that may be read. */
  row(key: KeyValues, columns?: readonly string[], run?: Run): Promise<FoundRow | undefined>
}

/**
 * Services of components for tests: a row source behind a policy. Default policy: everything.
 *
 * @example
 * const services = await sourceServices(await openSqlite(':memory:'))
 * const page = await testComponent(repairs, { actor, services })
 */
export async function sourceServices(
  source: RowSource,
  policy: Policy = fullPolicy,
): Promise<(actor: Actor) => Services> {
  const catalog = await createCatalog(source, policy)
  return (actor) => ({ source: actorSource(source, () => catalog, actor) })
}

const fullPolicy: Policy = {
  version: 'everything',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name)
    const actions = ['read', 'create', 'update', 'delete'] as const
    return { actions, rows: everything, readable: names, writable: names }
  },
}

const PAGE_SIZE = 25

/**
 * A database in which every read uses the actor's access. `onMistake` is told, in a sentence for the
 * component's author, which table is asked for and does not exist.
 */
export const actorSource = (
  source: RowSource,
  catalog: () => Catalog,
  actor: Actor,
  onMistake?: (sentence: string) => void,
): ActorSource => ({
  table(name) {
    const open = catalog().find(actor, name)
    if (open) return actorTable(source, open)
    const mistake = missingTable(catalog(), name)
    if (mistake === undefined) throw new AppError('NOT_FOUND')
    onMistake?.(mistake)
    // The cause stands in the stack that a test prints; readers are never shown it.
    throw new AppError('NOT_FOUND', { cause: new Error(mistake) })
  },
  dataVersion: () => source.exactVersion(),
})

/** `undefined` if the table exists, so that the actor may merely not see it. */
function missingTable({ schema }: Catalog, name: string): string | undefined {
  const names = schema.tables.map((table) => table.name)
  if (names.includes(name)) return undefined
  return `source.table(${quoted(name)}): the database has no such table.${suggestion(name, names)}`
}

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
    write: (changes, run) => source.write({ parts: [{ ...changes, access }] }, run),
    row: (key, columns = readable, run) => source.row(access, key, { columns }, run),
  }
}
