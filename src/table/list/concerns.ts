/** The concerns of the listing, and the types that they make together. */

import type {
  ActionKind,
  Context,
  ReturnOf,
  Schema,
  StateOf,
  StateShape,
} from '../../server/component/component.ts'
import type { Concern, ListParams, OpenList } from './concern.ts'
import { bulk } from './concerns/bulk.ts'
import { byKey } from './concerns/by-key.ts'
import { columns } from './concerns/columns.ts'
import { deleted } from './concerns/deleted.ts'
import { filtering } from './concerns/filters.ts'
import { keptOut } from './concerns/kept-out.ts'
import { leftRows } from './concerns/left.ts'
import { paging } from './concerns/paging.ts'
import { reordering } from './concerns/reorder.ts'
import { savedView } from './concerns/saved-view.ts'
import { previewing } from './concerns/preview.ts'
import { searching } from './concerns/search.ts'
import { selection } from './concerns/selection.ts'
import { sorting } from './concerns/sort.ts'

/** In the order of their parameters in an address. */
const concerns = [
  searching,
  filtering,
  leftRows,
  sorting,
  paging,
  columns,
  deleted,
  reordering,
  selection,
  bulk,
  keptOut,
  byKey,
  savedView,
  previewing,
] as const

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

/** Properties that the browser may change. */
export type ListWritable = NonNullable<Each['writable']>[number]

/** The component's context of an action; the fold makes a concern's context of it. */
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

type AnyActions = { readonly [action: string]: readonly unknown[] }

/**
 * A concern as the listing combines it. `defineConcern` checks each against its own part of the
 * state; the listing passes the whole state, which holds every part.
 */
export type AnyConcern = Concern<
  string,
  StateShape,
  string,
  AnyActions,
  { [action: string]: unknown },
  unknown,
  object
>

export const CONCERNS: readonly AnyConcern[] = concerns
