/** What rows held before a unit, collected inside its transaction, and what they hold after it. */

import {
  type EntryDraft,
  type ImageSet,
  type ImageValues,
  MOST_CASCADED,
  type RowImage,
} from '../../table/source/ledger-entry.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import type { Operand } from '../dialect.ts'
import { bind, sql, type Sql } from '../query/sql.ts'
import type { Cascade } from './cascades.ts'
import {
  type HeldRow,
  type HeldValue,
  type HeldValues,
  isDigested,
  isHeldSame,
  readHeld,
  type Whole,
} from './held-rows.ts'
import { batchesOf, isAmong, keyText } from './keys.ts'
import { SetCounts, slimmedSet } from './recorded-images.ts'
import { numberOf, type Work } from './work.ts'
import type { WriteDialect } from './write-dialect.ts'

/** A table of which images are kept: all its columns, whatever the actor may read. */
export type ImagedTable = {
  readonly table: string
  readonly from: Sql
  readonly key: readonly Operand[]
  readonly columns: readonly Operand[]
}

/** What a row held before the unit; `null` if it did not exist. */
type Held = {
  readonly of: ImagedTable
  readonly key: KeyValues
  readonly before: HeldValues | null
  /** Columns that are read whole, before as well as after. */
  readonly whole: Whole
  readonly isCascaded?: boolean
  /** Whether the unit deletes it. */
  readonly isDeleted?: boolean
}

/** Columns that are set in rows; `null`: the rows are deleted. */
type Written = readonly string[] | null

/** The rows that a unit has changed so far, by their tables and current keys. */
export class Images {
  readonly #dialect: WriteDialect
  readonly #cascades: readonly Cascade[]
  readonly #held = new Map<string, Held>()
  /** How many rows cascades or triggers took of which there is no image, by table. */
  readonly missed = new Map<string, number>()
  readonly #entry: EntryDraft | null
  #cascaded = 0
  /** What was recorded column by column. */
  readonly sets = new SetCounts()

  constructor(
    dialect: WriteDialect,
    {
      cascades,
      entry,
    }: { readonly cascades: readonly Cascade[]; readonly entry: EntryDraft | null },
  ) {
    this.#dialect = dialect
    this.#cascades = cascades
    this.#entry = entry
  }

  /** Hands images over that are complete. */
  *record(set: ImageSet): Work<void> {
    if (set.keys.length === 0 || !this.#entry) return
    const { values, ...slim } = slimmedSet(set)
    this.sets.add(slim)
    yield { record: this.#entry, images: [], values, sets: [slim] }
  }

  /**
   * Keeps what rows hold, locked until the commit, unless that is known already, and what the rows hold
   * that the database will write along with them; returns the rows.
   */
  *keep(of: ImagedTable, rows: Sql, written: Written): Work<HeldRow[]> {
    const locked = sql`${rows}${this.#dialect.lockForUpdate}`
    const found = yield* readHeld(this.#dialect, of, locked, written, true)
    for (const row of found) this.#hold(of, row, written, false)
    yield* this.#keepCascaded(of, found, written)
    return found
  }

  #hold(of: ImagedTable, row: HeldRow, whole: Written, isCascaded: boolean): void {
    const name = nameOf(of, row.key)
    const held = this.#held.get(name)
    const isDeleted = whole === null || held?.isDeleted === true
    this.#held.set(
      name,
      held
        ? {
            ...completed(held, row, whole),
            // What a change itself writes is no cascade's.
            ...{ isCascaded: held.isCascaded === true && isCascaded, isDeleted },
          }
        : { of, key: row.key, before: row.values, whole, isCascaded, isDeleted },
    )
  }

  /** Goes through rows level by level; `seen` are those that have been followed. */
  *#keepCascaded(
    of: ImagedTable,
    rows: readonly HeldRow[],
    written: Written,
    seen = new Set<string>(),
  ): Work<void> {
    const fresh = rows.filter(({ key }) => !seen.has(stepOf(of, key, written)))
    for (const { key } of fresh) seen.add(stepOf(of, key, written))
    if (fresh.length === 0) return
    for (const cascade of this.#cascades) {
      const action = written ? cascade.onUpdate : cascade.onDelete
      const isSet = written?.some((name) => cascade.references.includes(name)) ?? true
      if (cascade.parent !== of.table || action === 'restrict' || !isSet) continue
      const columns = cascade.columns.map(({ column }) => column.name)
      const then = !written && action === 'cascade' ? null : columns
      const found = yield* this.#takenBy(cascade, fresh, then)
      for (const row of found) this.#hold(cascade.child, row, then, true)
      yield* this.#keepCascaded(cascade.child, found, then, seen)
    }
  }

  /** The rows that refer to these, unless they are too many. */
  *#takenBy(
    { child, columns, references }: Cascade,
    rows: readonly HeldRow[],
    written: Written,
  ): Work<HeldRow[]> {
    const found: HeldRow[] = []
    let missed = 0
    // A row that gets another key by a cascade could not be found afterwards.
    const isKept =
      child.key.length > 0 && !child.key.some(({ column }) => written?.includes(column.name))
    const most = bind(MOST_CASCADED + 1)
    const referred = rows
      .map(({ values }) => references.map((name) => keyValue(values[name])))
      .filter((values) => !values.includes(null))
    for (const batch of batchesOf(columns, referred)) {
      const among = isAmong(this.#dialect, columns, batch)
      const some = isKept
        ? yield* readHeld(
            this.#dialect,
            child,
            sql`${among} limit ${most}${this.#dialect.lockForUpdate}`,
            written,
          )
        : []
      const fresh = some.filter(({ key }) => !this.#held.has(nameOf(child, key))).length
      if (isKept && this.#cascaded + fresh <= MOST_CASCADED) {
        this.#cascaded += fresh
        found.push(...some)
      } else
        missed += yield* numberOf(
          sql`select count(*) from ${child.from} where ${among}`,
          this.#dialect,
        )
    }
    if (missed > 0) this.#miss(child, missed)
    return found
  }

  #miss({ table }: ImagedTable, rows: number): void {
    this.missed.set(table, (this.missed.get(table) ?? 0) + rows)
  }

  inserted(of: ImagedTable, key: KeyValues): void {
    if (!this.#held.has(nameOf(of, key)))
      this.#held.set(nameOf(of, key), { of, key, before: null, whole: null })
  }

  /** A row has got another key. */
  moved(of: ImagedTable, from: KeyValues, to: KeyValues): void {
    const held = this.#held.get(nameOf(of, from))
    if (!held || keyText(from) === keyText(to)) return
    this.#held.delete(nameOf(of, from))
    // A row of the unit may have had this key before, and be gone by now.
    const other = this.#held.get(nameOf(of, to))
    if (other) this.#held.set(`${nameOf(of, to)}:${this.#held.size}`, other)
    this.#held.set(nameOf(of, to), { ...held, key: to })
  }

  /** The images, once everything is written. */
  *finished(): Work<RowImage[]> {
    // A change's own rows come first: those that cascades took refer to them.
    const inOrder = [...this.#held].toSorted(
      ([, a], [, b]) => Number(a.isCascaded ?? false) - Number(b.isCascaded ?? false),
    )
    const tables = Map.groupBy(inOrder, ([, { of }]) => of.table)
    const images: RowImage[] = []
    for (const held of tables.values()) {
      const of = held[0]?.[1].of
      if (!of) continue
      const now = yield* this.#heldNow(of, held)
      for (const [name, { key, before, isCascaded, isDeleted }] of held) {
        const after = now.get(name) ?? null
        const image = imageOf(of, key, { before, after })
        // A trigger has given the row another key or deleted it: nobody knows which.
        if (before && !after && !isDeleted) this.#miss(of, 1)
        else if (image) images.push({ ...image, ...(isCascaded && { cascaded: true }) })
      }
    }
    return images
  }

  /** What rows of one table hold now, by their names. */
  *#heldNow(
    of: ImagedTable,
    held: readonly (readonly [string, Held])[],
  ): Work<ReadonlyMap<string, HeldValues>> {
    const now = new Map<string, HeldValues>()
    const alike = [...Map.groupBy(held, ([, { whole }]) => JSON.stringify(whole)).values()]
    for (const batch of alike.flatMap((some) => batchesOf(of.key, some))) {
      const keys = batch.map(([, { key }]) => key)
      const rows = isAmong(this.#dialect, of.key, keys)
      const found = yield* readHeld(this.#dialect, of, rows, batch[0]?.[1].whole)
      for (const { key, values } of found) now.set(nameOf(of, key), values)
    }
    return now
  }
}

const nameOf = ({ table }: ImagedTable, key: KeyValues): string => `${table} ${keyText(key)}`

const stepOf = (of: ImagedTable, key: KeyValues, written: Written): string =>
  `${nameOf(of, key)} ${written?.join() ?? ''}`

/** What is known of a row, with what another write of it is to set as well. */
function completed(held: Held, { values, digests }: HeldRow, whole: Whole): Held {
  if (!held.before || held.whole === null) return held
  const isRead = (name: string): boolean => {
    const before = held.before?.[name] ?? null
    return !isDigested(before) || isHeldSame(before, digests.get(name) ?? null)
  }
  const names = (whole ?? Object.keys(values)).filter((name) => !held.whole?.includes(name))
  const more = names.filter((name) => isRead(name) && !isDigested(values[name] ?? null))
  const read = more.filter((name) => isDigested(held.before?.[name] ?? null))
  const added = Object.fromEntries(read.map((name) => [name, values[name] ?? null]))
  return { ...held, before: { ...held.before, ...added }, whole: [...held.whole, ...more] }
}

/** No key is as large as that. */
const keyValue = (value: HeldValue = null): Value => (isDigested(value) ? null : value)

type Sides = { readonly before: HeldValues | null; readonly after: HeldValues | null }

/** `undefined` where the row holds what it held. */
function imageOf(of: ImagedTable, key: KeyValues, { before, after }: Sides): RowImage | undefined {
  const { table } = of
  if (!before || !after)
    return before || after
      ? { table, key, before: before && imaged(before), after: after && imaged(after) }
      : undefined
  const names = of.columns.map(({ column }) => column.name)
  const differing = names.filter((name) => !isHeldSame(before[name], after[name]))
  const only = (values: HeldValues): ImageValues =>
    imaged(Object.fromEntries(differing.map((name) => [name, values[name] ?? null])))
  return differing.length === 0
    ? undefined
    : { table, key, before: only(before), after: only(after) }
}

/** Of a large value that nobody has set and that differs all the same, the digest alone is known. */
const imaged = (values: HeldValues): ImageValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isDigested(value) ? { lost: value.digestOf } : value,
    ]),
  )
