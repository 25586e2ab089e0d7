/** One component in the browser: confirmed state, edits over it, and calls that wait. */

import { type Json, type JsonObject, sameJson } from '../protocol/json.ts'
import type { PageComponent } from '../protocol/page.ts'
import {
  type ComponentRequest,
  type ComponentResponse,
  type Effects,
  type Snapshot,
  UPDATE_LIMITS,
} from '../protocol/wire.ts'
import { type CallError, leftPage } from './call-error.ts'
import type { ComponentState } from './component.ts'
import { addEdit, applyEdits, type Edits, mergeEdits, noEdits, withoutEchoes } from './edits.ts'
import { createObservable } from './observable.ts'
import { settle, type WaitingCall } from './waiting-call.ts'

/** The request in flight: its edits and calls, and the epoch of the page when it left. */
type InFlight = {
  readonly edits: Edits
  readonly calls: readonly WaitingCall[]
  readonly epoch: number
}

/**
 * Canonical data are what the server confirmed. The person sees those data with the edits in flight
 * and then the newer ones on top, so an answer can never undo a newer edit. A held field (one being
 * typed in) keeps what it shows until it is released. Edits that the server refuses stay visible and
 * are not sent again until they are changed.
 */
export class Store {
  readonly id: string
  readonly name: string
  /** Path of the page that the component was mounted for. */
  readonly path: string
  /** Names of the actions that are queries, and of the events that it listens to. */
  readonly queries: ReadonlySet<string>
  readonly listens: ReadonlySet<string>
  #snapshot: string
  #canonical: JsonObject
  #view: Json
  #errors: ComponentState['errors'] = {}
  /** Errors of calls whose first answer was lost or came too late: shown until the next call. */
  #lateErrors: ComponentState['errors'] = {}
  #edits: Edits = noEdits
  #calls: WaitingCall[] = []
  #inFlight: InFlight | null = null
  /** Edits that the server refused; none overlaps one that waits. */
  #refused: Edits = noEdits
  #held: Edits = noEdits
  #outdated = false
  /** How often the snapshot was fetched anew since the server last accepted one. */
  #renewals = 0
  /** Raised when the page is fetched anew, to recognize answers that describe an older page. */
  #epoch = 0
  #left = false
  /** Raised when an update begins or is answered, so that an older refresh is dropped. */
  #version = 0
  readonly #initial: ComponentState
  readonly #state

  constructor(component: PageComponent) {
    this.id = component.id
    this.name = component.name
    this.queries = new Set(component.queries)
    this.listens = new Set(component.listens)
    this.#snapshot = component.snapshot
    const { data, memo } = parseSnapshot(component.snapshot)
    this.path = memo.path
    this.#canonical = data
    this.#view = component.view
    this.#initial = this.#draw()
    this.#state = createObservable(this.#initial)
  }

  getState = (): ComponentState => this.#state.getState()
  getInitialState = (): ComponentState => this.#initial
  subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener)

  /** Whether a request may leave: none is in flight, and the snapshot is not outdated. */
  get isReady(): boolean {
    return this.#inFlight === null && !this.#outdated
  }

  /** Whether the server has called the snapshot outdated. */
  get isOutdated(): boolean {
    return this.#outdated
  }

  /** How often in a row the snapshot was fetched anew because it was outdated. */
  get renewals(): number {
    return this.#renewals
  }

  /** Whether the page no longer has this component. */
  get isLeft(): boolean {
    return this.#left
  }

  /** Whether there is anything that has not been sent. */
  get isWaiting(): boolean {
    return this.#edits.size > 0 || this.#calls.length > 0
  }

  /** Edits and calls that the server has not answered. */
  get waiting(): number {
    const { edits = noEdits, calls = [] } = this.#inFlight ?? {}
    return this.#edits.size + this.#calls.length + edits.size + calls.length
  }

  /** The current snapshot, for queries and refreshes. */
  get snapshot(): string {
    return this.#snapshot
  }

  /** Changes whenever an update begins or is answered. */
  get version(): number {
    return this.#version
  }

  /** All edits that the server has not confirmed. */
  get unconfirmed(): Edits {
    const sendable = mergeEdits(this.#inFlight?.edits ?? noEdits, this.#edits)
    return mergeEdits(sendable, this.#refused)
  }

  edit(path: string, value: Json): void {
    this.#reconsider(path)
    this.#edits = addEdit(this.#edits, path, value)
    this.#dropEchoes()
    if (this.#held.has(path)) this.#held = addEdit(this.#held, path, value)
    this.#changed()
  }

  /** From now on, the field at `path` shows what is typed, whatever the server answers. */
  hold(path: string, value: Json): void {
    this.#held = addEdit(this.#held, path, value)
  }

  letGo(path: string): void {
    this.#held = new Map([...this.#held].filter(([held]) => held !== path))
    this.#changed()
  }

  call(method: string, params: Json[]): Promise<Json> {
    return new Promise((resolve, reject) => {
      if (this.#left) return reject(leftPage())
      this.#calls.push({ method, params, resolve, reject })
      this.#changed()
    })
  }

  /**
   * Makes one request of what waits; `apply`, `fail` or `outdated` must follow. What exceeds the
   * limits of a request keeps waiting, and no call is sent before an older edit.
   */
  begin(): ComponentRequest {
    this.#version++
    const edits = [...this.#edits]
    const updates = edits.splice(0, UPDATE_LIMITS.updates)
    const taken = this.#calls.splice(0, edits.length > 0 ? 0 : UPDATE_LIMITS.calls)
    this.#inFlight = { edits: new Map(updates), calls: taken, epoch: this.#epoch }
    this.#edits = new Map(edits)
    this.#changed()
    const calls = taken.map(({ method, params }) => ({ method, params }))
    return { snapshot: this.#snapshot, updates: Object.fromEntries(updates), calls }
  }

  /**
   * Applies the server's answer; newer edits stay on top. Returns whether to perform its effects; if
   * not, the caller sends again what waits.
   */
  apply({ snapshot, effects }: ComponentResponse): boolean {
    // Parse before anything changes, so that an unreadable answer changes nothing.
    const { data } = parseSnapshot(snapshot)
    this.#version++
    if (this.#isSuperseded) {
      this.#keepOutcome(this.#takeBack(), effects)
      return false
    }
    // Errors without returns: no call ran, and the server refused the edits that its data lack.
    const isRefused = effects.errors !== undefined && effects.returns === undefined
    const inFlight = isRefused ? this.#takeBack() : this.#inFlight
    this.#inFlight = null
    this.#adopt(snapshot, data, effects.view)
    this.#renewals = 0
    const isSetAside =
      isRefused && inFlight !== null && this.#setAside(inFlight.edits, effects.errors)
    if (inFlight && inFlight.calls.length > 0) this.#lateErrors = {}
    this.#showErrors(effects.errors)
    this.#changed()
    settle(inFlight?.calls ?? [], effects)
    return !(isSetAside && this.#edits.size > 0)
  }

  /**
   * Applies the answer to a refresh that was sent at `version`. Drops it if an update has begun or was
   * answered since, or is in flight; draws nothing if nothing has changed.
   */
  applyRefresh({ snapshot, effects }: ComponentResponse, version: number): void {
    const isStale = version !== this.#version || this.#inFlight !== null
    if (isStale || this.#left || snapshot === this.#snapshot) return
    this.#adopt(snapshot, parseSnapshot(snapshot).data, effects.view)
    this.#changed()
  }

  /** The request was refused: its edits wait again, and its calls reject. */
  fail(error: CallError): void {
    const inFlight = this.#takeBack()
    this.#changed()
    inFlight?.calls.forEach((call) => call.reject(error))
  }

  /**
   * The snapshot is outdated: edits and calls wait for `remount`, except calls whose results `effects`
   * holds. If the page was fetched anew in the meantime, nothing needs to wait.
   */
  outdated(effects: Effects = {}): void {
    const isSuperseded = this.#isSuperseded
    const inFlight = this.#takeBack()
    this.#outdated = !isSuperseded
    if (effects.returns) return this.#keepOutcome(inFlight, effects)
    if (inFlight) this.#calls = [...inFlight.calls, ...this.#calls]
    this.#changed()
  }

  /** Adopts the component from a newly fetched page; edits stay on top. */
  remount(component: PageComponent): void {
    const { data } = parseSnapshot(component.snapshot)
    if (this.#outdated) this.#renewals++
    this.#outdated = false
    this.#version++
    this.#epoch++
    this.#adopt(component.snapshot, data, component.view)
    this.#showErrors()
    this.#changed()
  }

  /** The component has left the page: its calls reject, and nothing more is sent. */
  leave(): void {
    const calls = [...(this.#inFlight?.calls ?? []), ...this.#calls]
    this.#left = true
    this.#edits = noEdits
    this.#refused = noEdits
    this.#calls = []
    calls.forEach((call) => call.reject(leftPage()))
    this.#changed()
  }

  /** Whether the page was fetched anew after the request in flight had left. */
  get #isSuperseded(): boolean {
    return this.#inFlight !== null && this.#inFlight.epoch !== this.#epoch
  }

  #takeBack(): InFlight | null {
    const inFlight = this.#inFlight
    this.#inFlight = null
    if (inFlight) this.#edits = mergeEdits(inFlight.edits, this.#edits)
    return inFlight
  }

  /** The answer describes an older page, so only the results of its calls are used. */
  #keepOutcome(inFlight: InFlight | null, effects: Effects): void {
    if (effects.returns) this.#lateErrors = effects.errors ?? {}
    this.#dropEchoes()
    this.#showErrors()
    this.#changed()
    settle(inFlight?.calls ?? [], effects)
  }

  /** Sets aside edits that the errors name, unless changed since; returns whether there are any. */
  #setAside(sent: Edits, errors: Effects['errors'] = {}): boolean {
    const refused = [...sent].filter(
      ([path, value]) =>
        Object.hasOwn(errors, path) &&
        this.#edits.has(path) &&
        sameJson(this.#edits.get(path), value),
    )
    const paths = new Set(refused.map(([path]) => path))
    this.#refused = mergeEdits(this.#refused, new Map(refused))
    this.#edits = new Map([...this.#edits].filter(([path]) => !paths.has(path)))
    return refused.length > 0
  }

  /** Lets refused edits at this path, around it or inside it be sent again with the next edit. */
  #reconsider(path: string): void {
    const isTouched = (other: string) =>
      `${path}.`.startsWith(`${other}.`) || other.startsWith(`${path}.`)
    const refused = [...this.#refused]
    this.#edits = mergeEdits(new Map(refused.filter(([other]) => isTouched(other))), this.#edits)
    this.#refused = new Map(refused.filter(([other]) => !isTouched(other)))
  }

  /** Shows the errors of an answer, and those of edits that are still refused. */
  #showErrors(errors: Effects['errors'] = {}): void {
    const kept = Object.entries(this.#errors).filter(([field]) => this.#refused.has(field))
    this.#errors = { ...Object.fromEntries(kept), ...this.#lateErrors, ...errors }
  }

  #adopt(snapshot: string, data: JsonObject, view: Json | undefined): void {
    this.#snapshot = snapshot
    this.#canonical = data
    if (view !== undefined) this.#view = view
    this.#refused = withoutEchoes(this.#refused, data)
    this.#dropEchoes()
  }

  /** Drops edits that the server's data already hold, unless an update in flight may change them. */
  #dropEchoes(): void {
    if (this.isReady) this.#edits = withoutEchoes(this.#edits, this.#canonical)
  }

  #changed(): void {
    this.#state.setState(this.#draw())
  }

  #draw(): ComponentState {
    const shown = mergeEdits(this.unconfirmed, this.#held)
    return {
      view: this.#view,
      data: applyEdits(this.#canonical, shown),
      errors: this.#errors,
      pending: this.#inFlight !== null || this.#calls.length > 0,
    }
  }
}

/** Parses a snapshot. The browser may read it; only the server can verify it. */
export const parseSnapshot = (snapshot: string): Snapshot => JSON.parse(snapshot) as Snapshot
