/** One component in the browser: confirmed state, edits over it, and calls that wait. */

import { keepSame, type Json, type JsonObject } from '../protocol/json.ts'
import type { PageComponent } from '../protocol/page.ts'
import {
  type ComponentRequest,
  type ComponentResponse,
  type Effects,
  UPDATE_LIMITS,
} from '../protocol/wire.ts'
import { type CallError, leftPage } from './call-error.ts'
import type { ComponentState, Screen } from './component.ts'
import { Confirmed } from './confirmed.ts'
import { type Edits, noEdits } from './edits.ts'
import type { Loss } from './losses.ts'
import { createObservable } from './observable.ts'
import { parseSnapshot } from './parse-snapshot.ts'
import { PendingEdits } from './pending-edits.ts'
import { sameState } from './same-state.ts'
import { ShownErrors } from './shown-errors.ts'
import type { Unsent } from './unsent.ts'
import { Waiting } from './waiting.ts'
import { CallQueue, type InFlight, settle, unawaited } from './waiting-call.ts'

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
  readonly #confirmed: Confirmed
  readonly #errors = new ShownErrors()
  readonly #edits = new PendingEdits()
  readonly #calls = new CallQueue()
  #inFlight: InFlight | null = null
  /** Raised when the page is fetched anew, to recognize answers that describe an older page. */
  #epoch = 0

  // Others read these; only the store sets them, but for `channels`.
  /** Whether the server has called the snapshot outdated. */
  isOutdated = false
  /** How often in a row the snapshot was fetched anew because it was outdated. */
  renewals = 0
  /** Whether the page no longer has this component. */
  isLeft = false
  /** Channels of which it hears besides those that it was drawn with. */
  channels: readonly string[] = []
  /** Changes whenever an update begins or is answered, so that an older refresh is dropped. */
  version = 0

  readonly #initial: ComponentState
  readonly #state
  readonly waitingFor = new Waiting()

  constructor(component: PageComponent) {
    this.id = component.id
    this.name = component.name
    this.queries = new Set(component.queries)
    this.listens = new Set(component.listens)
    this.path = parseSnapshot(component.snapshot).memo.path
    this.#confirmed = new Confirmed(component)
    this.#initial = this.#draw()
    this.#state = createObservable(this.#initial)
  }

  getState = (): ComponentState => this.#state.getState()
  getInitialState = (): ComponentState => this.#initial
  subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener)

  /** Whether a request may leave: none is in flight, and the snapshot is not outdated. */
  get isReady(): boolean {
    return this.#inFlight === null && !this.isOutdated
  }

  /** Whether there is anything that has not been sent. */
  get isWaiting(): boolean {
    const waitsForView = this.#confirmed.view.isWanted && this.#inFlight === null
    return this.#edits.size > 0 || this.#calls.waiting.length > 0 || waitsForView
  }

  /** Edits and calls that the server has not answered. */
  get waiting(): number {
    const calls = this.#inFlight?.calls ?? []
    return this.#edits.size + this.#calls.waiting.length + this.#sent.size + calls.length
  }

  /** The current snapshot, for queries and refreshes. */
  get snapshot(): string {
    return this.#confirmed.snapshot
  }

  /** The component as the server knows it, or as it was before the last answer, to be mounted again. */
  component(before = false): PageComponent {
    return this.#confirmed.component(before)
  }

  /**
   * Whether leaving the page would lose an edit that a person made. One that is sent by itself counts
   * only where sending fails, or where the server has refused it.
   */
  hasUnsaved(isFailing: boolean): boolean {
    return this.#edits.hasUnsaved(this.#sent, isFailing)
  }

  edit(path: string, value: Json, loss: Loss = 'until it is sent'): void {
    this.#edits.add(path, value, loss)
    this.#dropEchoes()
    this.#changed()
  }

  /** From now on, the field at `path` shows what is typed, whatever the server answers. */
  hold(path: string, value: Json): void {
    this.#edits.hold(path, value)
  }

  letGo(path: string): void {
    this.#edits.letGo(path)
    this.#changed()
  }

  /** Asks for the view of a lazy component; returns whether a request has to bring it. */
  wantView(): boolean {
    return !this.isLeft && this.#confirmed.view.want()
  }

  call(method: string, params: Json[]): Promise<Json> {
    if (this.isLeft) return Promise.reject(leftPage())
    const settled = this.#calls.add(method, params)
    this.#changed()
    return settled
  }

  /**
   * Makes one request of what waits; `apply`, `fail` or `outdated` must follow. What exceeds the
   * limits of a request keeps waiting, and no call is sent before an older edit.
   */
  begin(): ComponentRequest {
    this.version++
    const edits = this.#edits.take(UPDATE_LIMITS.updates)
    const taken = this.#calls.take(this.#edits.size > 0 ? 0 : UPDATE_LIMITS.calls)
    this.#inFlight = { edits, calls: taken, epoch: this.#epoch }
    this.#changed()
    const calls = taken.map(({ method, params }) => ({ method, params }))
    return { snapshot: this.#confirmed.snapshot, updates: Object.fromEntries(edits), calls }
  }

  /**
   * Takes up a request that was refused, to be sent as it was. If the server has confirmed anything
   * since, only what its calls return is used.
   */
  resume({ snapshot, updates, calls }: ComponentRequest): void {
    const isCurrent = snapshot === this.#confirmed.snapshot
    this.version++
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
    this.version++
    if (this.#isSuperseded) {
      this.#keepOutcome(this.#takeBack(), effects)
      return false
    }
    // Errors without returns: no call ran, and the server refused the edits that its data lack.
    const isRefused = effects.errors !== undefined && effects.returns === undefined
    const inFlight = isRefused ? this.#takeBack() : this.#inFlight
    this.#inFlight = null
    this.#adopt(snapshot, data, effects.view)
    this.renewals = 0
    const isSetAside =
      isRefused && inFlight !== null && this.#edits.setAside(inFlight.edits, effects.errors)
    if (inFlight && inFlight.calls.length > 0) this.#errors.setLate()
    this.#errors.show(effects.errors, this.#edits.isRefused)
    this.#changed()
    settle(inFlight?.calls ?? [], effects)
    return !(isSetAside && this.#edits.size > 0)
  }

  /**
   * Applies the answer to a refresh that was sent at `version`. Drops it if an update has begun or was
   * answered since, or is in flight; draws nothing if nothing has changed.
   */
  applyRefresh(response: ComponentResponse, version: number): void {
    const isStale = version !== this.version || this.#inFlight !== null
    if (isStale || this.isLeft || response.snapshot === this.#confirmed.snapshot) return
    if (!this.#confirmed.view.waits(response)) this.#adoptRefresh(response)
  }

  /**
   * Shows a refresh that waits; returns `false` if a newer answer has come, or will, as an update is in
   * flight. Refreshes under way are of the view before.
   */
  show(response: ComponentResponse): boolean {
    if (this.#inFlight || !this.#confirmed.view.isWaiting(response)) return false
    this.version++
    this.#adoptRefresh(response)
    return true
  }

  #adoptRefresh({ snapshot, effects }: ComponentResponse): void {
    this.#adopt(snapshot, parseSnapshot(snapshot).data, effects.view)
    this.#changed()
  }

  /** From now on, `by` says which refreshes wait. What waited is for the next refresh to bring. */
  screen(by: Screen | null): void {
    this.#confirmed.view.screen(by)
    this.#changed()
  }

  /** Shows another view for now; the next answer takes its place. */
  showForNow(view: Json): void {
    this.#confirmed.view.showForNow(view)
    this.#changed()
  }

  /**
   * Gives up what is unsent, for the next document: edits that the server has not confirmed, and calls
   * that no request has; here these reject.
   */
  giveUp(): Unsent {
    return { edits: this.#edits.unsent(this.#sent), calls: this.#calls.giveUp() }
  }

  /** The request was refused: its calls reject; its edits wait, but for those refused before. */
  fail(error: CallError): void {
    const inFlight = this.#takeBack()
    this.#edits.dropRefused()
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
    if (inFlight) this.#edits.sendAgain(inFlight.edits)
    this.isOutdated = !isSuperseded
    if (inFlight && !effects.returns) this.#calls.putBack(inFlight.calls)
    if (effects.returns) this.#keepOutcome(inFlight, effects)
    else this.#changed()
    return effects.returns !== undefined && !isSuperseded
  }

  /** Adopts an earlier state to which the person goes back: fields show it, held ones as well. */
  goBackTo(component: PageComponent): void {
    this.#edits.holdAnew(parseSnapshot(component.snapshot).data)
    this.remount(component)
  }

  /** Adopts the component from a newly fetched page; edits stay on top. */
  remount(component: PageComponent): void {
    const { data } = parseSnapshot(component.snapshot)
    if (this.isOutdated) this.renewals++
    this.isOutdated = false
    this.version++
    this.#epoch++
    // A lazy component goes on showing what it showed, and reads it again.
    if (component.lazy && this.#confirmed.view.isDrawn) this.#confirmed.view.isWanted = true
    // What has not changed is not drawn again.
    this.#adopt(component.snapshot, data, component.lazy ? undefined : component.view)
    this.#errors.show({}, this.#edits.isRefused)
    this.#changed({ always: true })
  }

  /** The component has left the page: its calls reject, and nothing more is sent. */
  leave(): void {
    const calls = [...(this.#inFlight?.calls ?? []), ...this.#calls.take(Infinity)]
    this.isLeft = true
    this.#edits.clear()
    this.#confirmed.view.isWanted = false
    calls.forEach((call) => call.reject(leftPage()))
    this.#changed({ always: true })
  }

  /** Edits in flight. */
  get #sent(): Edits {
    return this.#inFlight?.edits ?? noEdits
  }

  /** Whether the page was fetched anew after the request in flight had left. */
  get #isSuperseded(): boolean {
    return this.#inFlight !== null && this.#inFlight.epoch !== this.#epoch
  }

  #takeBack(): InFlight | null {
    const inFlight = this.#inFlight
    this.#inFlight = null
    if (inFlight) this.#edits.putBack(inFlight.edits)
    return inFlight
  }

  /** The answer describes an older page, so only the results of its calls are used. */
  #keepOutcome(inFlight: InFlight | null, effects: Effects): void {
    if (effects.returns) this.#errors.setLate(effects.errors)
    this.#dropEchoes()
    this.#errors.show({}, this.#edits.isRefused)
    this.#changed()
    settle(inFlight?.calls ?? [], effects)
  }

  #adopt(snapshot: string, data: JsonObject, view: Json | undefined): void {
    this.#confirmed.adopt(snapshot, data, view)
    this.#edits.dropRefusedEchoes(data)
    this.#dropEchoes()
  }

  /** Drops edits that the server's data already hold, unless an update in flight may change them. */
  #dropEchoes(): void {
    if (this.isReady) this.#edits.dropEchoes(this.#confirmed.data)
  }

  /** Draws again, unless everything that can be drawn is as before; `always` tells of a new page. */
  #changed({ always = false } = {}): void {
    const next = this.#draw()
    const shown = this.#state.getState()
    if (always || !sameState(next, shown))
      this.#state.setState({ ...next, data: keepSame(shown.data, next.data) })
    this.waitingFor.note(this.#inFlight, this.#calls.waiting)
  }

  #draw(): ComponentState {
    return {
      view: this.#confirmed.view.shown,
      data: this.#edits.applyTo(this.#confirmed.data, this.#sent),
      errors: this.#errors.shown,
      pending: this.#inFlight !== null || this.#calls.waiting.length > 0,
      dirty: [...this.#edits.unconfirmed(this.#sent).keys()],
      isDrawn: this.#confirmed.view.isDrawn,
    }
  }
}
