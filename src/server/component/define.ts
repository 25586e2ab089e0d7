/** Makes a component from its definition: typed for its users, untyped for the runtime. */

import type { ComponentTypes, Typed } from '../../protocol/component-types.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type {
  Action,
  ComponentDefinition,
  Context,
  Intent,
  Listener,
  LoadContext,
  Loaded,
  ReturnOf,
  MountContext,
  Schema,
  StateOf,
  StateShape,
  Subject,
  ViewInput,
} from './component.ts'
import { uploadActions } from '../upload/upload-actions.ts'
import type { Events } from './effects.ts'

/**
 * A component as the runtime sees it, without its types. The compiler checked the definition; schemas
 * check state, arguments and events on every request.
 */
export type AnyComponent = {
  readonly name: string
  readonly params: Schema | undefined
  /** Schemas of the state; they may depend on the parameters. */
  state(params: Json): ReadonlyMap<string, Schema>
  readonly writable: ReadonlySet<string>
  readonly actions: ReadonlyMap<string, Action>
  /** Names of the actions that are queries. */
  readonly queries: readonly string[]
  readonly dispatches: ReadonlyMap<string, Schema>
  readonly on: ReadonlyMap<string, Listener>
  open(subject: Subject, state?: Readonly<JsonObject>): unknown
  channels(context: LoadContext): readonly string[]
  /** Whether events wait while a person interacts with the page. */
  readonly yields: boolean
  authorize(context: LoadContext, intent: Intent): boolean | Promise<boolean>
  mount(context: MountContext): JsonObject | Promise<JsonObject>
  updated(context: Context, paths: readonly string[], before: JsonObject): void | Promise<void>
  dependsOn(context: LoadContext): string | null | Promise<string | null>
  sharedAs(context: LoadContext): string | null
  load(context: LoadContext): Loaded<unknown, JsonObject> | Promise<Loaded<unknown, JsonObject>>
  view(input: ViewInput<JsonObject, unknown>): unknown
}

/** A component with the parameters that a page gives it. */
export type Mounted<Types extends ComponentTypes = ComponentTypes> = {
  readonly component: AnyComponent & Typed<Types>
  readonly params: Json
  /** Whether its view is read only when the browser asks for it. Default: with the page. */
  readonly lazy?: true
}

/** The types of a lazily mounted component: the page is drawn without its view. */
export type LazyTypes = ComponentTypes & { readonly view: null }

/** A defined component: a page mounts it, and the browser knows its types. */
export type Component<
  Params = never,
  Types extends ComponentTypes = ComponentTypes,
> = AnyComponent &
  Typed<Types> & {
    /** The component with its parameters, for a slot of a page. */
    with(...params: [Params] extends [void] ? [] : [params: Params]): Mounted<Types>
    /** Like `with`, but its view is read only when the browser asks, with `useLazy`. */
    lazy(...params: [Params] extends [void] ? [] : [params: Params]): Mounted<LazyTypes>
  }

/** The types of a definition, as the browser sees them. */
export type DefinedTypes<Shape extends StateShape, Writable, Args, Actions, View, Sent> = {
  readonly view: View
  readonly state: StateOf<Shape>
  readonly writable: Writable & string
  readonly actions: {
    readonly [Name in keyof Args & keyof Actions & string]: {
      readonly args: Args[Name] extends readonly unknown[] ? Args[Name] : never
      readonly returns: ReturnOf<Actions[Name]>
    }
  }
  readonly events: { readonly [Event in keyof Sent & string]: Sent[Event] & Json }
}

/**
 * Defines a server component: state declared by schemas, actions that run on the server, and a
 * view that React draws. Properties are locked unless listed in `writable`. TypeScript infers from
 * the top down, so write the properties in the order of the example.
 *
 * @example
 * export const tally = defineComponent({
 *   name: 'tally',
 *   params: v.object({ start: v.number() }),
 *   state: { count: v.number() },
 *   authorize: ({ actor }) => actor.role !== 'viewer',
 *   mount: ({ params }) => ({ count: params.start }),
 *   actions: {
 *     add: { args: v.strictTuple([v.number()]), run: ({ state }, by) => void (state.count += by) },
 *   },
 *   view: ({ state }) => ({ count: state.count }),
 * })
 */
export function defineComponent<
  const Shape extends StateShape,
  const Writable extends keyof Shape & string,
  Args extends { readonly [action: string]: readonly unknown[] },
  Actions extends { readonly [action: string]: unknown },
  View,
  Params = void,
  Opened = undefined,
  Sent extends Events = {},
  Heard extends Events = {},
  Data = undefined,
>(
  definition: ComponentDefinition<
    Params,
    Shape,
    Writable,
    Opened,
    Sent,
    Args,
    Actions,
    Heard,
    Data,
    View
  >,
): Component<Params, DefinedTypes<Shape, Writable, Args, Actions, View, Sent>> {
  const { state, params, open, channels, updated, dependsOn, sharedAs, load } = definition
  const actions = new Map([
    ...Object.entries(definition.actions),
    ...uploadActions(definition.uploads),
  ])
  // The one place where a definition loses its types; from here on, schemas check every value.
  const erased = {
    name: definition.name,
    params,
    state: shapeOf(state),
    writable: new Set(definition.writable),
    actions,
    queries: [...actions].flatMap(([name, { kind }]) => (kind === 'query' ? [name] : [])),
    dispatches: new Map(Object.entries(definition.dispatches ?? {})),
    on: new Map(Object.entries(definition.on ?? {})),
    open: open ? open.bind(definition) : () => undefined,
    channels: channels ? channels.bind(definition) : () => [],
    yields: definition.yields ?? true,
    authorize: definition.authorize.bind(definition),
    mount: definition.mount.bind(definition),
    updated: updated ? updated.bind(definition) : () => {},
    dependsOn: dependsOn ? dependsOn.bind(definition) : () => null,
    sharedAs: sharedAs ? sharedAs.bind(definition) : () => null,
    load: load ? load.bind(definition) : () => NOTHING,
    view: definition.view.bind(definition),
    with: (given: Json = null): Mounted => ({ component, params: given }),
    lazy: (given: Json = null): Mounted => ({ component, params: given, lazy: true }),
  }
  // The compiler has checked the definition against these types.
  const component = erased as unknown as Component<
    Params,
    DefinedTypes<Shape, Writable, Args, Actions, View, Sent>
  >
  return component
}

const NOTHING: Loaded<undefined, JsonObject> = { data: undefined }

/** Schemas by property. A shape that does not depend on the parameters is made once. */
function shapeOf<Params, Shape extends StateShape>(state: Shape | ((params: Params) => Shape)) {
  if (typeof state === 'function') return (params: Params) => new Map(Object.entries(state(params)))
  const fixed = new Map(Object.entries(state))
  return () => fixed
}
