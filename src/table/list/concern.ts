/** A concern of the listing: one thing that it does, with all that belongs to it in one place. */

import type { ColumnView } from '../../protocol/table-view.ts'
import type {
  ActionKind,
  Context,
  LoadContext,
  Schema,
  StateOf,
  StateShape,
} from '../../server/component/component.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Predicate } from '../source/predicate.ts'
import type { PageQuery, RowPage, RowSource } from '../source/row-source.ts'
import type { Tally, Totals } from './totals.ts'

export type ListServices = {
  readonly source: RowSource
  /** The catalog as it is now; it may be read anew when the schema changes. */
  catalog(): Catalog
  readonly totals: Totals
  /** Address of a table's listing. */
  href(table: string): string
}

/** What a page gives the listing. */
export type ListParams = { readonly table: string }

/** A table opened for an actor, and what a listing of it is made with. */
export type OpenList = OpenTable & { readonly services: ListServices }

/** What a concern may ask of the listing around it. */
export type Listing<State> = {
  /** Whether no condition leaves rows out. */
  readonly isWhole: boolean
  /** Address of this listing with other state, reset as after `go`. */
  href(change: Partial<State>, options?: Pick<GoOptions, 'keepsRows'>): string
}

/** What a concern's actions are given: `state` is the concern's own part. */
export type ListContext<State> = Context<State, ListParams, OpenList> &
  Listing<State> & {
    /**
     * Changes this concern's state and says in the address where the listing is now. Everything that
     * other concerns reset with a change, such as the place, is reset.
     */
    go(change: Partial<State>, options?: GoOptions): void
    /** How many rows the listing has, as far as that is known within `patienceMs`. */
    tally(patienceMs?: number): Promise<Tally>
  }

export type GoOptions = {
  /** Whether the browser's history gains a step. Default: `push`. */
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

/** How a concern stands in the address of the listing. */
export type Address<State> = {
  /** Whether the parameter is this concern's. */
  owns(parameter: string): boolean
  /** Names of its parameters, to be told to somebody who wrote another. */
  readonly names: readonly string[]
  /** Throws a refusal of the catalogue for what is not known, or forbidden. */
  read(query: URLSearchParams, open: OpenTable): State
  /** Which rows, in which order and form: what every form of the page carries along. */
  write(state: State): [name: string, value: string][]
  /** Where among these rows; left out wherever the rows become others. Default: nothing. */
  place?(state: State): [name: string, value: string][]
}

/** What a concern's part of the query for rows is made of. */
export type QueryInput = {
  readonly opened: OpenTable
  /** How many rows there are, `null` where that is not known. */
  readonly total: number | null
  /** What the concerns before it have asked for. */
  readonly query: PageQuery
}

/** What a concern's part of the view is made of. */
export type PartInput<State, Data = undefined> = Listing<State> & {
  readonly state: State
  readonly data: Data
  readonly opened: OpenList
  readonly page: RowPage
  readonly tally: Tally
  readonly reader: Reader
}

/** What reading has decided: the page that was read, and how many rows there are. */
export type DecideInput = {
  readonly opened: OpenTable
  readonly page: RowPage
  readonly tally: Tally
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
  /** The state of a table as it is opened. */
  readonly initial: StateOf<Shape>
  /** What becomes of this state when another concern changes the rows. Default: it stays. */
  readonly reset?: Partial<StateOf<Shape>>
  readonly address: Address<StateOf<Shape>>
  /** Puts right what the browser wrote, before it is used. Default: it is used as it is. */
  updated?(state: StateOf<Shape>): void
  /** Conditions that every row of the listing fulfils. Default: none. */
  where?(state: StateOf<Shape>, open: OpenTable): Predicate[]
  /** What it adds to the query for rows. Default: nothing. */
  query?(state: StateOf<Shape>, input: QueryInput): Partial<PageQuery>
  readonly actions: {
    readonly [Action in keyof Args]: ListAction<StateOf<Shape>, Args[Action]>
  } & Actions
  /** Reads what its part of the view shows besides the rows, beside them. Default: nothing. */
  load?(context: LoadContext<StateOf<Shape>, ListParams, OpenList>): Promise<Data>
  /** The state that follows from what was read. Default: it stays. */
  decide?(state: StateOf<Shape>, input: DecideInput): Partial<StateOf<Shape>>
  /** What it adds to a column's head. Default: nothing. */
  head?(column: ColumnDefinition, input: PartInput<StateOf<Shape>, Data>): Partial<ColumnView>
  /** Its part of the view. */
  view(input: PartInput<StateOf<Shape>, Data>): Part
}

/** Declares a concern; everything about it is inferred from what is written. */
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
