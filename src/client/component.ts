/** A live component as the browser sees it: what it shows, what is typed, and what can be asked. */

import type { Json, JsonObject } from '../protocol/json.ts'

/** Everything one may draw. A new object each time something changes, the same one otherwise. */
export type ComponentState = {
  /** What the server last asked to draw. */
  readonly view: Json
  /** Ephemeral state: what the person sees, with edits the server has not confirmed. */
  readonly data: JsonObject
  /** Messages by field, `''` for the whole component. */
  readonly errors: { readonly [field: string]: readonly string[] }
  /** Whether a request of this component is waiting or under way. */
  readonly pending: boolean
}

export type SetOptions = {
  /** Send without being asked, after typing has settled for 150 ms (spec §9). Default: false. */
  live?: boolean
}

export type LiveComponent = {
  readonly id: string
  readonly name: string
  getState(): ComponentState
  /** As the server drew it, whatever has been typed since: what React hydrates with. */
  getInitialState(): ComponentState
  /** Runs `listener` after each change; returns its cleanup. */
  subscribe(listener: () => void): () => void
  /** Edits a writable property by dotted path; it travels with the next request, or by itself. */
  set(path: string, value: Json, options?: SetOptions): void
  /** The field at `path` is being typed in: until it is let go, no answer changes what it shows. */
  hold(path: string, value: Json): void
  letGo(path: string): void
  /**
   * Asks for an action. Always settles: with what it returned, or with a `CallError`. A query is
   * asked beside everything else; it sends no edit and waits for none.
   */
  call(method: string, ...params: Json[]): Promise<Json>
  /**
   * Asks for the view anew, as a poll does: beside everything, with no edits. Its answer is dropped
   * where an update began or was answered meanwhile.
   */
  refresh(): Promise<void>
}
