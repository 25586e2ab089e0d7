/** A live component in the browser: what it shows, and how it is edited and called. */

import type { Json, JsonObject } from '../protocol/json.ts'

/** All that can be drawn. It is a new object after each change, and the same one otherwise. */
export type ComponentState = {
  /** The view that the server last sent. */
  readonly view: Json
  /** The state that the person sees: confirmed data, with unconfirmed edits on top. */
  readonly data: JsonObject
  /** Messages by field, `''` for the whole component. */
  readonly errors: { readonly [field: string]: readonly string[] }
  /** Whether a request of this component waits or is in flight. */
  readonly pending: boolean
}

export type SetOptions = {
  /** Send the edit by itself, when typing has paused for 150 ms (spec §9). Default: false. */
  live?: boolean
}

export type LiveComponent = {
  readonly id: string
  readonly name: string
  getState(): ComponentState
  /** The state as the server drew it, whatever has changed since; React hydrates with it. */
  getInitialState(): ComponentState
  /** Runs `listener` after each change; returns its cleanup. */
  subscribe(listener: () => void): () => void
  /** Edits a writable property by dotted path. The next request sends it, or with `live` its own. */
  set(path: string, value: Json, options?: SetOptions): void
  /** Call on focus: until `letGo`, no answer changes what the field at `path` shows. */
  hold(path: string, value: Json): void
  letGo(path: string): void
  /**
   * Calls an action. The promise always settles: with what the action returned, or with a
   * `CallError`. A query is sent beside updates; it sends no edit and waits for none.
   */
  call(method: string, ...params: Json[]): Promise<Json>
  /**
   * Fetches the view again, as a poll does: beside updates and without edits. The answer is dropped if
   * an update began or was answered meanwhile.
   */
  refresh(): Promise<void>
}
