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

/** What is under way: the edits and calls of one request, and what the page was then. */
type InFlight = {
  readonly edits: Edits
  readonly calls: readonly WaitingCall[]
  readonly epoch: number
}

/**
 * Canonical data are what the server confirmed. What the person sees is those data with the edits
 * under way and then the newer ones on top, so an answer can never undo a newer edit. A field
 * that is held (being typed in) keeps what it shows until it is let go. What the server does not take
 * stays to be seen as well, and is not sent again until it is changed.
 */
export class Store {
  readonly id: string
  readonly name: string
  /** Path of the page that the component was made for. */
  readonly path: string
  /** Actions that only answer, and events of others that it takes. */
  readonly queries: ReadonlySet<string>
  readonly listens: ReadonlySet<string>
  #snapshot: string
  #canonical: JsonObject
  #view: Json
  #errors: ComponentState['errors'] = {}
  /** Errors of calls that were made before their answer was lost: shown until the next call. */
  #recalled: ComponentState['errors'] = {}
  #edits: Edits = noEdits
  #calls: WaitingCall[] = []
  #inFlight: InFlight | null = null
  /** Edits that the server did not take; none overlaps one that waits. */
  #refused: Edits = noEdits
  #held: Edits = noEdits
  #outdated = false
  /** How often the snapshot has been fetched anew since one was taken. */
  #renewals = 0
  /** Raised whenever the page is fetched anew: what was asked before says nothing about it. */
  #epoch = 0
  #left = false
  /** Raised whenever an update begins or is answered, so that an older refresh is dropped. */
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

  /** Whether a request may leave: none is under way, and the server would take the snapshot. */
  get isReady(): boolean {
    return this.#inFlight === null && !this.#outdated
  }

  /** Whether the server would not take the snapshot. */
  get isOutdated(): boolean {
    return this.#outdated
  }

  /** How often in a row the snapshot was fetched anew because it was outdated. */
  get renewals(): number {
    return this.#renewals
  }

  /** Whether the page has gone on without this component. */
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

  /** The snapshot as it is now, for what travels beside updates. */
  get snapshot(): string {
    return this.#snapshot
  }

  /** Changes whenever an update begins or is answered. */
  get version(): number {
    return this.#version
  }

  /** Everything typed and not confirmed. */
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

  /** From now on the field at `path` shows what is typed, whatever the server answers. */
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
   * Hands over what waits as one request; `apply`, `crash` or `outdated` has to follow. What is
   * beyond the limits of a request stays waiting, and no call goes before an older edit.
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
   * The server's answer: its data and view count, newer edits stay on top. Says whether its effects
   * count; where they do not, what waits now is to be sent again.
   */
  apply({ snapshot, effects }: ComponentResponse): boolean {
    // Read before anything changes: an answer that cannot be read has to leave all as it was.
    const { data } = parseSnapshot(snapshot)
    this.#version++
    if (this.#isOverdue) {
      this.#keepOutcome(this.#takeBack(), effects)
      return false
    }
    // Errors without returns: nothing was called, and edits that the data do not hold were not made.
    const isRefused = effects.errors !== undefined && effects.returns === undefined
    const flight = isRefused ? this.#takeBack() : this.#inFlight
    this.#inFlight = null
    this.#adopt(snapshot, data, effects.view)
    this.#renewals = 0
    const isSetAside = isRefused && flight !== null && this.#setAside(flight.edits, effects.errors)
    if (flight && flight.calls.length > 0) this.#recalled = {}
    this.#tell(effects.errors)
    this.#changed()
    settle(flight?.calls ?? [], effects)
    return !(isSetAside && this.#edits.size > 0)
  }

  /**
   * The answer to a refresh that was asked for at `version`. It is dropped where an update has begun
   * or was answered since; where nothing has changed, nothing is drawn.
   */
  applyRefresh({ snapshot, effects }: ComponentResponse, version: number): void {
    if (version !== this.#version || this.#left || snapshot === this.#snapshot) return
    this.#adopt(snapshot, parseSnapshot(snapshot).data, effects.view)
    this.#changed()
  }

  /** A query whose snapshot was outdated goes with the next request, as a call. */
  callAgain(calls: readonly WaitingCall[]): void {
    this.#calls.push(...calls)
    this.#changed()
  }

  /** The request was refused: its edits are typed again, its calls are told. */
  crash(error: CallError): void {
    const flight = this.#takeBack()
    this.#changed()
    flight?.calls.forEach((call) => call.reject(error))
  }

  /**
   * The snapshot is outdated: all waits for `remount`, but for calls that were made before. Where the
   * page has been fetched anew in the meantime, there is nothing to wait for.
   */
  outdated(effects: Effects = {}): void {
    const isOverdue = this.#isOverdue
    const flight = this.#takeBack()
    this.#outdated = !isOverdue
    if (effects.returns) return this.#keepOutcome(flight, effects)
    if (flight) this.#calls = [...flight.calls, ...this.#calls]
    this.#changed()
  }

  /** The same component as a newly fetched page has it; edits stay on top. */
  remount(component: PageComponent): void {
    const { data } = parseSnapshot(component.snapshot)
    if (this.#outdated) this.#renewals++
    this.#outdated = false
    this.#version++
    this.#epoch++
    this.#adopt(component.snapshot, data, component.view)
    this.#tell()
    this.#changed()
  }

  /** The page is gone: whoever waits is told, and nothing more is sent. */
  leave(): void {
    const calls = [...(this.#inFlight?.calls ?? []), ...this.#calls]
    this.#left = true
    this.#edits = noEdits
    this.#refused = noEdits
    this.#calls = []
    calls.forEach((call) => call.reject(leftPage()))
  }

  /** Whether the page has been fetched anew since the request under way has left. */
  get #isOverdue(): boolean {
    return this.#inFlight !== null && this.#inFlight.epoch !== this.#epoch
  }

  #takeBack(): InFlight | null {
    const flight = this.#inFlight
    this.#inFlight = null
    if (flight) this.#edits = mergeEdits(flight.edits, this.#edits)
    return flight
  }

  /** An answer says nothing of the page as it is now, but what its calls did is to be told. */
  #keepOutcome(flight: InFlight | null, effects: Effects): void {
    if (effects.returns) this.#recalled = effects.errors ?? {}
    this.#dropEchoes()
    this.#tell()
    this.#changed()
    settle(flight?.calls ?? [], effects)
  }

  /** Keeps apart the edits that the errors name, unless they were changed since; says whether any. */
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

  /** What was refused at this path, around it or inside it, may be sent again with the next edit. */
  #reconsider(path: string): void {
    const isTouched = (other: string) =>
      `${path}.`.startsWith(`${other}.`) || other.startsWith(`${path}.`)
    const refused = [...this.#refused]
    this.#edits = mergeEdits(new Map(refused.filter(([other]) => isTouched(other))), this.#edits)
    this.#refused = new Map(refused.filter(([other]) => !isTouched(other)))
  }

  /** The errors of an answer, beside those of what is refused still. */
  #tell(errors: Effects['errors'] = {}): void {
    const kept = Object.entries(this.#errors).filter(([field]) => this.#refused.has(field))
    this.#errors = { ...Object.fromEntries(kept), ...this.#recalled, ...errors }
  }

  #adopt(snapshot: string, data: JsonObject, view: Json | undefined): void {
    this.#snapshot = snapshot
    this.#canonical = data
    if (view !== undefined) this.#view = view
    this.#refused = withoutEchoes(this.#refused, data)
    this.#dropEchoes()
  }

  /** What the server has already need not be sent, unless it may have been told otherwise since. */
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

/** What a snapshot says. The browser may read it; only the server may believe it. */
export const parseSnapshot = (snapshot: string): Snapshot => JSON.parse(snapshot) as Snapshot
