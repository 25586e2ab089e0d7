/** The errors that a component shows. */

import type { Effects } from '../protocol/wire.ts'
import type { ComponentState } from './component.ts'

export class ShownErrors {
  #shown: ComponentState['errors'] = {}
  /** Errors of calls whose first answer was lost or came too late: shown until the next call. */
  #late: ComponentState['errors'] = {}

  get shown(): ComponentState['errors'] {
    return this.#shown
  }

  /** Shows the errors of an answer, and those of edits that are still refused. */
  show(errors: Effects['errors'], isRefused: (field: string) => boolean): void {
    const kept = Object.entries(this.#shown).filter(([field]) => isRefused(field))
    this.#shown = { ...Object.fromEntries(kept), ...this.#late, ...errors }
  }

  setLate(errors: Effects['errors'] = {}): void {
    this.#late = errors
  }
}
