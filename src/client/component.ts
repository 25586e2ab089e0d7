/** A live component in the browser: what it shows, and how it is edited and called. */

import type { Json, JsonObject } from '../protocol/json.ts'
import type { Call, ComponentResponse } from '../protocol/wire.ts'

/** All that can be drawn. It is a new object after each change, and the same one otherwise. */
export type ComponentState = {
  /** The view that the server last sent; parts that have not changed are the same objects. */
  readonly view: Json
  /** The state that the person sees: confirmed data, with unconfirmed edits on top. */
  readonly data: JsonObject
  /** Messages by field, `''` for the whole component. */
  readonly errors: { readonly [field: string]: readonly string[] }
  /** Whether a request of this component waits or is in flight. */
  readonly pending: boolean
  /** Paths of edits that the server has not confirmed. */
  readonly dirty: readonly string[]
  /** False for a lazy component whose view has not been read. */
  readonly isDrawn: boolean
}

/** What the person waits for: calls that are not settled, and paths of edits in flight. */
export type WaitingFor = {
  readonly calls: readonly Call[]
  readonly paths: readonly string[]
}

export type SetOptions = {
  /** Send the edit by itself, when typing has paused for 150 ms (spec §9). Default: false. */
  live?: boolean
  /** Like `live`, after a pause of so many ms; `true` means 250 (spec §9). Default: false. */
  debounce?: boolean | number
  /**
   * Send the edit at once, and later ones at most once in so many ms, the last one always; `true`
   * means 250 (spec §9). Default: false.
   */
  throttle?: boolean | number
  /**
   * Nobody would miss the edit if the page were left before it is sent, so leaving does not ask.
   * Default: false.
   */
  fleeting?: boolean
}

/** Returns whether a refresh waits. */
export type Screen = (refresh: ComponentResponse, view: Json) => boolean

export type LiveComponent = {
  readonly id: string
  readonly name: string
  getState(): ComponentState
  /** The state as the server drew it, whatever has changed since; React hydrates with it. */
  getInitialState(): ComponentState
  /** Runs `listener` after each change; returns its cleanup. */
  subscribe(listener: () => void): () => void
  /** What is waited for. Apart from the state, because a query redraws nothing. */
  readonly waitingFor: {
    getState(): WaitingFor
    subscribe(listener: () => void): () => void
  }
  /**
   * Edits a writable property by dotted path. The next request sends it, or its own with `live`,
   * `debounce` or `throttle`.
   */
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
   * Calls a query; once `signal` is aborted, the promise rejects with the code `CANCELLED`, and the
   * server stops working on it. Throws if the action is no query.
   */
  ask(signal: AbortSignal, method: string, ...params: Json[]): Promise<Json>
  /**
   * Cancels the request in flight: its calls reject with the code `CANCELLED`, its edits wait for the
   * next request. A write that has reached the server goes on there.
   */
  cancel(): void
  /**
   * Fetches the view again, as a poll does: beside updates and without edits. The answer is dropped if
   * an update began or was answered meanwhile. Resolves to whether the server answered.
   */
  refresh(): Promise<boolean>
  /**
   * Asks `by` about each refresh, with the view that the component's state belongs to; what it returns
   * `true` for waits until `show`, or until a newer answer comes.
   */
  screen(by: Screen | null): void
  /** Shows a refresh that waits; returns `false` if a newer answer has come, or an update is in flight. */
  show(refresh: ComponentResponse): boolean
  /** Shows another view for now; actions go on being about the one before. */
  showForNow(view: Json): void
  /** Asks for the view of a lazy component, unless it was read or asked for before. */
  draw(): void
}
