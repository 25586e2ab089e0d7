/** Tells which edits of a component would be lost if the page were left. */

import type { Edits } from './edits.ts'

/** When leaving the page would lose an edit that a person made. */
export type Loss = 'until it is sent' | 'if sending fails' | 'never'

/** By path; an edit whose loss nobody has told is lost until it is sent. */
export class Losses {
  readonly #losses = new Map<string, Loss>()

  of(path: string): Loss {
    return this.#losses.get(path) ?? 'until it is sent'
  }

  set(path: string, loss: Loss): void {
    this.#losses.set(path, loss)
  }

  /** The same for an edit that is on its way: what does not arrive is sent again. */
  ofSent(path: string): Loss {
    return this.of(path) === 'never' ? 'never' : 'if sending fails'
  }

  /** Whether leaving would lose one of these edits, which wait to be confirmed. */
  hasAnyOf(waiting: Edits, isFailing: boolean): boolean {
    const isLost = { 'until it is sent': true, 'if sending fails': isFailing, never: false }
    return [...waiting.keys()].some((path) => isLost[this.of(path)])
  }
}
