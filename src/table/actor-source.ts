/** The database on behalf of one actor, for the code of components. */

import type { Actor } from '../server/actor.ts'
import { AppError } from '../server/app-error.ts'
import type { Services } from '../server/component/services.ts'
import type { Change, ChangeOutcome } from './changes/change.ts'
import { type ChangeDoor, createChangeDoor } from './changes/door.ts'
import { type Catalog, createCatalog, type OpenTable } from './catalog.ts'
import { quoted, suggestion } from './definition/problems.ts'
import type { Policy } from './source/access.ts'
import type { Computed } from './source/computed.ts'
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
import type { EntryStep } from './source/ledger-entry.ts'
import type { KeyValues, Value } from './source/value.ts'
import type { Changes, ExpectedRows, RankChange } from './source/write-unit.ts'

declare module '../server/component/services.ts' {
  interface Services {
    /** The database, as far as the actor may see it. */
    readonly source: ActorSource
  }
}

export type ActorSource = {
  /** Throws `NOT_FOUND` both for a missing table and for one that the actor may not see. */
  table<Row = AnyRow>(name: string): ActorTable<Row>
  /** Changes whenever rows may have changed: what `dependsOn` names. `null` where nobody can tell. */
  dataVersion(): Promise<string | null>
}

type AnyRow = { readonly [column: string]: Value }

/** Values of columns; without a row's type, any column may be named. */
type ValuesOf<Row> = Readonly<Partial<{ [Column in keyof Row & string]: Value }>>

/** The same where they may be worked out of the row. */
type NewValuesOf<Row> = Readonly<
  Partial<{ [Column in keyof Row & string]: Value | Computed<keyof Row & string> }>
>

/** Changes to rows of one table. `Row` is the row's type; its keys are the columns that may be named. */
export type RowChanges<Row = AnyRow> = {
  /** One row each, in this order. What `expect` names must still hold, or nothing is written. */
  readonly rows?: readonly (
    | { readonly insert: ValuesOf<Row> }
    | {
        readonly update: KeyValues
        readonly set: NewValuesOf<Row>
        readonly expect?: ValuesOf<Row>
      }
    | { readonly delete: KeyValues; readonly expect?: ValuesOf<Row> }
  )[]
  /** The same for all rows whose key is listed and that `where` still matches. */
  readonly sets?: readonly ({
    readonly in: readonly KeyValues[]
    readonly where: Predicate
    readonly expect?: ExpectedRows
  } & ({ readonly set: NewValuesOf<Row> } | { readonly delete: true }))[]
  /** Moves rows within an order that a column of numbers keeps. */
  readonly ranks?: RankChange & { readonly column: keyof Row & string }
  /** The step of a job that it is, as `JobRun.write` gives it: both are saved, or neither. */
  readonly step?: EntryStep
}

/** A table, as far as the policy lets the actor read and change it. */
export type ActorTable<Row = AnyRow> = {
  /** The table's definition, and the access that the policy grants. */
  readonly open: OpenTable
  /** One page. Default: the first 25 rows, all columns that may be read, in the table's order. */
  page(query?: Partial<PageQuery>, run?: Run): Promise<RowPage>
  /** Default: all rows, counted exactly. */
  count(where?: Predicate, options?: Run & { bound?: number }): Promise<Count>
  /** How many rows hold each value of a column, the most frequent first. Default: of all rows. */
  facets(column: string, where?: Predicate, options?: FacetOptions): Promise<Facets>
  /**
   * Changes rows, all of them or none, as far as the policy and the table's rules let the actor; it stands
   * in the history and can be taken back. Throws `TABLE_READ_ONLY` where the database takes no changes.
   *
   * @example
   * const orders = source.table<Database['orders']>('orders')
   * const outcome = await orders.change({ rows: [{ update: [7], set: { status: 'paid' } }] })
   * if (outcome.status === 'refused') refuse('The order could not be marked as paid.')
   */
  change(change: RowChanges<Row>, run?: Run): Promise<ChangeOutcome>
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
  const door = createChangeDoor({
    ...{ source, catalog: () => catalog, now: Date.now },
    newId: () => crypto.randomUUID(),
  })
  return (actor) => ({ source: actorSource({ source, catalog: () => catalog, door }, actor) })
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

export type ActorSourceOptions = {
  readonly source: RowSource
  catalog(): Catalog
  readonly door: ChangeDoor
}

/**
 * A database in which every read uses the actor's access. `onMistake` is told, in a sentence for the
 * component's author, which table is asked for and does not exist.
 */
export const actorSource = (
  { source, catalog, door }: ActorSourceOptions,
  actor: Actor,
  onMistake?: (sentence: string) => void,
): ActorSource => ({
  table(name) {
    const open = catalog().find(actor, name)
    if (open) return actorTable({ source, door }, actor, open)
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

function actorTable<Row>(
  { source, door }: Pick<ActorSourceOptions, 'source' | 'door'>,
  actor: Actor,
  open: OpenTable,
): ActorTable<Row> {
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
    change: (change, run) =>
      // The door checks the columns that the row's type has named.
      door.save(actor, codeChange(access.table.name, change as StepChanges), run),
    row: (key, columns = readable, run) => source.row(access, key, { columns }, run),
  }
}

type StepChanges = Changes & Pick<Change, 'step'>

const codeChange = (table: string, { step, ...change }: StepChanges): Change => ({
  door: 'code',
  tables: [{ ...change, table }],
  ...(step && { step }),
})
