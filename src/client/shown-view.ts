/** The view that a component shows: the server's latest, or an earlier one while the latest waits. */

import { keepSame, type Json } from '../protocol/json.ts'
import type { PageComponent } from '../protocol/page.ts'
import type { ComponentResponse } from '../protocol/wire.ts'
import type { Screen } from './component.ts'

export class ShownView {
  /** The view that the snapshot belongs to. */
  #own: Json
  #forNow: Json | undefined
  #screen: Screen | null = null
  #waiting: ComponentResponse | null = null

  /** False for a lazy component whose view has not been read. */
  isDrawn: boolean
  /** Whether somebody has asked for the view of a lazy component. */
  isWanted = false

  constructor({ view, lazy }: Pick<PageComponent, 'view' | 'lazy'>) {
    this.#own = view
    this.isDrawn = lazy !== true
  }

  get own(): Json {
    return this.#own
  }

  get shown(): Json {
    return this.#forNow === undefined ? this.#own : this.#forNow
  }

  /** Asks for the view of a lazy component; returns whether a request has to bring it. */
  want(): boolean {
    if (this.isDrawn || this.isWanted) return false
    this.isWanted = true
    return true
  }

  /** Asks whether a refresh waits. */
  waits(refresh: ComponentResponse): boolean {
    if (!this.#screen?.(refresh, this.#own)) return false
    this.#waiting = refresh
    return true
  }

  /** Whether it still waits: no newer answer has come. */
  isWaiting(refresh: ComponentResponse): boolean {
    return this.#waiting === refresh
  }

  /** A refresh that waited is dropped: the next one brings the same. */
  screen(by: Screen | null): void {
    this.#screen = by
    this.#endWait()
  }

  showForNow(view: Json): void {
    this.#forNow = keepSame(this.shown, view)
  }

  /** Takes the view of an answer; without one, the view is as it was. */
  adopt(view: Json | undefined): void {
    if (view !== undefined) {
      this.#own = keepSame(this.shown, view)
      this.isDrawn = true
      this.isWanted = false
    }
    this.#endWait()
  }

  #endWait(): void {
    this.#forNow = undefined
    this.#waiting = null
  }
}
