/** The contract of components: how one is defined, and what its hooks are given. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { Actor } from '../actor.ts'
import type { Reader } from '../http/locale.ts'
import type { UploadCalls } from '../upload/component-uploads.ts'
import type { UploadRules } from '../upload/upload-rules.ts'
import type { EffectSink, Events } from './effects.ts'
import type { Services } from './services.ts'

/**
 * Any Standard Schema (Valibot, Zod, ArkType …) whose output is plain JSON of type `T`. A schema of
 * state has to accept its own output, because state is decoded again after each change.
 */
export type Schema<T = Json> = StandardSchemaV1<unknown, T>

export type StateShape = { readonly [property: string]: Schema }

export type StateOf<Shape extends StateShape> = {
  -readonly [Key in keyof Shape]: StandardSchemaV1.InferOutput<Shape[Key]>
}

/** Whom and what a component is for: the actor, and the parameters that the page gave it. */
export type Subject<Params = unknown> = Services & {
  readonly actor: Actor
  readonly params: Params
  /** Aborted when the client disconnects; never while a declared write runs. */
  readonly signal: AbortSignal
}

/** What every hook of a component knows of the request that it serves. */
export type Request<Params = unknown, Opened = unknown> = Subject<Params> &
  Reader & {
    /** What `open` returned for this request. */
    readonly opened: Opened
    /** Path of the component's page. */
    readonly path: string
    /** Names the person's session; it stays the same when the session's id changes. */
    readonly lineage: string
    /** Files that this person has uploaded to the component. */
    readonly uploads: UploadCalls
    /** Whether somebody has asked to go on with what took too long. Default: false. */
    readonly isPatient?: boolean
  }

/** What an action is given. */
export type Context<
  State = JsonObject,
  Params = unknown,
  Opened = unknown,
  Sent = Events,
> = Request<Params, Opened> & {
  /** Declared state; actions change it in place. A query is given a copy of its own. */
  readonly state: State
  readonly effects: EffectSink<Sent>
}

/** What `mount` is given: no state yet, but the query of the page's address. */
export type MountContext<Params = unknown, Opened = unknown> = Request<Params, Opened> & {
  /** The query of the address that was requested. */
  readonly query: URLSearchParams
}

/** What `load` and `dependsOn` are given. They change nothing, so the state is read-only. */
export type LoadContext<State = JsonObject, Params = unknown, Opened = unknown> = Request<
  Params,
  Opened
> & {
  readonly state: Readonly<State>
  /** The query of the requested address. Given only while a page is drawn: other requests have none. */
  readonly query?: URLSearchParams
}

/** What `load` read, and the properties of the next state that follow from it. */
export type Loaded<Data, State> = { readonly data: Data; readonly state?: Partial<State> }

/** The input of `view`. The same input makes the same view. */
export type ViewInput<State, Data, Params = unknown, Opened = unknown> = Reader & {
  readonly state: Readonly<State>
  readonly data: Data
  readonly params: Params
  readonly opened: Opened
}

/** What is to be authorized: an update of properties, an action or event by name, or the view. */
export type Intent =
  | { readonly kind: 'view' }
  | { readonly kind: 'update' }
  | { readonly kind: 'call'; readonly action: string }
  | { readonly kind: 'event'; readonly event: string }

/**
 * A `query` answers and changes nothing: it runs beside updates, and nothing is drawn after it. A
 * `command` changes state. A `write` changes data, and stores an idempotency record so that a retry
 * has one effect. A `write` throws an `AppError` with a status below 500, or `BUSY`, only before it
 * writes: after such an error its key is free, and a retry runs it again.
 */
export type ActionKind = 'query' | 'command' | 'write'

export type Action<
  State = JsonObject,
  Args extends readonly unknown[] = readonly unknown[],
  Params = unknown,
  Opened = unknown,
  Sent = Events,
> = {
  /** Default: `command`. */
  readonly kind?: ActionKind
  /**
   * Whether a `write` may change rows of the database, so that whoever watches them is told. Default true;
   * one of a person's own preferences changes none.
   */
  readonly changesRows?: boolean
  /** Schema of the whole argument list, such as `v.strictTuple([v.string()])`. */
  readonly args: Schema<Args>
  run(context: Context<State, Params, Opened, Sent>, ...args: Args): unknown
}

/**
 * What a component does when another one on the page dispatches an event. It changes state and
 * nothing else: no record keeps an event from being told again when a batch is retried.
 */
export type Listener<
  State = JsonObject,
  Detail = Json,
  Params = unknown,
  Opened = unknown,
  Sent = Events,
> = {
  readonly detail: Schema<Detail>
  run(context: Context<State, Params, Opened, Sent>, detail: Detail): unknown
}

/** The type that an action's `run` returns. */
export type ReturnOf<Written> = Written extends { run(...args: never): infer Returned }
  ? Returned
  : never

type ArgsByName = { readonly [action: string]: readonly unknown[] }

/** Declared as a method, so that the runtime may call it with any component's context. */
type UploadRulesBy<Given> = {
  rules(property: string, context: Given): UploadRules | undefined
}['rules']

export type ComponentDefinition<
  Params,
  Shape extends StateShape,
  Writable extends keyof Shape & string,
  Opened,
  Sent extends Events,
  Args extends ArgsByName,
  Actions extends { readonly [action: string]: unknown },
  Heard extends Events,
  Data,
  View,
> = {
  /** Unique among the components of an application. */
  readonly name: string
  /** What a page gives the component; sealed in its snapshot. Default: nothing. */
  readonly params?: Schema<Params>
  /** Schemas of the state by property, or a function of the parameters that returns them. */
  readonly state: Shape | ((params: Params) => Shape)
  /** Properties that the browser may change; all others are locked. Default: none. */
  readonly writable?: readonly Writable[]
  /**
   * Looks up what the parameters stand for, for every other hook to use as `opened`: once a request,
   * and once more before the view where something has run. `state` is missing while a page is drawn. Throws
   * where there is no such thing, or none that the actor may know of.
   */
  open?(subject: Subject<Params>, state?: Readonly<StateOf<Shape>>): Opened | Promise<Opened>
  /**
   * Names of the channels whose events refresh the view in the browser, as `channelName` returns them.
   * Whoever sees the component has to be allowed to join them. Once a page is open, more are joined where the
   * state asks for them, and none is left. Default: none.
   */
  channels?(context: LoadContext<StateOf<Shape>, Params, Opened>): readonly string[]
  /**
   * Whether events wait to refresh it while a person interacts with the page or has paused it. Default: true; false
   * for one that tells how something goes on and moves nothing else, such as a progress bar.
   */
  readonly yields?: boolean
  /**
   * Which properties take uploads, by dotted path, and of what; their schema is `uploadedFiles`. The four
   * calls of an upload (spec §4) are actions then, which `authorize` is asked about by their names.
   * Default: none.
   */
  readonly uploads?:
    | { readonly [property: string]: UploadRules }
    | UploadRulesBy<LoadContext<StateOf<Shape>, Params, Opened>>
  /** Events that actions may dispatch, with the schema of each one's detail. Default: none. */
  readonly dispatches?: { readonly [Event in keyof Sent]: Schema<Sent[Event]> }
  /**
   * Called on every request: for the update of properties, or for each call, or else for the view;
   * and for the view again after something has run. When a page is drawn it is called after `mount`,
   * so `mount` should only make the first state.
   */
  authorize(
    context: LoadContext<StateOf<Shape>, Params, Opened>,
    intent: Intent,
  ): boolean | Promise<boolean>
  /** The first state, when a page is drawn. */
  mount(context: MountContext<Params, Opened>): StateOf<Shape> | Promise<StateOf<Shape>>
  /**
   * Runs after the browser's updates are applied and before calls; `paths` are dotted, and `before` is
   * the state without the updates.
   */
  updated?(
    context: Context<StateOf<Shape>, Params, Opened, Sent>,
    paths: readonly string[],
    before: Readonly<StateOf<Shape>>,
  ): void | Promise<void>
  readonly actions: {
    readonly [Name in keyof Args]: Action<StateOf<Shape>, Args[Name], Params, Opened, Sent>
  } & Actions
  /** Handlers for events of other components on the page. Default: none. */
  readonly on?: {
    readonly [Event in keyof Heard]: Listener<StateOf<Shape>, Heard[Event], Params, Opened, Sent>
  }
  /**
   * Names what the view depends on besides the parameters, the state, the reader's language and what
   * `dependsOn` names, such as what the actor may see: a refresh is read once for all who have the same
   * name. Default: `null`, so everybody's is read for themselves.
   */
  sharedAs?(context: LoadContext<StateOf<Shape>, Params, Opened>): string | null
  /**
   * A text that identifies what the view is read from, such as table, policy and data version. While
   * it and the state stay the same, a refresh reads and draws nothing. It must change whenever what
   * `load` returns may have changed. Default: `null`, so every refresh reads. Where both run, `load` is
   * given the very same context.
   */
  dependsOn?(
    context: LoadContext<StateOf<Shape>, Params, Opened>,
  ): string | null | Promise<string | null>
  /** Reads what the view shows. Default: nothing is read. */
  load?(
    context: LoadContext<StateOf<Shape>, Params, Opened>,
  ): Loaded<Data, StateOf<Shape>> | Promise<Loaded<Data, StateOf<Shape>>>
  /** What React draws: plain JSON, made of nothing but its input. */
  view(input: ViewInput<StateOf<Shape>, Data, Params, Opened>): View
}
