/** The concerns of the listing, combined into its state, address, query and actions. */

import type {
  ActionKind,
  Context,
  ReturnOf,
  Schema,
  StateOf,
  StateShape,
} from '../../server/component/component.ts'
import { badParameter, clip } from '../address-error.ts'
import type { OpenTable } from '../catalog.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { PageQuery } from '../source/row-source.ts'
import type { Concern, ListParams, OpenList } from './concern.ts'
import { columns } from './concerns/columns.ts'
import { filtering } from './concerns/filters.ts'
import { paging } from './concerns/paging.ts'
import { searching } from './concerns/search.ts'
import { sorting } from './concerns/sort.ts'

/** In the order of their parameters in an address. */
const concerns = [searching, filtering, sorting, paging, columns] as const

type Each = (typeof concerns)[number]
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

type Simple<Type> = { [Key in keyof Type]: Type[Key] }

/** The state of the listing: all that its concerns declare. */
export type ListState = Simple<Intersection<StateOf<Each['state']>>>

/** All that the concerns add to the listing's view. */
export type ListParts = Simple<Intersection<ReturnType<Each['view']>>>

/** What each concern has read, by its name. */
export type ListData = {
  readonly [One in Each as One['name']]: One extends Concern<
    string,
    StateShape,
    infer _Writable,
    infer _Args,
    infer _Actions,
    infer Data,
    infer _Part
  >
    ? Data
    : never
}

/** The component's context of an action; `listContext` makes a concern's context of it. */
export type ListActionContext = Context<ListState, ListParams, OpenList>

/** An action as the component declares it: on the whole state. */
type OnWholeState<Action> = Action extends {
  args: Schema<infer Args extends readonly unknown[]>
}
  ? {
      readonly kind?: ActionKind
      readonly args: Schema<Args>
      run(context: ListActionContext, ...args: Args): ReturnOf<Action>
    }
  : never

type Actions = Intersection<Each['actions']>

/** The types of all actions, by name. */
export type ListActions = {
  // A concern without actions adds an index signature, which names nothing.
  readonly [Name in keyof Actions as string extends Name ? never : Name]: OnWholeState<
    Actions[Name]
  >
}

type AnyAction = { readonly [action: string]: readonly unknown[] }

/**
 * A concern as the listing combines it. `defineConcern` checks each against its own part of the
 * state; the listing passes the whole state, which holds every part.
 */
type AnyConcern = Concern<
  string,
  StateShape,
  string,
  AnyAction,
  { [action: string]: unknown },
  unknown,
  object
>

export const CONCERNS = concerns as unknown as readonly AnyConcern[]

/** Schemas of the whole state. */
export const listShape = Object.assign({}, ...concerns.map(({ state }) => state)) as {
  [Key in keyof ListState]: Schema<ListState[Key]>
}

type Writable = NonNullable<Each['writable']>[number]

/** Properties that the browser may change. */
export const WRITABLE = CONCERNS.flatMap(({ writable = [] }) => writable) as readonly Writable[]

/** The state of a newly opened table, with `over` applied. */
export const listStateOf = (over: Partial<ListState> = {}): ListState =>
  Object.assign({}, ...concerns.map(({ initial }) => initial), over) as ListState

/** The state to set whenever the rows change. */
export const RESET = Object.assign({}, ...CONCERNS.map(({ reset }) => reset)) as Partial<ListState>

/**
 * Reads an address. Pages and sizes out of range are clamped; unknown parameters, columns and
 * orders throw, each with its own code (422), because dropping one would show other rows than asked.
 */
export function parseListUrl(query: URLSearchParams, open: OpenTable): ListState {
  for (const name of new Set(query.keys())) {
    if (!CONCERNS.some(({ address }) => address.owns(name)))
      throw badParameter(({ address }) => address.unknown(clip(name), NAMES.join(', ')))
    if (query.getAll(name).length > 1)
      throw badParameter(({ address }) => address.twice(clip(name)))
  }
  return listStateOf(Object.assign({}, ...CONCERNS.map(({ address }) => address.read(query, open))))
}

const NAMES = CONCERNS.flatMap(({ address }) => address.names)

/** The parameters of a listing without those of its place, in their fixed order. */
export const listParams = (state: ListState): [name: string, value: string][] =>
  CONCERNS.flatMap(({ address }) => address.write(state))

/** The query of a listing's address, empty for a newly opened table. */
export const listQuery = (state: ListState): string =>
  [...listParams(state), ...CONCERNS.flatMap(({ address }) => address.place?.(state) ?? [])]
    .map((parameter) => parameter.map(encodeURIComponent).join('='))
    .join('&')

/** The address of a listing in this state. */
export function listHref(base: string, state: ListState): string {
  const query = listQuery(state)
  return query === '' ? base : `${base}?${query}`
}

/** The conditions on the rows of a listing. */
export const listConditions = (open: OpenTable, state: ListState): Predicate[] =>
  CONCERNS.flatMap((concern) => concern.where?.(state, open) ?? [])

/** The condition on the rows of a listing: all its filters and its search. */
export function listWhere(open: OpenTable, state: ListState): Predicate {
  const all = listConditions(open, state)
  return all.length === 0 ? everything : { op: 'and', all }
}

const EMPTY_QUERY = { columns: [], sort: [], size: 0, place: { at: 'first' } } as const

/** The whole query for a page; `total` is how many rows there are, `null` if that is not known. */
export function pageQuery(open: OpenTable, state: ListState, total: number | null): PageQuery {
  let query: PageQuery = { ...EMPTY_QUERY, where: listWhere(open, state) }
  for (const concern of CONCERNS)
    query = { ...query, ...concern.query?.(state, { opened: open, total, query }) }
  return query
}
