/** Types of a component that the browser imports with `import type`, without any server code. */

import type { Json } from './json.ts'

/** The types of one action: its arguments, and what its promise resolves to. */
export type ActionTypes = { readonly args: readonly unknown[]; readonly returns: unknown }

/** The types of one component, inferred from its definition on the server. */
export type ComponentTypes = {
  readonly view: unknown
  readonly state: object
  /** Names of the properties that the browser may change. */
  readonly writable: string
  readonly actions: { readonly [name: string]: ActionTypes }
  /** Details of the events that it sends, by name. Default: it sends none. */
  readonly events?: { readonly [name: string]: Json }
}

/** Carries the types of a component. The property is never there; only the compiler reads it. */
export type Typed<Types extends ComponentTypes = ComponentTypes> = { readonly '~types'?: Types }

/** The types that a component carries. */
export type TypesOf<Component extends Typed> =
  Component extends Typed<infer Types extends ComponentTypes> ? Types : never

/** Details of the events that a component sends, by name. */
export type EventsOf<Types extends ComponentTypes> = Types extends {
  readonly events: infer Events extends { readonly [name: string]: Json }
}
  ? Events
  : {}

/** The type of a value after it was sent as JSON. */
export type Serialized<Value> = Value extends undefined | void
  ? null
  : Value extends string | number | boolean | null
    ? Value
    : Value extends { toJSON(): infer Json }
      ? Serialized<Json>
      : Value extends (...args: never[]) => unknown
        ? null
        : Value extends readonly unknown[]
          ? { [Index in keyof Value]: Serialized<Value[Index]> }
          : Value extends object
            ? SerializedObject<Value>
            : unknown

/** JSON leaves out properties that are `undefined`, so they become optional. */
type SerializedObject<Value> = Simple<
  {
    [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Serialized<Value[Key]>
  } & {
    [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Serialized<
      Exclude<Value[Key], undefined>
    >
  }
>

type Simple<Type> = { [Key in keyof Type]: Type[Key] }

/** What an action's promise resolves to. `undefined` is sent as `null`, and becomes `void`. */
export type Returned<Value> = Value extends undefined | void ? void : Serialized<Value>

/** The actions of a component as the browser and tests call them. */
export type Calls<Types extends ComponentTypes> = {
  readonly [Name in keyof Types['actions']]: (
    ...args: Types['actions'][Name]['args']
  ) => Promise<Returned<Awaited<Types['actions'][Name]['returns']>>>
}

/** A path of a writable property: its name, or a part of it by dotted path. */
export type WritablePath<Types extends ComponentTypes> =
  | Types['writable']
  | `${Types['writable']}.${string}`

/** The value at a writable path; any JSON where the path leads inside a property. */
export type WritableValue<
  Types extends ComponentTypes,
  Path extends string,
  Inside,
> = Path extends keyof Types['state'] ? Types['state'][Path] : Inside

/** An object with a function for each action; all of them call `ask`. Only types check the names. */
export function callsOf<Types extends ComponentTypes>(
  ask: (method: string, ...params: Json[]) => Promise<Json>,
): Calls<Types> {
  const calls = new Map<string, (...params: Json[]) => Promise<Json>>()
  // The target stays empty: `get` answers for every name.
  return new Proxy({} as Calls<Types>, {
    get(_, method) {
      // Consoles read symbols when they print an object.
      if (typeof method === 'symbol') return undefined
      const call = calls.get(method) ?? ((...params: Json[]) => ask(method, ...params))
      calls.set(method, call)
      return call
    },
  })
}
