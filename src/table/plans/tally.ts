/** Counts what a plan changes while its rows are read: which are so already, and which value becomes which in how many. */

import type { OpenTable } from '../catalog.ts'
import { computeValues } from '../changes/compute.ts'
import { isComputed, type NewValue } from '../source/computed.ts'
import type { Access } from '../source/access.ts'
import type { RowNote } from '../source/row-source.ts'
import type { Column } from '../source/schema.ts'
import { isStored } from '../source/stored.ts'
import type { Value } from '../source/value.ts'
import type { Asking } from './asking.ts'
import { copiedIn } from './compared-columns.ts'
import type { PlannedWrite } from './plan-content.ts'

/** A value, what it becomes, and in how many rows. */
export type TalliedChange = {
  readonly before: Value
  readonly after: Value
  readonly rows: number
}

/** Different values of a column that are counted one by one; rows with others are only counted. */
const MOST_VALUES = 5000
/** Longer texts are not told. */
const MOST_CHARACTERS = 200

/** Stands in a note where no counted change does: the column stays as it is, or its change is not told. */
const [STAYS, UNTOLD] = [-1, -2]

type Tallied = {
  readonly write: PlannedWrite
  /** The columns that are read of each row. */
  readonly compared: readonly string[]
  /** What the present moment is, ms. */
  readonly at: number
}

export class Tally {
  readonly #columns: readonly ColumnTally[]
  /** The columns whose values a note is taken of, in their order. */
  readonly #names: readonly string[]
  readonly #held = new Map<string, Value>()

  private constructor(columns: readonly ColumnTally[], names: readonly string[]) {
    this.#columns = columns
    this.#names = names
  }

  /** `undefined` for what sets no values, and where some of those that it looks at may not be read. */
  static of({ open }: Pick<Asking, 'open'>, { write, compared, at }: Tallied): Tally | undefined {
    if (!('set' in write)) return undefined
    const set = Object.entries(write.set)
    const needed = [...Object.keys(write.set), ...copiedIn(write.set)]
    if (!needed.every((name) => compared.includes(name))) return undefined
    const columns = set.map(([name, value]) => new ColumnTally(open, { name, value, at }))
    return new Tally(columns, compared)
  }

  /** `null` for a row that is so already. */
  note(values: readonly Value[]): RowNote {
    const held = this.#held
    for (const [at, name] of this.#names.entries()) held.set(name, values[at] ?? null)
    const note = this.#columns.map((column) => column.note(held))
    return note.every((one) => one === STAYS) ? null : note
  }

  /** Counts a row that is written. */
  add(note: RowNote): void {
    for (const [at, one] of (note ?? []).entries()) this.#columns[at]?.add(one)
  }

  /** In how many rows a column changes, and which values become which; of those, the most frequent first. */
  column(name: string): { readonly rows: number; readonly changes: readonly TalliedChange[] } {
    const found = this.#columns.find((column) => column.name === name)
    return { rows: found?.rows ?? 0, changes: found?.changes() ?? [] }
  }
}

/** What a row holds, by column. */
type Held = ReadonlyMap<string, Value>

type Setting = { readonly name: string; readonly value: NewValue; readonly at: number }

class ColumnTally {
  readonly name: string
  readonly #access: Access
  readonly #at: number
  readonly #value: NewValue
  readonly #column: Column | undefined
  readonly #isTold: boolean
  /** By the value that is held. */
  readonly #notes = new Map<string, number>()
  readonly #changes: { before: Value; after: Value; rows: number }[] = []
  rows = 0

  constructor({ access }: OpenTable, { name, value, at }: Setting) {
    this.name = name
    this.#access = access
    this.#at = at
    this.#value = value
    this.#column = access.table.columns.find((one) => one.name === name)
    const { type, array } = this.#column ?? {}
    const isByRow = isComputed(value) && ('column' in value || 'now' in value)
    this.#isTold = !isByRow && type !== 'binary' && type !== 'json' && !array
  }

  note(held: Held): number {
    const value = this.#value
    const before = held.get(this.name) ?? null
    if (isComputed(value) && 'column' in value)
      return this.#isStored(before, held.get(value.column) ?? null) ? STAYS : UNTOLD
    // Long texts are not told, and would fill the memory.
    if (typeof before === 'string' && before.length > MOST_CHARACTERS) return this.#untold(before)
    const key = `${typeof before} ${String(before)}`
    const known = this.#notes.get(key)
    if (known !== undefined) return known
    if (this.#notes.size < MOST_VALUES) {
      const note = this.#noteOf(before)
      this.#notes.set(key, note)
      return note
    }
    return this.#isFar(before) ? UNTOLD : this.#untold(before)
  }

  #untold(before: Value): number {
    return this.#isStored(before, this.#after(before)) ? STAYS : UNTOLD
  }

  add(note: number): void {
    if (note === STAYS) return
    this.rows++
    const change = this.#changes[note]
    if (change) change.rows++
  }

  changes(): readonly TalliedChange[] {
    return this.#changes
      .filter(({ rows }) => rows > 0)
      .toSorted((one, other) => other.rows - one.rows || byValue(one.before, other.before))
  }

  #noteOf(before: Value): number {
    const after = this.#after(before)
    if (this.#isStored(before, after)) return STAYS
    if (after === undefined || !this.#isTold || !this.#shows(before)) return UNTOLD
    return this.#changes.push({ before, after, rows: 0 }) - 1
  }

  #isStored(before: Value, after: Value | undefined): boolean {
    return (
      after !== undefined && this.#column !== undefined && isStored(this.#column, before, after)
    )
  }

  /** `undefined` where it is not known before it is written. */
  #after(before: Value): Value | undefined {
    const value = this.#value
    if (!isComputed(value)) return value
    // A moment passes until it is written.
    if ('now' in value) return undefined
    const row = { [this.name]: before }
    const found = computeValues(this.#access.table, { [this.name]: value }, row, this.#at)
    return 'unsuited' in found ? undefined : (found.values[this.name] ?? null)
  }

  /** Whether a number is changed by so much that no digit need be worked out to see that. */
  #isFar(before: Value): boolean {
    const value = this.#value
    if (typeof before !== 'number' || !isComputed(value)) return false
    const { type, scale = 0 } = this.#column ?? {}
    const unit = type === 'float' ? Math.abs(before) * 1e-6 : 10 ** -scale
    const by = 'add' in value ? Number(value.add) : 0
    const times = 'multiply' in value ? before * (Number(value.multiply) - 1) : 0
    return Math.abs(by + times) > unit * 1.01 && Math.abs(before) < unit * 1e12
  }

  #shows(value: Value): boolean {
    const isShort = typeof value !== 'string' || value.length <= MOST_CHARACTERS
    return isShort && this.#access.showsValue(this.name, value)
  }
}

/** NULL after all others. */
function byValue(one: Value, other: Value): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  if (one === other) return 0
  return one < other ? -1 : 1
}
