/** What the person waits for: calls, edits that are under way, and queries. */

import type { Call } from '../protocol/wire.ts'
import type { WaitingFor } from './component.ts'
import { createObservable } from './observable.ts'
import { sameItems } from './same-state.ts'
import type { InFlight, WaitingCall } from './waiting-call.ts'

/** Apart from the state of a component, because a query redraws nothing. */
export class Waiting {
  readonly #state = createObservable<WaitingFor>({ calls: [], paths: [] })
  /** Queries under way. */
  #asked: readonly Call[] = []
  #inFlight: InFlight | null = null
  #calls: readonly WaitingCall[] = []

  getState = (): WaitingFor => this.#state.getState()
  subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener)

  /** What is in flight, and the calls that wait. */
  note(inFlight: InFlight | null, calls: readonly WaitingCall[]): void {
    this.#inFlight = inFlight
    this.#calls = calls
    this.#changed()
  }

  /** Counts a query among what is waited for, until it settles. */
  asked(call: Call, answer: Promise<unknown>): void {
    const settled = () => {
      this.#asked = this.#asked.filter((other) => other !== call)
      this.#changed()
    }
    this.#asked = [...this.#asked, call]
    this.#changed()
    answer.then(settled, settled)
  }

  #changed(): void {
    const { calls = [], edits } = this.#inFlight ?? {}
    const next = {
      calls: [...calls, ...this.#calls, ...this.#asked],
      paths: [...(edits?.keys() ?? [])],
    }
    const before = this.getState()
    const isSame = sameItems(next.calls, before.calls) && sameItems(next.paths, before.paths)
    if (!isSame) this.#state.setState(next)
  }
}
