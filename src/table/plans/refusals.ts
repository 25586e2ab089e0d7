/** Rows of a selection that are not written: how many there are of each reason, and the first of them. */

import type { KeyValues } from '../source/value.ts'
import { TOLD_ROWS } from './asking.ts'
import type { LeftRow } from './left-rows.ts'

/** Most rows that are kept as left out. */
const LEFT_OUT = 1000

export class Refusals {
  readonly #reasons = new Map<string, number>()
  readonly #most: number
  /** Those that are kept with their reasons, at most as many as were asked for. */
  readonly rows: LeftRow[] = []
  /** The first of them, also where no more are kept. */
  readonly told: LeftRow[] = []
  readonly #leftOut: KeyValues[] = []
  #added = 0
  /** Rows that `count` was told of, which are not among those that are read. */
  counted = 0

  constructor(most: number) {
    this.#most = most
  }

  get total(): number {
    return [...this.#reasons.values()].reduce((sum, count) => sum + count, 0)
  }

  /** The rows that were read with the others; `undefined` where they are too many. */
  get leftOut(): readonly KeyValues[] | undefined {
    return this.#added > LEFT_OUT ? undefined : this.#leftOut
  }

  /** How many more are kept. */
  get room(): number {
    return this.#most - this.rows.length
  }

  /** The most frequent first. */
  reasons(): readonly (readonly [reason: string, count: number])[] {
    return [...this.#reasons].toSorted(([, one], [, other]) => other - one)
  }

  /** One row, which was read with the others. */
  add(key: KeyValues, reason: string): void {
    this.#more(reason, 1)
    if (this.#added++ < LEFT_OUT) this.#leftOut.push(key)
    this.keep(key, reason)
  }

  /** Rows that are left out by a condition. */
  count(reason: string, rows: number): void {
    this.#more(reason, rows)
    this.counted += rows
  }

  /** One of the rows that `count` was told of. */
  keep(key: KeyValues, reason: string): void {
    if (this.told.length < TOLD_ROWS) this.told.push({ key, reason })
    if (this.room > 0) this.rows.push({ key, reason })
  }

  #more(reason: string, rows: number): void {
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + rows)
  }
}
