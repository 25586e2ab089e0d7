/** One component in the browser: confirmed state, edits over it, and calls that wait. */

import { keepSame, type Json, type JsonObject, sameJson } from '../protocol/json.ts'
import { isAround } from '../protocol/path.ts'
import type { PageComponent } from '../protocol/page.ts'
import {
  type ComponentRequest,
  type ComponentResponse,
  type Effects,
  UPDATE_LIMITS,
} from '../protocol/wire.ts'
import { type CallError, leftPage } from './call-error.ts'
import type { ComponentState, Screen } from './component.ts'
import { addEdit, applyEdits, type Edits, mergeEdits, noEdits, withoutEchoes } from './edits.ts'
import { type Loss, Losses } from './losses.ts'
import { createObservable } from './observable.ts'
import { parseSnapshot } from './parse-snapshot.ts'
import { sameState } from './same-state.ts'
import { ShownView } from './shown-view.ts'
import type { Unsent } from './unsent.ts'
import { Waiting } from './waiting.ts'
import { type InFlight, settle, unawaited, type WaitingCall } from './waiting-call.ts'

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
  readonly #view: ShownView
  /** Snapshot and view before the last answer. */
  #before: Pick<PageComponent, 'snapshot' | 'view'>
  #errors: ComponentState['errors'] = {}
  /** Errors of calls whose first answer was lost or came too late: shown until the next call. */
  #lateErrors: ComponentState['errors'] = {}
  #edits: Edits = noEdits
  #calls: WaitingCall[] = []
  /** Calls that are left to the next document. */
  readonly #givenUp: Unsent['calls'][number][] = []
  #inFlight: InFlight | null = null
  /** Edits that the server refused; none overlaps one that waits. */
  #refused: Edits = noEdits
  #held: Edits = noEdits
  /** When leaving would lose the newest edit of a path; by default, until it is sent. */
  readonly #losses = new Losses()
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
  readonly waitingFor = new Waiting()

  constructor(component: PageComponent) {
    this.id = component.id
    this.name = component.name
    this.queries = new Set(component.queries)
    this.listens = new Set(component.listens)
    this.#snapshot = component.snapshot
    const { data, memo } = parseSnapshot(component.snapshot)
    this.path = memo.path
    this.#canonical = data
    this.#view = new ShownView(component)
    this.#before = component
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
    const waitsForView = this.#view.isWanted && this.#inFlight === null
    return this.#edits.size > 0 || this.#calls.length > 0 || waitsForView
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

  /** The component as the server knows it, to be mounted again. */
  get component(): PageComponent {
    return this.#componentOf({ snapshot: this.#snapshot, view: this.#view.own })
  }

  /** The same before the last answer. */
  get componentBefore(): PageComponent {
    return this.#componentOf(this.#before)
  }

  /** All edits that the server has not confirmed. */
  get unconfirmed(): Edits {
    return mergeEdits(mergeEdits(this.#inFlight?.edits ?? noEdits, this.#edits), this.#refused)
  }

  /**
   * Whether leaving the page would lose an edit that a person made. One that is sent by itself counts
   * only where sending fails, or where the server has refused it.
   */
  hasUnsaved(isFailing: boolean): boolean {
    const waiting = mergeEdits(this.#inFlight?.edits ?? noEdits, this.#edits)
    return this.#losses.hasAnyOf(waiting, isFailing) || this.#losses.hasAnyOf(this.#refused, true)
  }

  edit(path: string, value: Json, loss: Loss = 'until it is sent'): void {
    this.#losses.set(path, loss)
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

  /** Asks for the view of a lazy component; returns whether a request has to bring it. */
  wantView(): boolean {
    return !this.#left && this.#view.want()
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
   * Takes up a request that was refused, to be sent as it was. If the server has confirmed anything
   * since, only what its calls return is used.
   */
  resume({ snapshot, updates, calls }: ComponentRequest): void {
    const isCurrent = snapshot === this.#snapshot
    this.#version++
    this.#inFlight = {
      edits: isCurrent ? new Map(Object.entries(updates)) : noEdits,
      calls: calls.map(unawaited),
      epoch: isCurrent ? this.#epoch : -1,
    }
    this.#changed()
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
  applyRefresh(response: ComponentResponse, version: number): void {
    const isStale = version !== this.#version || this.#inFlight !== null
    if (isStale || this.#left || response.snapshot === this.#snapshot) return
    if (!this.#view.waits(response)) this.#adoptRefresh(response)
  }

  /**
   * Shows a refresh that waits; returns `false` if a newer answer has come, or will, as an update is in
   * flight. Refreshes under way are of the view before.
   */
  show(response: ComponentResponse): boolean {
    if (this.#inFlight || !this.#view.isWaiting(response)) return false
    this.#version++
    this.#adoptRefresh(response)
    return true
  }

  #adoptRefresh({ snapshot, effects }: ComponentResponse): void {
    this.#adopt(snapshot, parseSnapshot(snapshot).data, effects.view)
    this.#changed()
  }

  /** From now on, `by` says which refreshes wait. What waited is for the next refresh to bring. */
  screen(by: Screen | null): void {
    this.#view.screen(by)
    this.#changed()
  }

  /** Shows another view for now; the next answer takes its place. */
  showForNow(view: Json): void {
    this.#view.showForNow(view)
    this.#changed()
  }

  /**
   * Gives up what is unsent, for the next document: edits that the server has not confirmed, and calls
   * that no request has; here these reject.
   */
  giveUp(): Unsent {
    const inFlight = this.#inFlight?.edits
    const loss = (path: string): Loss =>
      inFlight?.has(path) ? this.#losses.ofSent(path) : this.#losses.of(path)
    for (const { method, params, reject } of this.#calls.splice(0)) {
      this.#givenUp.push([method, params])
      reject(leftPage())
    }
    return {
      edits: [...this.unconfirmed].map(([path, value]) => [path, value, loss(path)]),
      calls: this.#givenUp,
    }
  }

  /** The request was refused: its calls reject; its edits wait, but for those refused before. */
  fail(error: CallError): void {
    const inFlight = this.#takeBack()
    this.#edits = new Map([...this.#edits].filter(([path]) => !this.#refused.has(path)))
    this.#changed()
    inFlight?.calls.forEach((call) => call.reject(error))
  }

  /**
   * The snapshot is outdated: edits and calls wait for `remount`, except calls whose results `effects`
   * holds. If the page was fetched anew in the meantime, nothing needs to wait. Returns whether to
   * perform the effects.
   */
  outdated(effects: Effects = {}): boolean {
    const isSuperseded = this.#isSuperseded
    const inFlight = this.#takeBack()
    // What has left once leaves again by itself, also from the next document.
    const sentAgain = [...(inFlight?.edits.keys() ?? [])]
    for (const path of sentAgain) this.#losses.set(path, this.#losses.ofSent(path))
    this.#outdated = !isSuperseded
    if (inFlight && !effects.returns) this.#calls = [...inFlight.calls, ...this.#calls]
    if (effects.returns) this.#keepOutcome(inFlight, effects)
    else this.#changed()
    return effects.returns !== undefined && !isSuperseded
  }

  /** Adopts the component from a newly fetched page; edits stay on top. */
  remount(component: PageComponent): void {
    const { data } = parseSnapshot(component.snapshot)
    if (this.#outdated) this.#renewals++
    this.#outdated = false
    this.#version++
    this.#epoch++
    // A lazy component goes on showing what it showed, and reads it again.
    if (component.lazy && this.#view.isDrawn) this.#view.isWanted = true
    // What has not changed is not drawn again.
    this.#adopt(component.snapshot, data, component.lazy ? undefined : component.view)
    this.#showErrors()
    this.#changed({ always: true })
  }

  /** The component has left the page: its calls reject, and nothing more is sent. */
  leave(): void {
    const calls = [...(this.#inFlight?.calls ?? []), ...this.#calls]
    this.#left = true
    this.#edits = noEdits
    this.#refused = noEdits
    this.#calls = []
    this.#view.isWanted = false
    calls.forEach((call) => call.reject(leftPage()))
    this.#changed({ always: true })
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
    const isTouched = (other: string) => isAround(other, path) || isAround(path, other)
    const refused = [...this.#refused]
    this.#edits = mergeEdits(new Map(refused.filter(([other]) => isTouched(other))), this.#edits)
    this.#refused = new Map(refused.filter(([other]) => !isTouched(other)))
  }

  /** Shows the errors of an answer, and those of edits that are still refused. */
  #showErrors(errors: Effects['errors'] = {}): void {
    const kept = Object.entries(this.#errors).filter(([field]) => this.#refused.has(field))
    this.#errors = { ...Object.fromEntries(kept), ...this.#lateErrors, ...errors }
  }

  #componentOf({ snapshot, view }: Pick<PageComponent, 'snapshot' | 'view'>): PageComponent {
    const { id, name } = this
    const lists = { queries: [...this.queries], listens: [...this.listens] }
    return { id, name, snapshot, view, ...lists, ...(!this.#view.isDrawn && { lazy: true }) }
  }

  #adopt(snapshot: string, data: JsonObject, view: Json | undefined): void {
    this.#before = { snapshot: this.#snapshot, view: this.#view.own }
    this.#snapshot = snapshot
    this.#canonical = data
    this.#view.adopt(view)
    this.#refused = withoutEchoes(this.#refused, data)
    this.#dropEchoes()
  }

  /** Drops edits that the server's data already hold, unless an update in flight may change them. */
  #dropEchoes(): void {
    if (this.isReady) this.#edits = withoutEchoes(this.#edits, this.#canonical)
  }

  /** Draws again, unless everything that can be drawn is as before; `always` tells of a new page. */
  #changed({ always = false } = {}): void {
    const next = this.#draw()
    const shown = this.#state.getState()
    if (always || !sameState(next, shown))
      this.#state.setState({ ...next, data: keepSame(shown.data, next.data) })
    this.waitingFor.note(this.#inFlight, this.#calls)
  }

  #draw(): ComponentState {
    const { unconfirmed } = this
    return {
      view: this.#view.shown,
      data: applyEdits(this.#canonical, mergeEdits(unconfirmed, this.#held)),
      errors: this.#errors,
      pending: this.#inFlight !== null || this.#calls.length > 0,
      dirty: [...unconfirmed.keys()],
      isDrawn: this.#view.isDrawn,
    }
  }
}
