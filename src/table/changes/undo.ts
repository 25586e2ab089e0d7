/** Takes a change back: a change whose rows come from an entry, and that expects what the entry left. */

import { AppError } from '../../server/app-error.ts'
import type { Actor } from '../../server/actor.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import type { Access } from '../source/access.ts'
import {
  type ImageChunk,
  imagesOf,
  type ImageValue,
  type ImageValues,
  isKept,
  isSet,
  type RowImage,
  someOf,
} from '../source/ledger-entry.ts'
import type { RowSource } from '../source/row-source.ts'
import { isSame, type KeyValues, type Value } from '../source/value.ts'
import type { RowChange, Values } from '../source/write-unit.ts'
import { barredImages } from './barred-images.ts'
import type { Change, TableChange } from './change.ts'
import type { Entry, ImageQuery, Ledger } from './ledger.ts'
import { childrenFirst, parentsFirst } from './parents-first.ts'
import { readable } from './problems.ts'
import type { RowReader } from './read-rows.ts'
import { createRowLives, type RowLives } from './row-lives.ts'
import { type SeenImage, seenImages } from './seen-images.ts'
import { judgeSet } from './undo-sets.ts'

/**
 * A row that stays as it is. `changed`: it no longer holds what the entry left; `exists`: the key of a
 * deleted row is taken; `gone`: there is no such row any more; `forbidden`: the actor may not change it
 * back; `lost`: its values were too large to keep; `withdrawn`: a column of it is gone.
 */
export type LeftRow = {
  readonly table: string
  readonly key: KeyValues
  readonly reason: 'changed' | 'exists' | 'gone' | 'forbidden' | 'lost' | 'withdrawn'
  /** What it holds now in the columns that the entry changed, as far as the actor may read them. */
  readonly current?: Values
}

/** What can be taken back of an entry, and which rows are left. */
export type Undoing = {
  readonly entry: Entry
  readonly change: Change
  readonly left: readonly LeftRow[]
}

export type UndoServices = {
  readonly source: RowReader & Pick<RowSource, 'digests' | 'keys'>
  readonly ledger: Ledger
  catalog(): Catalog
}

/**
 * What takes an entry back, whole or for the rows of a table or one row of it. Throws `NOT_FOUND` for an
 * entry that the actor may not know of, and for one whose outcome is not known.
 */
export async function undoing(
  { source, ledger, catalog }: UndoServices,
  actor: Actor,
  id: string,
  query: ImageQuery = {},
): Promise<Undoing> {
  const entry = await ledger.find(id)
  if (entry?.state !== 'done') throw new AppError('NOT_FOUND')
  const judging = { source, ledger, catalog, actor, entry, lives: createRowLives(ledger) }
  const [back, sets, left]: [Back[], TableChange[], LeftRow[]] = [[], [], []]
  // Of each chunk stays what is written back, and not the whole rows by which that was judged.
  for await (const chunks of inSteps(ledger.chunks(id, query), AT_ONCE)) {
    const some = await judgeChunks(judging, chunks)
    back.push(...some.back)
    sets.push(...some.sets)
    for (const one of some.left) left.push(left.length < TOLD_WHOLE ? one : { ...one, current: {} })
  }
  if (left.length + back.length + sets.length === 0) throw new AppError('NOT_FOUND')
  return { entry, left, change: { door: 'undo', tables: tablesOf(judging, { back, sets, left }) } }
}

/** The same for some images of an entry, where a job takes it back step by step. */
export async function undoingSome(
  { source, ledger, catalog }: UndoServices,
  actor: Actor,
  entry: Entry,
  chunks: readonly ImageChunk[],
): Promise<Undoing> {
  const judging = { source, ledger, catalog, actor, entry, lives: createRowLives(ledger) }
  const judged = await judgeChunks(judging, chunks)
  const { left } = judged
  return { entry, left, change: { door: 'undo', tables: tablesOf(judging, judged) } }
}

/** How many rows a change writes back. */
export const rowsBack = ({ tables }: Change): number =>
  tables.reduce(
    (sum, { rows = [], sets = [] }) =>
      sets.reduce((all, set) => all + set.in.length, sum + rows.length),
    0,
  )

type JudgingAll = UndoServices & Omit<Judging, 'isBarred'> & { readonly lives: RowLives }

/** Single rows and sets that are written back, and the rows that are not. */
type JudgedAll = {
  readonly back: readonly Back[]
  readonly sets: readonly TableChange[]
  readonly left: readonly LeftRow[]
}

/** Rows of a set that do not hold what the entry left are judged one by one, so that it is known why. */
async function judgeChunks(judging: JudgingAll, chunks: readonly ImageChunk[]): Promise<JudgedAll> {
  const { source, lives, catalog, actor, entry } = judging
  const reader = { source, lives, catalog: catalog() }
  const [back, sets, left]: [Back[], TableChange[], LeftRow[]] = [[], [], []]
  const images: RowImage[] = []
  for (const chunk of chunks)
    if (isSet(chunk)) {
      const judged = await judgeSet(judging, chunk, (open, names) =>
        theirsToSet(judging, open, names),
      )
      if (judged.sets.length > 0) sets.push({ table: chunk.table, sets: judged.sets })
      images.push(...imagesOf(judged.others))
    } else images.push(...chunk)
  const all = await seenImages(reader, actor, { entry, images })
  const barred = await barredImages(source, all)
  for (const seen of all) {
    const judged = await judge({ ...judging, isBarred: barred.has(seen.image) }, seen)
    if ('back' in judged) back.push(judged.back)
    else left.push(judged.left)
  }
  return { back, sets, left }
}

function tablesOf(
  { catalog, entry }: JudgingAll,
  { back, sets, left }: JudgedAll,
): readonly TableChange[] {
  // Some rows of an order alone would stand where they never were.
  const isPointless = entry.door === 'order' && left.length > 0
  // A cascade took rows of which there are no images.
  const isShort = entry.lacks.some(({ columns }) => columns.length === 0)
  const own = back.filter((one) => !followsBack(catalog(), one, back))
  if (isPointless || isShort) return []
  const together = [...Map.groupBy(sets, ({ table }) => table)].map(([table, some]) => ({
    table,
    sets: some.flatMap((one) => one.sets ?? []),
  }))
  return [...inOrder(catalog(), own), ...together]
}

/** Images that are judged at once, and rows that stay of which is told what they hold. */
const AT_ONCE = 2000
const TOLD_WHOLE = 200

/** The images in steps of at least this size, but for the last one. */
export async function* inSteps(
  chunks: AsyncIterable<ImageChunk>,
  least: number,
): AsyncGenerator<ImageChunk[]> {
  let some: ImageChunk[] = []
  for await (const chunk of chunks) {
    some.push(chunk)
    if (imagesIn(some) < least) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

/** How many images there are. */
export const imagesIn = (chunks: readonly ImageChunk[]): number =>
  chunks.reduce((sum, chunk) => sum + (isSet(chunk) ? chunk.keys : chunk).length, 0)

/** Some images from one place to before another. Default: to their end. */
export function imagesFrom(
  chunks: readonly ImageChunk[],
  first: number,
  end = Infinity,
): ImageChunk[] {
  let place = 0
  return chunks.flatMap((chunk): ImageChunk[] => {
    const { length } = isSet(chunk) ? chunk.keys : chunk
    const [from, to] = [Math.max(0, first - place), Math.min(length, end - place)]
    place += length
    if (from >= to) return []
    if (from === 0 && to === length) return [chunk]
    return [isSet(chunk) ? someOf(chunk, (at) => at >= from && at < to) : chunk.slice(from, to)]
  })
}

type Back = { readonly table: string; readonly row: RowChange; readonly image: RowImage }
type Judged = { readonly back: Back } | { readonly left: LeftRow }
type Judging = {
  readonly ledger: Ledger
  readonly entry: Entry
  readonly actor: Actor
  /** Whether the policy lets them see the row, and not change it. */
  readonly isBarred: boolean
}

async function judge(judging: Judging, seen: SeenImage): Promise<Judged> {
  const { image, open, current } = seen
  const { table, key } = image
  const left = (reason: LeftRow['reason']): Judged => {
    const names = Object.keys(image.after ?? image.before ?? {})
    const shown = current && readable(pick(current, names), open.access)
    return { left: { table, key, reason, ...(shown && { current: shown }) } }
  }
  if (!mayTakeBack(judging, seen)) return left('forbidden')
  if (image.after === null && current) return left('exists')
  if (image.after !== null && !current) return left('gone')
  const known = new Set(open.access.table.columns.map(({ name }) => name))
  if (Object.keys(image.before ?? image.after ?? {}).some((name) => !known.has(name)))
    return left('withdrawn')
  const before = await wholeValues(judging.ledger, image.before ?? {})
  const after = await wholeValues(judging.ledger, image.after ?? {})
  if (!before || !after) return left('lost')
  const isUntouched = Object.entries(after).every(([name, value]) =>
    isSame(current?.[name] ?? null, value),
  )
  if (!isUntouched) return left('changed')
  return { back: { table, row: rowBack(seen, before, after), image } }
}

/** Whether the database changes the row back itself, along with the one that it refers to. */
function followsBack({ schema }: Catalog, { table, row, image }: Back, back: readonly Back[]) {
  if (!image.cascaded || !('update' in row)) return false
  const { set, expect = {} } = row
  const links = schema.tables.find(({ name }) => name === table)?.foreignKeys ?? []
  return links.some(
    (link) =>
      link.onUpdate === 'cascade' &&
      Object.keys(set).every((name) => link.columns.includes(name)) &&
      back.some(
        (parent) =>
          parent.table === link.table &&
          'update' in parent.row &&
          Object.keys(set).every((name) => {
            const now = parent.image.after?.[link.references[link.columns.indexOf(name)] ?? '']
            return now !== undefined && isKept(now) && isSame(now, expect[name] ?? null)
          }),
      ),
  )
}

/** The change itself, its generated columns left to the database, and those that are not theirs to write as they are. */
function rowBack({ image, open: { access } }: SeenImage, before: Values, after: Values): RowChange {
  const { key } = image
  const generated = generatedIn(access)
  const written = Object.entries(before).filter(([name]) => !generated.has(name))
  if (image.before === null) return { delete: key, expect: after }
  if (image.after === null) return { insert: Object.fromEntries(written) }
  const own = written.filter(([name]) => access.canWrite(name))
  return { update: key, set: Object.fromEntries(own), expect: after }
}

/**
 * Whether the policy allows the opposite. Columns that somebody else has changed must be theirs to write. Of their own
 * change, what triggers and rules have added stays; a row that they have deleted comes back whole.
 */
function mayTakeBack(
  { entry, actor, isBarred }: Judging,
  { image, open: { access } }: SeenImage,
): boolean {
  if (isBarred) return false
  if (image.before === null) return access.may('delete')
  const action = image.after === null ? 'create' : 'update'
  if (!access.may(action)) return false
  const names = Object.keys(image.before)
  const generated = generatedIn(access)
  const mayWrite = (name: string) => access.canWrite(name, action)
  if (entry.by.id !== actor.id) return names.every((name) => generated.has(name) || mayWrite(name))
  return action === 'create' || names.some(mayWrite)
}

/** By the same rule the columns to set in rows that an entry has changed in these; none where that is not allowed. */
function theirsToSet(
  { entry, actor }: JudgingAll,
  { access }: OpenTable,
  names: readonly string[],
): readonly string[] {
  const generated = generatedIn(access)
  const set = names.filter((name) => !generated.has(name))
  const own = set.filter((name) => access.canWrite(name))
  const isTheirs = entry.by.id === actor.id || own.length === set.length
  return access.may('update') && isTheirs ? own : []
}

const generatedIn = ({ table }: Access): ReadonlySet<string> =>
  new Set(table.columns.flatMap(({ name, generated }) => (generated ? [name] : [])))

/** The values, with those that are kept apart; `undefined` if one of them is lost. */
async function wholeValues(ledger: Ledger, values: ImageValues): Promise<Values | undefined> {
  const whole = await Promise.all(
    Object.entries(values).map(async ([name, value]) => [name, await wholeValue(ledger, value)]),
  )
  const isWhole = (one: (typeof whole)[number]): one is [string, Value] => one[1] !== undefined
  return whole.every(isWhole) ? Object.fromEntries(whole) : undefined
}

async function wholeValue(ledger: Ledger, value: ImageValue): Promise<Value | undefined> {
  if (isKept(value)) return value
  return 'digest' in value ? await ledger.value(value.digest) : undefined
}

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]))

/**
 * What the entry has added goes first, so that values that are unique are free for what comes back; but rows
 * come back before others refer to them again, and go after these have let go of them.
 */
function inOrder({ schema }: Catalog, back: readonly Back[]): readonly TableChange[] {
  const of = (kind: 'insert' | 'update' | 'delete') => back.filter(({ row }) => kind in row)
  const linksOf = ({ table, row }: Back) =>
    schema.tables
      .find(({ name }) => name === table)
      ?.foreignKeys.filter(({ columns }) =>
        columns.some((name) => 'update' in row && Object.hasOwn(row.set, name)),
      ) ?? []
  const tables = new Set([...of('insert'), ...of('delete')].map(({ table }) => table))
  const isRelinked = (one: Back) => linksOf(one).some(({ table }) => tables.has(table))
  const [relinked, plain] = [
    of('update').filter(isRelinked),
    of('update').filter((one) => !isRelinked(one)),
  ]
  const held = new Set(relinked.flatMap(linksOf).map(({ table }) => table))
  const isHeld = of('delete').some(({ table }) => held.has(table))
  const changes = (some: readonly Back[]): TableChange[] =>
    [...Map.groupBy(some, ({ table }) => table)].map(([table, all]) => ({
      table,
      rows: all.map(({ row }) => row),
    }))
  const gone = childrenFirst(schema, changes(of('delete')))
  return [
    ...(isHeld ? [] : gone),
    ...changes(plain),
    ...parentsFirst(schema, changes(of('insert'))),
    ...changes(relinked),
    ...(isHeld ? gone : []),
  ]
}
