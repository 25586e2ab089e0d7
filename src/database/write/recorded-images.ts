/** What of images is handed to a recorder: large values apart, and what they say as a whole. */

import { createHash } from 'node:crypto'
import {
  type ColumnImages,
  type ImageSet,
  type ImageValue,
  type ImageValues,
  LARGEST_KEPT,
  type RowImage,
} from '../../table/source/ledger-entry.ts'
import type { LargeValue } from '../../table/source/recorder.ts'
import type { Recorded } from '../../table/source/write-unit.ts'

/** Larger values are kept once, by their digest, bytes. */
const KEPT_APART = 2 ** 20

/** Images whose large values stand apart. */
export type Slimmed = {
  readonly images: readonly RowImage[]
  readonly values: readonly LargeValue[]
}

export function slimmed(images: readonly RowImage[]): Slimmed {
  const large = new LargeValues()
  const all = (values: ImageValues | null): ImageValues | null =>
    values &&
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, large.slim(value)]))
  const slimImages = images.map((image) => ({
    ...image,
    before: all(image.before),
    after: all(image.after),
  }))
  return { images: slimImages, values: large.values }
}

export function slimmedSet(set: ImageSet): ImageSet & Pick<Slimmed, 'values'> {
  const large = new LargeValues()
  const all = (columns: ColumnImages): ColumnImages =>
    Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, of.map(large.slim)]))
  const [before, after] = [all(set.before), all(set.after)]
  return { ...set, before, after, values: large.values }
}

class LargeValues {
  readonly #found = new Map<string, LargeValue>()

  get values(): LargeValue[] {
    return [...this.#found.values()]
  }

  readonly slim = (value: ImageValue): ImageValue => {
    if (typeof value !== 'string' && !(value instanceof Uint8Array)) return value
    const bytes = sizeOf(value)
    if (bytes <= KEPT_APART) return value
    if (bytes > LARGEST_KEPT) return { lost: bytes }
    const digest = createHash('sha256').update(value).digest('hex')
    this.#found.set(digest, { digest, bytes, value })
    return { digest, bytes }
  }
}

function sizeOf(value: string | Uint8Array): number {
  if (value instanceof Uint8Array) return value.byteLength
  // A short text need not be measured.
  return value.length > KEPT_APART / 4 ? Buffer.byteLength(value) : value.length
}

/** What sets of images say, of which nobody keeps them. */
export class SetCounts {
  readonly tables = new Map<string, number>()
  readonly lacks: Recorded['lacks'][number][] = []

  add({ table, keys, before, after }: ImageSet): void {
    this.tables.set(table, (this.tables.get(table) ?? 0) + keys.length)
    const columns = Object.keys(before).filter(
      (name) => before[name]?.some(isLost) || after[name]?.some(isLost),
    )
    if (columns.length === 0) return
    const lost = keys.filter((_, at) =>
      columns.some((name) => isLost(before[name]?.[at]) || isLost(after[name]?.[at])),
    )
    this.lacks.push({ table, columns, rows: lost.length })
  }
}

/** What the images say as a whole; `missed` are rows without one, by table. */
export function summaryOf(
  images: readonly RowImage[],
  missed: ReadonlyMap<string, number>,
  sets = new SetCounts(),
): Recorded {
  const tables = Map.groupBy(images, ({ table }) => table)
  const count = (of: readonly RowImage[], is: (image: RowImage) => boolean): number =>
    of.filter(is).length
  return {
    tables: [
      ...[...sets.tables].map(([table, updated]) => ({ table, inserted: 0, updated, deleted: 0 })),
      ...[...tables].map(([table, of]) => ({
        table,
        inserted: count(of, ({ before }) => before === null),
        updated: count(of, ({ before, after }) => before !== null && after !== null),
        deleted: count(of, ({ after }) => after === null),
      })),
    ],
    lacks: [
      ...sets.lacks,
      ...[...tables].flatMap(lacking),
      ...[...missed].map(([table, rows]) => ({ table, columns: [], rows })),
    ],
  }
}

function lacking([table, of]: readonly [string, readonly RowImage[]]): Recorded['lacks'] {
  const short = of.map(({ before, after }) => new Set([...lost(before), ...lost(after)]))
  const columns = [...new Set(short.flatMap((names) => [...names]))]
  const rows = short.filter(({ size }) => size > 0).length
  return rows > 0 ? [{ table, columns, rows }] : []
}

const lost = (values: ImageValues | null): string[] =>
  Object.entries(values ?? {}).flatMap(([name, value]) => (isLost(value) ? [name] : []))

const isLost = (value: ImageValue = null): boolean =>
  value !== null && typeof value === 'object' && 'lost' in value
