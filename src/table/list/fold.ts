/** The concerns of a listing, combined into its state, address, query and actions. */

import type { Json } from '../../protocol/json.ts'
import type { Actor } from '../../server/actor.ts'
import type { Context, Schema } from '../../server/component/component.ts'
import { badParameter, clip } from '../address-error.ts'
import type { OpenTable } from '../catalog.ts'
import type { Clock } from '../filters/filter.ts'
import type { Previewed } from '../previewed.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { PageQuery } from '../source/row-source.ts'
import type { PlanStore } from '../plans/plan-store.ts'
import type {
  ListContext,
  ListParams,
  Narrowed,
  OpenList,
  Prepared,
  Presentation,
  Ready,
} from './concern.ts'
import {
  type AnyConcern,
  CONCERNS,
  type ListActionContext,
  type ListActions,
  type ListState,
  type ListWritable,
} from './concerns.ts'

/** The context of an action, once what its conditions need was read. */
export type ReadyContext = Context<ListState, ListParams, Ready<OpenList>>

const EMPTY_QUERY = { columns: [], sort: [], size: 0, place: { at: 'first' } } as const

/** What all concerns declare, as one object; no two of them declare the same property. */
export const together = <Whole>(parts: readonly (object | undefined)[]): Whole =>
  Object.assign({}, ...parts)

/**
 * What a listing makes of its concerns, none of which it knows by name. The types are those of the
 * listing's own concerns; further ones only add to what these make.
 */
export class ListFold {
  readonly concerns: readonly AnyConcern[]
  /** Schemas of the whole state. */
  readonly shape: { readonly [Key in keyof ListState]: Schema<ListState[Key]> }
  /** The state to set whenever the rows change. */
  readonly reset: Partial<ListState>
  /** The state to set whenever the conditions on rows change. */
  readonly cleared: Partial<ListState>
  readonly #initial: Partial<ListState>
  /** All parameters, for the error about an unknown one. */
  readonly #names: readonly string[]
  /** The place of the concern that declares a property. */
  readonly #owners: ReadonlyMap<string, number>
  /** Those that declare a part, so that the others need not be asked for each address and each row query. */
  readonly #presenting: readonly AnyConcern[]
  readonly #presented: readonly AnyConcern[]
  /** Those that read something before conditions are asked for. */
  readonly #preparing: readonly AnyConcern[]
  readonly #conditional: readonly AnyConcern[]

  constructor(concerns: readonly AnyConcern[]) {
    this.concerns = concerns
    this.shape = together(concerns.map(({ state }) => state))
    this.reset = together(concerns.map(({ reset }) => reset))
    this.cleared = together(concerns.map(({ cleared }) => cleared))
    this.#initial = together(concerns.map(({ initial }) => initial))
    this.#names = concerns.flatMap(({ address }) => address.names)
    this.#presenting = concerns.filter(({ presents }) => presents)
    this.#presented = concerns.filter(({ presented }) => presented)
    this.#preparing = concerns.filter(({ prepare }) => prepare)
    this.#conditional = concerns.filter(({ where }) => where)
    this.#owners = new Map(
      concerns.flatMap(({ state }, at) => Object.keys(state).map((name) => [name, at])),
    )
  }

  /** Properties that the browser may change. */
  get writable(): readonly ListWritable[] {
    const names = this.concerns.flatMap(({ writable = [] }) => writable)
    // The names lose their types with the concerns'; those of further concerns are among them.
    return names as ListWritable[]
  }

  /** The state of a newly opened table, with `over` applied. */
  state(over: Partial<ListState> = {}): ListState {
    return together([this.#initial, over])
  }

  /** The actions of all concerns, each called with the context that `contextOf` makes for it. */
  actions(contextOf: (context: ReadyContext) => ListContext<ListState>): ListActions {
    const all = this.concerns.flatMap(({ actions }) => Object.entries(actions))
    return together(
      all.map(([name, action]) => ({
        [name]: {
          ...action,
          run: (context: ListActionContext, ...args: readonly unknown[]) => {
            const run = (opened: Ready<OpenList>) =>
              action.run(contextOf({ ...context, opened }), ...args)
            const { opened, state } = context
            const ready = this.prepare(opened, state, opened.services.plans?.store)
            return ready instanceof Promise ? ready.then(run) : run(ready)
          },
        },
      })),
    )
  }

  /**
   * Reads an address. Pages and sizes out of range are clamped; unknown parameters, columns and
   * orders throw, each with its own code (422), because dropping one would show other rows than asked.
   * `locale` is how the reader writes numbers in forms. Default: English.
   */
  parse(query: URLSearchParams, open: OpenTable, locale = 'en'): ListState {
    for (const name of new Set(query.keys())) {
      if (!this.concerns.some(({ address }) => address.owns(name)))
        throw badParameter(({ address }) => address.unknown(clip(name), this.#names.join(', ')))
      const mayRepeat = this.concerns.some(({ address }) => address.repeats?.(name))
      if (query.getAll(name).length > 1 && !mayRepeat)
        throw badParameter(({ address }) => address.twice(clip(name)))
    }
    return together([
      this.state(),
      ...this.concerns.map(({ address }) => address.read(query, open, locale)),
    ])
  }

  /** `state` with what the person has kept for the table, where the address does not say otherwise. */
  kept(
    state: ListState,
    layout: Json | undefined,
    query: URLSearchParams,
    open: OpenTable,
  ): ListState {
    if (layout === undefined) return state
    return together([state, ...this.concerns.map((one) => one.kept?.(layout, query, open))])
  }

  /** Where a submitted filter form leads. Returns `undefined` unless the address is such a form. */
  destination(
    base: string,
    query: URLSearchParams,
    open: OpenTable,
    locale: string,
  ): string | undefined {
    const isFilledIn = this.concerns.some(({ address }) =>
      address.isFilledIn?.(query, open, locale),
    )
    return isFilledIn ? this.href(base, this.parse(query, open, locale)) : undefined
  }

  /** The parameters of each concern, to be written once for all that need them. */
  written(state: ListState): ListAddress {
    return this.concerns.map((one) => writeOne(one, state))
  }

  /** The parameters where `state` differs from what was written in these properties alone. */
  rewritten(written: ListAddress, state: ListState, changed: Partial<ListState>): ListAddress {
    const all = [...written]
    for (const at of new Set(Object.keys(changed).map((name) => this.#owners.get(name) ?? -1))) {
      const concern = this.concerns[at]
      if (concern) all[at] = writeOne(concern, state)
    }
    return all
  }

  /** The query of a listing's address, empty for a newly opened table. */
  query(state: ListState): string {
    return queryOf(this.written(state))
  }

  /** The address of a listing in this state. */
  href(base: string, state: ListState): string {
    return hrefTo(base, this.written(state))
  }

  /** The state that rows are read and drawn by: where rows are put in order, other parts are set aside. */
  presented(open: OpenTable, state: ListState): ListState {
    const asked = this.#presenting.flatMap((one) => one.presents?.(state, open) ?? [])
    if (asked.length === 0) return state
    const presentation = together<Presentation>(asked)
    return together([
      state,
      ...this.#presented.map((one) => one.presented?.(state, presentation, open)),
    ])
  }

  /** The corrections that are not saved and with which a table is opened; `state` is missing while a page is drawn. */
  opens(state: ListState | undefined, subject: { readonly actor: Actor }): readonly Previewed[] {
    return state ? this.concerns.flatMap((one) => one.opens?.(state, subject) ?? []) : []
  }

  /** Names the conditions on the rows of a listing, by their parameters. */
  conditionsOf(state: ListState): string {
    return this.conditionsIn(this.written(state))
  }

  conditionsIn(written: ListAddress): string {
    return JSON.stringify(
      this.concerns.flatMap(({ where }, at) => (where ? (written[at]?.params ?? []) : [])),
    )
  }

  /** Reads what conditions need that is kept elsewhere; mostly that is nothing, and the answer is there at once. */
  prepare<Open extends OpenTable>(
    open: Open,
    state: ListState,
    store: PlanStore | undefined,
  ): Promise<Ready<Open>> | Ready<Open> {
    const begun = this.#preparing.flatMap((one) => one.prepare?.(state, open, store) ?? [])
    if (begun.length === 0) return { ...open, prepared: {} }
    return Promise.all(begun).then((parts) => ({ ...open, prepared: together<Prepared>(parts) }))
  }

  /** What to change in a state whose only condition takes too long; `undefined` where nothing helps. */
  instead(open: OpenTable, state: ListState): Partial<ListState> | undefined {
    const changes = this.concerns
      .map((one) => one.instead?.(state, open))
      .filter((change) => change !== undefined)
    return changes.length > 0 ? together(changes) : undefined
  }

  /** The conditions on the rows of a listing. */
  conditions(open: Ready, state: ListState, clock: Clock): Predicate[] {
    return this.#conditional.flatMap((concern) => concern.where?.(state, open, clock) ?? [])
  }

  /** What narrows the rows of a listing down, in words. */
  async narrowedBy(context: ReadyContext): Promise<Narrowed<object>> {
    const all = await Promise.all(this.concerns.map(async (one) => one.narrowedBy?.(context)))
    const narrowed = all.filter((one) => one !== undefined)
    return {
      conditions: narrowed.flatMap(({ conditions }) => conditions),
      none: together(narrowed.map(({ none }) => none)),
    }
  }

  /** The condition on the rows of a listing: all its filters and its search. */
  where(open: Ready, state: ListState, clock: Clock): Predicate {
    return allOf(this.conditions(open, state, clock))
  }

  /**
   * The whole query for a page of the rows that fulfil `where`; `total` is how many there are, `null` if
   * that is not known.
   */
  pageQuery(open: OpenTable, state: ListState, total: number | null, where: Predicate): PageQuery {
    let query: PageQuery = { ...EMPTY_QUERY, where }
    for (const concern of this.concerns)
      query = { ...query, ...concern.query?.(state, { opened: open, total, query }) }
    return query
  }
}

/** All of these conditions as one. */
export const allOf = (all: readonly Predicate[]): Predicate =>
  all.length === 0 ? everything : { op: 'and', all }

type Parameters = readonly (readonly [name: string, value: string])[]

/** What each concern writes into the address, in their order: for which rows, and the place among them. */
export type ListAddress = readonly {
  readonly params: [name: string, value: string][]
  readonly place: Parameters
}[]

/** Half of the concerns have no parameters, and a page writes many addresses. */
const writeOne = ({ address }: AnyConcern, state: ListState): ListAddress[number] =>
  address.names.length === 0
    ? UNWRITTEN
    : { params: address.write(state), place: address.place?.(state) ?? [] }

const UNWRITTEN: ListAddress[number] = { params: [], place: [] }

/** The parameters of a listing without those of its place, in their fixed order. */
export function paramsOf(written: ListAddress): [name: string, value: string][] {
  const all: [name: string, value: string][] = []
  for (const { params } of written) all.push(...params)
  return all
}

/** The query of an address as it was written. */
export function queryOf(written: ListAddress): string {
  const all: Parameters[number][] = paramsOf(written)
  for (const { place } of written) all.push(...place)
  return all.map((parameter) => parameter.map(encodeURIComponent).join('=')).join('&')
}

export function hrefTo(base: string, written: ListAddress): string {
  const query = queryOf(written)
  return query === '' ? base : `${base}?${query}`
}

/** The listing's own concerns. */
export const LISTING = new ListFold(CONCERNS)
