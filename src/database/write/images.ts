/** What rows held before a unit, collected inside its transaction, and what they hold after it. */

import { createHash } from 'node:crypto'
import type { ImageValue, ImageValues, RowImage } from '../../table/source/ledger-entry.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import type { Recorded, Values } from '../../table/source/write-unit.ts'
import type { Operand } from '../dialect.ts'
import { join, sql, type Sql } from '../query/sql.ts'
import { decoded, readSql } from './columns.ts'
import { batchesOf, isAmong, keyIn, keyText } from './keys.ts'
import type { LargeValue } from '../../table/source/recorder.ts'
import { rareRows, type Work } from './work.ts'
import type { WriteDialect } from './write-dialect.ts'

/** A table of which images are kept: all its columns, whatever the actor may read. */
export type ImagedTable = {
  readonly table: string
  readonly from: Sql
  readonly key: readonly Operand[]
  readonly columns: readonly Operand[]
}

/** What a row held before the unit; `null` if it did not exist. */
type Held = { readonly of: ImagedTable; key: KeyValues; readonly before: Values | null }

/** The rows that a unit has changed so far, by their tables and current keys. */
export class Images {
  readonly #dialect: WriteDialect
  readonly #held = new Map<string, Held>()

  constructor(dialect: WriteDialect) {
    this.#dialect = dialect
  }

  /** Keeps what rows hold, locked until the commit, unless that is known already; returns their keys. */
  *keep(of: ImagedTable, rows: Sql): Work<KeyValues[]> {
    const found = yield* readWhole(this.#dialect, of, sql`${rows}${this.#dialect.lockForUpdate}`)
    return found.map(({ key, values }) => {
      if (!this.#held.has(nameOf(of, key)))
        this.#held.set(nameOf(of, key), { of, key, before: values })
      return key
    })
  }

  inserted(of: ImagedTable, key: KeyValues): void {
    if (!this.#held.has(nameOf(of, key))) this.#held.set(nameOf(of, key), { of, key, before: null })
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
    const tables = Map.groupBy(this.#held.entries(), ([, { of }]) => of.table)
    const images: RowImage[] = []
    for (const held of tables.values()) {
      const of = held[0]?.[1].of
      if (!of) continue
      const now = new Map<string, Values>()
      for (const batch of batchesOf(of.key, held)) {
        const keys = batch.map(([, { key }]) => key)
        const rows = isAmong(this.#dialect, of.key, keys)
        for (const { key, values } of yield* readWhole(this.#dialect, of, rows))
          now.set(nameOf(of, key), values)
      }
      for (const [name, { key, before }] of held) {
        const image = imageOf(of, key, { before, after: now.get(name) ?? null })
        if (image) images.push(image)
      }
    }
    return images
  }
}

const nameOf = ({ table }: ImagedTable, key: KeyValues): string => `${table} ${keyText(key)}`

type WholeRow = { readonly key: KeyValues; readonly values: Values }

function* readWhole(dialect: WriteDialect, of: ImagedTable, rows: Sql): Work<WholeRow[]> {
  const list = join([
    ...of.key.map((column) => column.sql),
    ...of.columns.map((column) => readSql(dialect, column)),
  ])
  const found = yield* rareRows(sql`select ${list} from ${of.from} where ${rows}`, dialect)
  return found.map((row) => ({
    key: keyIn(dialect, of.key, row),
    values: Object.fromEntries(
      of.columns.map(({ column }, i) => [
        column.name,
        decoded(dialect, column, row[of.key.length + i]),
      ]),
    ),
  }))
}

type Sides = { readonly before: Values | null; readonly after: Values | null }

/** `undefined` where the row holds what it held. */
function imageOf(of: ImagedTable, key: KeyValues, { before, after }: Sides): RowImage | undefined {
  const { table } = of
  if (!before || !after) return before || after ? { table, key, before, after } : undefined
  const names = of.columns.map(({ column }) => column.name)
  const differing = names.filter((name) => !isSame(before[name], after[name]))
  const only = (values: Values): Values =>
    Object.fromEntries(differing.map((name) => [name, values[name] ?? null]))
  return differing.length === 0
    ? undefined
    : { table, key, before: only(before), after: only(after) }
}

function isSame(a: Value = null, b: Value = null): boolean {
  return a instanceof Uint8Array && b instanceof Uint8Array
    ? Buffer.compare(a, b) === 0
    : Object.is(a, b)
}

/** Larger values are kept once, by their digest, bytes. */
const KEPT_APART = 2 ** 20
/** Larger values are not kept, bytes. */
const LOST = 2 ** 24

/** Images whose large values stand apart. */
export type Slimmed = {
  readonly images: readonly RowImage[]
  readonly values: readonly LargeValue[]
}

export function slimmed(images: readonly RowImage[]): Slimmed {
  const large = new Map<string, LargeValue>()
  const slim = (value: ImageValue): ImageValue => {
    if (typeof value !== 'string' && !(value instanceof Uint8Array)) return value
    const bytes = sizeOf(value)
    if (bytes <= KEPT_APART) return value
    if (bytes > LOST) return { lost: bytes }
    const digest = createHash('sha256').update(value).digest('hex')
    large.set(digest, { digest, bytes, value })
    return { digest, bytes }
  }
  const all = (values: ImageValues | null): ImageValues | null =>
    values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, slim(value)]))
  const slimImages = images.map((image) => ({
    ...image,
    before: all(image.before),
    after: all(image.after),
  }))
  return { images: slimImages, values: [...large.values()] }
}

function sizeOf(value: string | Uint8Array): number {
  if (value instanceof Uint8Array) return value.byteLength
  // A short text need not be measured.
  return value.length > KEPT_APART / 4 ? Buffer.byteLength(value) : value.length
}

/** What the images say as a whole. */
export function summaryOf(images: readonly RowImage[]): Recorded {
  const tables = Map.groupBy(images, ({ table }) => table)
  const count = (of: readonly RowImage[], is: (image: RowImage) => boolean): number =>
    of.filter(is).length
  return {
    tables: [...tables].map(([table, of]) => ({
      table,
      inserted: count(of, ({ before }) => before === null),
      updated: count(of, ({ before, after }) => before !== null && after !== null),
      deleted: count(of, ({ after }) => after === null),
    })),
    lacks: [...tables].flatMap(([table, of]) => {
      const short = of.map(({ before, after }) => new Set([...lost(before), ...lost(after)]))
      const columns = [...new Set(short.flatMap((names) => [...names]))]
      const rows = short.filter(({ size }) => size > 0).length
      return rows > 0 ? [{ table, columns, rows }] : []
    }),
  }
}

const lost = (values: ImageValues | null): string[] =>
  Object.entries(values ?? {}).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' && 'lost' in value ? [name] : [],
  )
