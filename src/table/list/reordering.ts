/** What people may put in order, and the payload and the outcome of doing so. */

import { MOVES_MAX, type ReorderedRow, type ReorderResult } from '../../protocol/reorder.ts'
import type { NamedSides, SeenNeighbours, SeenSides } from '../../protocol/reorder.ts'
import { AppError } from '../../server/app-error.ts'
import type { OpenTable } from '../catalog.ts'
import type { ChangeOutcome } from '../changes/change.ts'
import { joinedLabel, orOnTimeout, ownLabels } from '../references.ts'
import type { Predicate } from '../source/predicate.ts'
import type { KeyValues } from '../source/value.ts'
import type { Neighbours, RankChange, Sides } from '../source/write-unit.ts'
import type { ListContext } from './concern.ts'
import { textOf } from './rows.ts'
import { formatterFor } from '../format.ts'

/** Whether this person may put the rows of the table in order, now. */
export const mayReorder = (open: OpenTable): boolean => open.takesChanges && couldReorder(open)

/** Whether this person may put the rows of the table in order while the database takes changes. */
export function couldReorder({ definition, access }: OpenTable): boolean {
  const { reorder, table } = definition
  return (
    reorder !== undefined &&
    table.key.length > 0 &&
    access.may('update') &&
    access.canRead(reorder.column) &&
    access.canWrite(reorder.column) &&
    reorder.within.every((column) => access.canRead(column))
  )
}

/**
 * The condition that chooses one parent: the values of all columns within which the order counts;
 * `undefined` if the conditions leave some of them open.
 */
export function parentOf(
  { definition: { reorder } }: OpenTable,
  conditions: readonly Predicate[],
): Predicate | undefined {
  const fixed = conditions.filter((one) => {
    if (one.op === 'in') return one.values.length === 1 && reorder?.within.includes(one.column)
    return one.op === 'eq' && reorder?.within.includes(one.column)
  })
  const named = new Set(fixed.flatMap((one) => ('column' in one ? one.column : [])))
  return reorder?.within.every((column) => named.has(column))
    ? { op: 'and', all: fixed }
    : undefined
}

/** Under which name `storeReorder` takes the key of a row. */
export const keyNameOf = ({ definition: { table } }: OpenTable): string =>
  (table.key.length === 1 ? table.key[0] : undefined) ?? 'key'

type Placed = readonly [key: KeyValues, rank: number]

/** The rows of the payload. Throws `REQUEST_INVALID` for anything else than a key and a place each. */
export function readRanks(list: readonly ReorderedRow[], open: OpenTable): Placed[] {
  const [keyName, column] = [keyNameOf(open), open.definition.reorder?.column ?? '']
  return list.map((row) => {
    const { [keyName]: key, [column]: rank, ...others } = row
    if (key === undefined || typeof rank !== 'number' || Object.keys(others).length > 0)
      throw invalid()
    return [readKey(String(key), open), rank]
  })
}

/** The moves with their keys, sorted by place. Throws `REQUEST_INVALID`. */
export function checkMoves(
  moves: readonly (readonly [key: string, rank: number])[],
  open: OpenTable,
): Placed[] {
  const distinct = [0, 1].map((part) => new Set(moves.map((move) => move[part])).size)
  if (moves.length > MOVES_MAX || distinct.some((size) => size < moves.length)) throw invalid()
  return moves
    .map(([key, rank]): Placed => [readKey(key, open), rank])
    .toSorted(([, a], [, b]) => a - b)
}

export const seenOf = (seen: readonly SeenNeighbours[], open: OpenTable): Neighbours[] =>
  seen.map(({ key, from, ...sides }) => ({
    key: readKey(key, open),
    ...sidesOf(sides, open),
    ...(from && { from: sidesOf(from, open) }),
  }))

const sidesOf = ({ previous, next }: SeenSides, open: OpenTable): Sides => ({
  ...(previous !== undefined && { previous: previous === null ? null : readKey(previous, open) }),
  ...(next !== undefined && { next: next === null ? null : readKey(next, open) }),
})

function readKey(text: string, { keys }: OpenTable): KeyValues {
  const key = keys.read(text)
  if (key === null) throw invalid()
  return key
}

const invalid = () => new AppError('REQUEST_INVALID', { detail: ({ rows }) => rows.badRanks })

/**
 * Moves the rows. Where places lie beyond the end, because rows have left it meanwhile, the rows go to the
 * end in the order of their places.
 */
export async function storeRanks<State>(
  context: ListContext<State>,
  at: readonly Placed[],
  change: Omit<RankChange, 'at'> & { readonly within: Predicate },
): Promise<ChangeOutcome> {
  const { access, services } = context.opened
  const outcome = await saveRanks(context, { ...change, at })
  // There were too few rows for the places, so that nobody stands in the way.
  const ranks = outcome.status === 'refused' ? outcome.ranks : undefined
  const isBeyond = ranks?.status === 'conflict' && ranks.current.length === 0
  if (!isBeyond) return outcome
  const { count } = await services.source.count(access, change.within, { signal: context.signal })
  return await saveRanks(context, { ...change, at: upToEnd(at, count) })
}

export const saveRanks = <State>(
  { opened: { access, services }, actor }: ListContext<State>,
  ranks: RankChange,
): Promise<ChangeOutcome> =>
  services.door.save(actor, { door: 'order', tables: [{ table: access.table.name, ranks }] })

function upToEnd(at: readonly Placed[], length: number): Placed[] {
  let end = length
  return at
    .toSorted(([, a], [, b]) => b - a)
    .map(([key, rank]): Placed => {
      const place = Math.min(rank, end)
      end = place - 1
      return [key, place]
    })
}

/** The outcome as the page is told, with the names of the rows that got in between. */
export async function resultOf<State>(
  outcome: ChangeOutcome,
  context: ListContext<State>,
): Promise<ReorderResult> {
  const { keys } = context.opened
  if (outcome.status === 'done')
    return { status: 'done', written: outcome.written, entry: outcome.entry }
  const ruled = outcome.problems.find(({ kind }) => kind === 'rule')
  if (ruled) return { status: 'refused', message: ruled.sentence ?? null }
  const result = outcome.ranks
  if (result?.status === 'missing')
    return { status: 'missing', keys: result.keys.map((key) => keys.name(key)) }
  if (result?.status === 'refused' && result.rule !== 'other')
    return { status: 'refused', message: result.message ?? null }
  if (result?.status !== 'conflict') return { status: 'full' }
  const labels = await labelsOf(
    result.current.flatMap(({ key, from, ...sides }) =>
      [key, sides.previous, sides.next, from?.previous, from?.next].map((one) => one ?? []),
    ),
    context,
  )
  const label = (key: KeyValues) => labels.get(keys.name(key)) ?? keys.shown(key).join(', ')
  const named = ({ previous, next }: Sides): NamedSides => ({
    previous: previous ? label(previous) : null,
    next: next ? label(next) : null,
  })
  return {
    status: 'conflict',
    changed: result.current.map(({ key, from, ...sides }) => ({
      key: keys.name(key),
      label: label(key),
      ...named(sides),
      ...(from && { from: named(from) }),
    })),
  }
}

/** Most rows of a conflict whose labels are read; the others are shown by their keys. */
const NAMED = 60

async function labelsOf<State>(
  wanted: readonly KeyValues[],
  { opened, signal, locale, language, timeZone }: ListContext<State>,
): Promise<Map<string, string>> {
  const { definition, access, keys, services } = opened
  const columns = ownLabels(opened)
  const labels = columns.flatMap((name) => definition.columns.get(name) ?? [])
  const known = new Map(
    wanted.filter((key) => key.length > 0).map((key) => [keys.name(key), key] as const),
  )
  const formatter = formatterFor({ locale, language, timeZone })
  const named = [...known].slice(0, NAMED).map(async ([name, key]) => {
    const shown = keys.shown(key).join(', ')
    if (columns.length === 0) return [name, shown] as const
    // Nothing was written, so a label that takes too long must not leave the outcome unknown.
    const row = await services.source
      .row(access, key, { columns }, { signal })
      .catch(orOnTimeout(undefined))
    const texts = labels.map((label, at) => textOf(formatter.cell(label, row?.values[at] ?? null)))
    return [name, joinedLabel(texts) ?? shown] as const
  })
  return new Map(await Promise.all(named))
}
