/** The edits of a component that the server has not confirmed: waiting, refused, or held in a field. */

import { type Json, type JsonObject, sameJson } from '../protocol/json.ts'
import { getPath, isAround } from '../protocol/path.ts'
import type { Effects } from '../protocol/wire.ts'
import { addEdit, applyEdits, type Edits, mergeEdits, noEdits, withoutEchoes } from './edits.ts'
import { type Loss, Losses } from './losses.ts'
import type { Unsent } from './unsent.ts'

/** Edits in flight are the request's; where it matters, they are passed in as `sent`. */
export class PendingEdits {
  #waiting: Edits = noEdits
  /** None overlaps one that waits. */
  #refused: Edits = noEdits
  /** What fields that are being typed in show, whatever the server answers. */
  #held: Edits = noEdits
  /** When leaving would lose the newest edit of a path; by default, until it is sent. */
  readonly #losses = new Losses()

  /** How many wait to be sent. */
  get size(): number {
    return this.#waiting.size
  }

  isRefused = (path: string): boolean => this.#refused.has(path)

  /** All that the server has not confirmed. */
  unconfirmed(sent: Edits): Edits {
    return mergeEdits(mergeEdits(sent, this.#waiting), this.#refused)
  }

  /** What the person sees over the confirmed data. */
  applyTo(data: JsonObject, sent: Edits): JsonObject {
    return applyEdits(data, mergeEdits(this.unconfirmed(sent), this.#held))
  }

  hasUnsaved(sent: Edits, isFailing: boolean): boolean {
    const waiting = mergeEdits(sent, this.#waiting)
    return this.#losses.hasAnyOf(waiting, isFailing) || this.#losses.hasAnyOf(this.#refused, true)
  }

  /** Each with what leaving would lose, for the next document. */
  unsent(sent: Edits): Unsent['edits'] {
    const loss = (path: string): Loss =>
      sent.has(path) ? this.#losses.ofSent(path) : this.#losses.of(path)
    return [...this.unconfirmed(sent)].map(([path, value]) => [path, value, loss(path)])
  }

  add(path: string, value: Json, loss: Loss): void {
    this.#losses.set(path, loss)
    this.#reconsider(path)
    this.#waiting = addEdit(this.#waiting, path, value)
    if (this.#held.has(path)) this.hold(path, value)
  }

  hold(path: string, value: Json): void {
    this.#held = addEdit(this.#held, path, value)
  }

  letGo(path: string): void {
    this.#held = new Map([...this.#held].filter(([held]) => held !== path))
  }

  /** Held fields go on with what the data hold, but for what nobody has been sent. */
  holdAnew(data: JsonObject): void {
    const held = [...this.#held].map(([path, value]): [string, Json] => [
      path,
      this.#waiting.has(path) ? value : (getPath(data, path.split('.')) ?? null),
    ])
    this.#held = new Map(held)
  }

  /** Takes the oldest for a request. */
  take(count: number): Edits {
    const edits = [...this.#waiting]
    this.#waiting = new Map(edits.slice(count))
    return new Map(edits.slice(0, count))
  }

  /** Edits of a request that was not done wait again, below newer ones. */
  putBack(sent: Edits): void {
    this.#waiting = mergeEdits(sent, this.#waiting)
  }

  /** Edits that were sent once are sent again by themselves, by the next document, too. */
  sendAgain(sent: Edits): void {
    for (const path of sent.keys()) this.#losses.set(path, this.#losses.ofSent(path))
  }

  /** Sets aside edits that the errors name, unless changed since; returns whether there are any. */
  setAside(sent: Edits, errors: Effects['errors'] = {}): boolean {
    const refused = [...sent].filter(
      ([path, value]) =>
        Object.hasOwn(errors, path) &&
        this.#waiting.has(path) &&
        sameJson(this.#waiting.get(path), value),
    )
    this.#refused = mergeEdits(this.#refused, new Map(refused))
    this.dropRefused(new Set(refused.map(([path]) => path)))
    return refused.length > 0
  }

  /** Those that were refused no longer wait. */
  dropRefused(paths: { has(path: string): boolean } = this.#refused): void {
    this.#waiting = new Map([...this.#waiting].filter(([path]) => !paths.has(path)))
  }

  /** Drops edits that the confirmed data already hold. */
  dropEchoes(data: JsonObject): void {
    this.#waiting = withoutEchoes(this.#waiting, data)
  }

  dropRefusedEchoes(data: JsonObject): void {
    this.#refused = withoutEchoes(this.#refused, data)
  }

  clear(): void {
    this.#waiting = noEdits
    this.#refused = noEdits
  }

  /** Lets refused edits at this path, around it or inside it be sent again with the next edit. */
  #reconsider(path: string): void {
    const isTouched = (other: string) => isAround(other, path) || isAround(path, other)
    const refused = [...this.#refused]
    this.putBack(new Map(refused.filter(([other]) => isTouched(other))))
    this.#refused = new Map(refused.filter(([other]) => !isTouched(other)))
  }
}
