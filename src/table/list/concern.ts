/** A concern of the listing: one feature, with all that belongs to it in one place. */

import type { Json } from '../../protocol/json.ts'
import type { ColumnView } from '../../protocol/table-view.ts'
import type {
  ActionKind,
  Context,
  LoadContext,
  Request,
  Schema,
  StateOf,
  StateShape,
} from '../../server/component/component.ts'
import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Storage } from '../../server/upload/storage.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import type { ChangeDoor } from '../changes/door.ts'
import type { Clock } from '../filters/filter.ts'
import type { ColumnDefinition, ReorderDefinition } from '../definition/table-definition.ts'
import type { Previewed } from '../previewed.ts'
import type { PlanServices } from '../plans/asking.ts'
import type { NamedLeft } from '../plans/left-rows.ts'
import type { PlanStore } from '../plans/plan-store.ts'
import type { Predicate } from '../source/predicate.ts'
import type { PageQuery, RowPage, RowSource } from '../source/row-source.ts'
import type { Tally, Totals } from './totals.ts'

/** Where each person's arrangements of columns are kept, as JSON, by table. */
export type TableLayouts = {
  /** What was written; `undefined` if nothing was. */
  read(actor: Actor, table: string): Promise<Json | undefined>
  /** `null` removes it. */
  write(actor: Actor, table: string, layout: Json): Promise<void>
}

export type ListServices = {
  readonly source: RowSource
  /** The current catalog; a change of the schema replaces it. */
  catalog(): Catalog
  readonly totals: Totals
  /** The way by which rows change. */
  readonly door: ChangeDoor
  /** Address of a table's listing. */
  href(table: string): string
  /** The time, in milliseconds since 1970. Default: the machine's. */
  now?(): number
  /** What changes to selected rows are planned with. Absent: rows are changed one by one only. */
  readonly plans?: PlanServices | undefined
  /** Default: an arrangement of columns lasts as long as its address. */
  readonly layouts?: TableLayouts
  /** Where the files are that rows hold. Default: nowhere, so that none is found. */
  readonly storage?: Pick<Storage, 'size'>
  /** Whether an actor may allow changes to the database. Default: nobody may. */
  maySwitchChanges?(actor: Actor): boolean
  /** The catalog with corrections of a table that are not saved. Default: nobody is shown any. */
  preview?(table: string, parts: readonly Previewed[]): Promise<Catalog>
  /** Whether it follows what others change. Default: false. */
  readonly isLive?: boolean
}

/** The parameters that a page gives the listing. */
export type ListParams = { readonly table: string }

/** A table opened for an actor, and the services of its listing. */
export type OpenList = OpenTable & {
  readonly services: ListServices
  /** It is opened with corrections that are not saved. Default: false. */
  readonly isPreview?: true
}

/** What conditions need that is kept elsewhere, as the concerns have read it. */
export type Prepared = { readonly left?: NamedLeft }

/** A table for which that was read (`ListFold.prepare`): without it, nobody can ask for the conditions on its rows. */
export type Ready<Open extends OpenTable = OpenTable> = Open & { readonly prepared: Prepared }

/** When and where a listing is asked for. */
export const clockOf = ({
  opened,
  locale,
  timeZone,
}: Pick<Request<ListParams, OpenList>, 'opened' | 'locale' | 'timeZone'>): Clock => ({
  locale,
  timeZone,
  now: (opened.services.now ?? Date.now)(),
})

/** What the listing offers its concerns. */
export type Listing<State> = {
  /** Names the conditions on rows; the same text for the same ones. */
  conditionsKey(): string
  /** Address of this listing with other state, reset as after `go`. */
  href(change: Partial<State>, options?: Pick<GoOptions, 'keepsRows'>): string
}

/** The context of a concern's actions; `state` is the concern's own part. */
export type ListContext<State> = Context<State, ListParams, Ready<OpenList>> &
  Listing<State> & {
    /**
     * Changes this concern's state and updates the address. Also resets what other concerns reset
     * when the rows change, such as the place.
     */
    go(change: Partial<State>, options?: GoOptions): void
    /** The condition on the rows, with other state. */
    where(change?: Partial<State>): Predicate
    /** The conditions on the rows of the listing. */
    conditions(): readonly Predicate[]
    /** The query for the page that is shown. */
    pageQuery(): PageQuery
    /** The shown columns, in order. */
    columns(): readonly ColumnDefinition[]
    /** What narrows the rows down, condition by condition, and the state without any. */
    narrowedBy(): Promise<Narrowed<object>>
    /** How many rows the listing has, as far as that is known within `maxWaitMs`. */
    tally(maxWaitMs?: number): Promise<Tally>
  }

/** Conditions as people know them, each with the state without it. */
export type Narrowed<State> = {
  readonly conditions: readonly {
    /** What it is about and what it asks for, such as `Species` and `Canada goose`. */
    readonly label: string
    readonly value: string
    readonly without: Partial<State>
  }[]
  /** The state without any of them. */
  readonly none: Partial<State>
}

export type GoOptions = {
  /** Whether the browser's history gains an entry. Default: `push`. */
  readonly mode?: 'push' | 'replace'
  /** The rows stay the same, so nothing is reset. Default: false. */
  readonly keepsRows?: boolean
}

export type ListAction<State, Args extends readonly unknown[]> = {
  /** Default: `command`. */
  readonly kind?: ActionKind
  readonly args: Schema<Args>
  run(context: ListContext<State>, ...args: Args): unknown
}

/** A concern's parameters in the address of the listing. */
export type Address<State> = {
  /** Whether the parameter is this concern's. */
  owns(parameter: string): boolean
  /** Whether one of its parameters may stand more than once. Default: none may. */
  repeats?(parameter: string): boolean
  /** Names of its parameters, listed in the error about an unknown one. */
  readonly names: readonly string[]
  /** Throws an `AppError` for unknown or forbidden values. `locale` is how the reader writes numbers. */
  read(query: URLSearchParams, open: OpenTable, locale: string): State
  /**
   * Whether the query is that of a form that has been filled in, which leads to the address of the state
   * that was read. Default: it is not.
   */
  isFilledIn?(query: URLSearchParams, open: OpenTable, locale: string): boolean
  /**
   * The parameters for which rows, in which order and form; every form on the page repeats them.
   */
  write(state: State): [name: string, value: string][]
  /**
   * The parameters for the place among these rows; left out when the rows change. Default: none.
   */
  place?(state: State): [name: string, value: string][]
}

/** The input of `updated`: the table, and the paths that the browser wrote. */
export type UpdatedInput = { readonly opened: OpenTable; readonly paths: readonly string[] }

/** What a concern asks of the others while it is on. */
export type Presentation = {
  /** The rows are put in this order by hand, so that other orders and conditions are set aside. */
  readonly order?: ReorderDefinition
  /** Columns that are not shown. */
  readonly hides?: readonly string[]
  /** The columns and the order are those of the table, whatever the person has chosen. */
  readonly standardColumns?: boolean
  readonly standardSort?: boolean
}

/** The input of a concern's part of the row query. */
export type QueryInput = {
  readonly opened: OpenTable
  /** How many rows there are, `null` if that is not known. */
  readonly total: number | null
  /** The query that the concerns before it have made. */
  readonly query: PageQuery
}

/** The input of a concern's part of the view. */
export type PartInput<State, Data = undefined> = Listing<State> & {
  readonly state: State
  readonly data: Data
  readonly opened: OpenList
  readonly page: RowPage
  readonly tally: Tally
  readonly reader: Reader
  /** Whether no condition leaves out rows. */
  readonly isUnfiltered: boolean
  /** The conditions on the rows. */
  conditions(): readonly Predicate[]
  /** The shown columns, in order. */
  readonly columns: readonly ColumnDefinition[]
}

/** The input of `decide`: the page that was read, and how many rows there are. */
export type DecideInput = {
  readonly opened: OpenTable
  /** Whether no condition leaves out rows. */
  readonly isUnfiltered: boolean
  readonly page: RowPage
  readonly tally: Tally
}

/** The context of `loadPage`: the page that was read, and the shown columns. */
export type PageContext<State> = LoadContext<State, ListParams, Ready<OpenList>> & {
  readonly page: RowPage
  columns(): readonly ColumnDefinition[]
}

export type Concern<
  Name extends string,
  Shape extends StateShape,
  Writable extends keyof Shape & string,
  Args extends { readonly [action: string]: readonly unknown[] },
  Actions extends { readonly [action: string]: unknown },
  Data,
  Part,
> = {
  readonly name: Name
  readonly state: Shape
  /** Properties that the browser may change. Default: none. */
  readonly writable?: readonly Writable[]
  /**
   * Whether a change of them gains an entry in the browser's history; else it belongs to the entry that is
   * shown. Default: none does.
   */
  pushes?(
    state: Readonly<StateOf<Shape>>,
    before: Readonly<StateOf<Shape>>,
    paths: readonly string[],
  ): boolean
  /** The state of a newly opened table. */
  readonly initial: StateOf<Shape>
  /** What the person has kept for the table, given the address that was opened. Default: nothing. */
  kept?(layout: Json | undefined, query: URLSearchParams, open: OpenTable): Partial<StateOf<Shape>>
  /** The state to set when another concern changes the rows. Default: it stays. */
  readonly reset?: Partial<StateOf<Shape>>
  readonly address: Address<StateOf<Shape>>
  /** The state to set when the conditions on rows change. Default: it stays. */
  readonly cleared?: Partial<StateOf<Shape>>
  /**
   * Checks and normalizes what the browser wrote, at these paths. Throws an `AppError` for what it
   * refuses. Default: it stays as written.
   */
  updated?(state: StateOf<Shape>, input: UpdatedInput): void
  /** The corrections that are not saved and with which the table is opened. Default: none. */
  opens?(state: StateOf<Shape>, subject: { readonly actor: Actor }): readonly Previewed[]
  /** What it asks of the other concerns. Default: nothing. */
  presents?(state: StateOf<Shape>, open: OpenTable): Presentation
  /**
   * How its state is read and drawn, given what the others ask; the state itself stays. Default: as it
   * is.
   */
  presented?(
    state: StateOf<Shape>,
    presentation: Presentation,
    open: OpenTable,
  ): Partial<StateOf<Shape>>
  /** Reads what its conditions need, before any of them is asked for. Default: nothing. */
  prepare?(
    state: StateOf<Shape>,
    open: OpenTable,
    store: PlanStore | undefined,
  ): Promise<Prepared> | undefined
  /** Conditions that every row of the listing fulfils. Default: none. */
  where?(state: StateOf<Shape>, open: Ready, clock: Clock): Predicate[]
  /** The same in words, each with the state without it. Default: none, so that it must have no conditions. */
  narrowedBy?(
    context: Request<ListParams, Ready<OpenList>> & { readonly state: StateOf<Shape> },
  ): Promise<Narrowed<StateOf<Shape>>>
  /** What it adds to the query for rows. Default: nothing. */
  query?(state: StateOf<Shape>, input: QueryInput): Partial<PageQuery>
  /** Whether its part of the query is worth waiting for the count. Default: false. */
  needsCount?(state: StateOf<Shape>): boolean
  /** The state that was meant if the page that it asks for lies beyond an end. Default: it stays. */
  clamp?(state: StateOf<Shape>): Partial<StateOf<Shape>>
  readonly actions: {
    readonly [Action in keyof Args]: ListAction<StateOf<Shape>, Args[Action]>
  } & Actions
  /**
   * Reads what its part of the view shows besides the rows; runs while they are read. Default:
   * nothing.
   */
  load?(context: LoadContext<StateOf<Shape>, ListParams, Ready<OpenList>>): Promise<Data>
  /** Reads what it shows of the rows of the page, once they are there. Default: what `load` has read. */
  loadPage?(context: PageContext<StateOf<Shape>>): Promise<Data>
  /** The state that follows from what was read. Default: it stays. */
  decide?(state: StateOf<Shape>, input: DecideInput): Partial<StateOf<Shape>>
  /**
   * The state to read where its only condition takes too long to find rows by, which `told` then tells. Default:
   * there is none.
   */
  instead?(state: StateOf<Shape>, open: OpenTable): Partial<StateOf<Shape>> | undefined
  /** Why the rows are not those that were asked for. Default: they are. */
  told?(input: PartInput<StateOf<Shape>, Data>): string | null
  /** Why a page without an index is slow on its account; the first concern's reason is shown. */
  slow?(input: PartInput<StateOf<Shape>, Data>): string | null
  /** What it adds to a column's head. Default: nothing. */
  head?(column: ColumnDefinition, input: PartInput<StateOf<Shape>, Data>): Partial<ColumnView>
  /** Its part of the view. */
  view(input: PartInput<StateOf<Shape>, Data>): Part
}

/** Declares a concern and infers its types. */
export const defineConcern = <
  const Name extends string,
  Shape extends StateShape,
  Args extends { readonly [action: string]: readonly unknown[] },
  Actions extends { readonly [action: string]: unknown },
  Part,
  const Writable extends keyof Shape & string = never,
  Data = undefined,
>(
  concern: Concern<Name, Shape, Writable, Args, Actions, Data, Part>,
): Concern<Name, Shape, Writable, Args, Actions, Data, Part> => concern
