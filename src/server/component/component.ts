/** Components: how one is defined, and what its code is given. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { Dispatch, Effects } from '../../protocol/wire.ts'
import type { Actor } from '../actor.ts'

/**
 * Any Standard Schema (Valibot, Zod, ArkType …) whose output is plain JSON of type `T`. A schema of
 * state has to take what it has put out, since state is decoded again after each change.
 */
export type Schema<T = Json> = StandardSchemaV1<unknown, T>

export type StateShape = { readonly [property: string]: Schema }

export type StateOf<Shape extends StateShape> = {
  -readonly [Key in keyof Shape]: StandardSchemaV1.InferOutput<Shape[Key]>
}

/** What a component's code knows of the request it serves. */
export type Context<State = JsonObject> = {
  readonly actor: Actor
  /** Declared state; actions change it in place. */
  readonly state: State
  /** Path of the page that the component stands on. */
  readonly path: string
  /** How the reader writes numbers and dates, such as `en-GB`. */
  readonly locale: string
  /** Language of the copy around the component, such as `en`. */
  readonly language: string
  /** Zone that the reader is in, such as `Europe/Vienna`, once the browser has said it. */
  readonly timeZone?: string | undefined
  /** Aborted when nobody waits for the answer any more; never while a declared write runs. */
  readonly signal: AbortSignal
  readonly effects: EffectSink
}

/** What an action may ask the browser to do, besides drawing the view. */
export type EffectSink = {
  /** Shows a message at a field, or for the whole component where `field` is `''`. */
  error(field: string, message: string): void
  dispatch(event: Dispatch): void
  redirect(href: string): void
  url(href: string, mode?: 'push' | 'replace'): void
  download(href: string, name: string): void
}

/** What is about to happen: an update of properties, an action by name, or only the view. */
export type Intent =
  | { readonly kind: 'view' }
  | { readonly kind: 'update' }
  | { readonly kind: 'call'; readonly action: string }

export type Action<State, Args extends readonly unknown[]> = {
  /** Schema of the whole argument list, such as `v.strictTuple([v.string()])`. */
  readonly args: Schema<Args>
  /** Declared writes store an idempotency record, so that a retry has one effect. Default: false. */
  readonly write?: boolean
  run(context: Context<State>, ...args: Args): unknown
}

export type ComponentDefinition<
  Shape extends StateShape,
  Params,
  View,
  Args extends { readonly [action: string]: readonly unknown[] },
> = {
  /** Unique among the components of an application. */
  readonly name: string
  readonly state: Shape
  /** Properties that the browser may change; all others are locked. Default: none. */
  readonly writable?: readonly (keyof Shape & string)[]
  /**
   * Asked on every request, with whoever makes it: before its updates and each of its calls, and
   * before the view. When a page is drawn it comes after `mount`, as only then there is a state to
   * ask about; so `mount` makes the first state, and does nothing else.
   */
  authorize(context: Context<StateOf<Shape>>, intent: Intent): boolean | Promise<boolean>
  /** The first state, when a page is drawn. */
  mount(
    context: Omit<Context<never>, 'state'>,
    params: Params,
  ): StateOf<Shape> | Promise<StateOf<Shape>>
  /** Runs after the browser's updates were applied and before calls; `paths` are dotted. */
  updated?(context: Context<StateOf<Shape>>, paths: readonly string[]): void | Promise<void>
  readonly actions: { readonly [Name in keyof Args]: Action<StateOf<Shape>, Args[Name]> }
  /** What React draws: plain JSON. */
  view(context: Context<StateOf<Shape>>): View | Promise<View>
}

/**
 * A defined component, its types forgotten: what the runtime works with. Its shape is checked
 * where it was defined, and its state and arguments by their schemas on every request.
 */
export type Component<Params = never> = {
  readonly name: string
  readonly state: ReadonlyMap<string, Schema>
  readonly writable: ReadonlySet<string>
  readonly actions: ReadonlyMap<string, Action<JsonObject, readonly unknown[]>>
  authorize(context: Context, intent: Intent): boolean | Promise<boolean>
  mount(context: Omit<Context, 'state'>, params: Params): JsonObject | Promise<JsonObject>
  updated(context: Context, paths: readonly string[]): void | Promise<void>
  view(context: Context): unknown
}

/**
 * Defines a server component: state declared by schemas, actions that run on the server, and a
 * view that React draws. Properties are locked unless listed in `writable`.
 *
 * @example
 * const tally = defineComponent({
 *   name: 'tally',
 *   state: { count: v.number() },
 *   authorize: ({ actor }) => actor.role !== 'viewer',
 *   mount: () => ({ count: 0 }),
 *   actions: { add: { args: v.strictTuple([v.number()]), run: ({ state }, by) => { state.count += by } } },
 *   view: ({ state }) => ({ count: state.count }),
 * })
 */
export function defineComponent<
  const Shape extends StateShape,
  View,
  Args extends { readonly [action: string]: readonly unknown[] },
  Params = void,
>(definition: ComponentDefinition<Shape, Params, View, Args>): Component<Params> {
  const { updated } = definition
  // The one place where a definition's types are let go; schemas guard every value from here on.
  const erased = {
    name: definition.name,
    state: new Map(Object.entries(definition.state)),
    writable: new Set(definition.writable),
    actions: new Map(Object.entries(definition.actions)),
    authorize: definition.authorize.bind(definition),
    mount: definition.mount.bind(definition),
    updated: updated ? updated.bind(definition) : () => {},
    view: definition.view.bind(definition),
  }
  return erased as unknown as Component<Params>
}

/** An effect sink and the effects it has collected. */
export function collectEffects(): { sink: EffectSink; effects: Effects } {
  const effects: Effects = {}
  const sink: EffectSink = {
    error(field, message) {
      effects.errors ??= {}
      ;(effects.errors[field] ??= []).push(message)
    },
    dispatch: (event) => void (effects.dispatches ??= []).push(event),
    redirect: (href) => void (effects.redirect = href),
    url: (href, mode = 'push') => void (effects.url = { href, mode }),
    download: (href, name) => void (effects.download = { href, name }),
  }
  return { sink, effects }
}
