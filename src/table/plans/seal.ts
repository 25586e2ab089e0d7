/** Seals a plan: the exact rows of a selection that a change applies to, kept on the server until it is confirmed. */

import { messagesFor } from '../../messages/messages.ts'
import type { BulkAsk, Refusal, SealResult } from '../../protocol/plan-view.ts'
import { notWhileLooking } from '../../server/not-while-looking.ts'
import { AppError } from '../../server/app-error.ts'
import type { Change } from '../changes/change.ts'
import { isByRow } from '../changes/expand-sets.ts'
import { problemText } from '../changes/problem-text.ts'
import { formatterFor } from '../format.ts'
import type { Access } from '../source/access.ts'
import type { Predicate } from '../source/predicate.ts'
import { isComputed } from '../source/computed.ts'
import { rowsWhere } from '../source/row-digest.ts'
import type { KeyValues, Value } from '../source/value.ts'
import { CHUNK_KEYS, type RowChange } from '../source/write-unit.ts'
import {
  type Asking,
  AT_ONCE_ROWS,
  JOB_ROWS,
  BOUNDS,
  JUDGED_ROWS,
  OWN_ROWS,
  PLAN_MS,
  TIMEOUT_MS,
} from './asking.ts'
import { barredReason, barredRows, changeableRows } from './changeable-rows.ts'
import { comparedColumns } from './compared-columns.ts'
import { drawPlan, refusedOf } from './draw-plan.ts'
import { heldRows, rowsHolding } from './hanging-rows.ts'
import { mostLeft } from './left-rows.ts'
import { encodeContent, type PlannedWrite } from './plan-content.ts'
import { readAsk } from './read-ask.ts'
import { Refusals } from './refusals.ts'
import { SAMPLE } from './sample.ts'
import { Tally } from './tally.ts'
import { toldRows } from './told-values.ts'

/** Where rows are kept that were refused as the plan was sealed: before those of its steps. */
const SEALED_PLACE = -1
/** Keys that the rules are asked about at once. */
const JUDGED = 1000

/** `where`: the selection. Throws `FORBIDDEN` for what the actor is not offered. */
export async function sealPlan(
  asking: Asking,
  where: Predicate,
  ask: BulkAsk,
): Promise<SealResult> {
  const { actor, open, plans, reader } = asking
  notWhileLooking(actor)
  const asked = await readAsk(asking, ask)
  if ('errors' in asked) return { status: 'refused', errors: asked.errors }
  const id = plans.newId()
  const at = plans.now()
  const read = { ...asked, write: ofToday(asking, asked.write, at) }
  try {
    const rows = await findRows(asking, { where, ...read, id, at })
    const why = whyNot(asking, read.write, rows)
    if (why.length > 0) {
      await plans.store.forget(id)
      return { status: 'refused', errors: { '': why } }
    }
    if (rows.toWrite === 0) {
      await plans.store.forget(id)
      const refusal = await refusalOf(asking, { ask, write: read.write }, rows)
      const errors = { '': [`${refusal.title}.`, ...reasonsOf(rows)] }
      return { status: 'refused', errors, refusal }
    }
    const { plan, only } = await drawPlan(asking, { id, at, ask, write: read.write, rows })
    const { written, matching, refusals } = rows
    if (refusals.total > 0) await plans.store.keepLeft(id, SEALED_PLACE, refusals.rows)
    await plans.store.add(
      {
        ...{ id, table: open.access.table.name, at, endsAt: at + PLAN_MS },
        behalf: null,
        ...{ by: { id: actor.id, name: actor.name }, rows: rows.kept, bytes: rows.bytes },
        content: encodeContent({
          ...{ ask: ask.do, asked: ask, write: read.write, where: written, matching },
          compared: comparedColumns(open, read.write),
          ...{ refused: refusals.total, title: plan.title, runs: plan.runs },
          ...(rows.so > 0 && { so: rows.so }),
          ...(only !== undefined && { only }),
        }),
      },
      BOUNDS,
    )
    return { status: 'sealed', plan }
  } catch (error) {
    await plans.store.forget(id)
    if (!(error instanceof AppError) || error.code !== 'QUERY_TIMEOUT') throw error
    return {
      status: 'refused',
      errors: { '': [messagesFor(reader.language).sealing.tooLong] },
    }
  }
}

/** Each of the rows is refused. Of one, it says which, and what holds it. */
async function refusalOf(
  asking: Asking,
  { ask, write }: { readonly ask: BulkAsk; readonly write: PlannedWrite },
  rows: FoundRows,
): Promise<Refusal> {
  const { allRefused, one } = messagesFor(asking.reader.language).sealing
  const does = ask.do === 'own' ? 'edit' : ask.do
  const key = rows.selected === 1 ? rows.refusals.told[0]?.key : undefined
  if (!key) {
    const refused = await refusedOf(asking, rows)
    return { title: allRefused[does], reasons: [], hanging: [], refused }
  }
  const [row] = await toldRows(asking, [key])
  // Where the actor may not delete it, it would stay without them, too.
  const deletable = { ...asking, open: changeableRows(asking.open, write) }
  const hanging = ask.do === 'delete' ? await rowsHolding(deletable, key) : []
  return {
    title: one.refused[does](row?.label ?? ''),
    reasons: hanging.length > 0 ? [] : reasonsOf(rows),
    hanging,
    refused: { reasons: [], rows: [] },
  }
}

const reasonsOf = ({ refusals }: FoundRows): string[] =>
  refusals.reasons().map(([reason]) => reason)

/** Today is the day on which it was sealed, in UTC: a job may still be writing tomorrow. */
function ofToday({ open }: Asking, write: PlannedWrite, at: number): PlannedWrite {
  if (!('set' in write)) return write
  const isDate = (name: string) =>
    open.access.table.columns.some((one) => one.name === name && one.type === 'date')
  const set = Object.entries(write.set).map(([name, value]) =>
    isComputed(value) && 'now' in value && isDate(name)
      ? ([name, new Date(at).toISOString().slice(0, 10)] as const)
      : ([name, value] as const),
  )
  return { ...write, set: Object.fromEntries(set) }
}

type Asked = {
  readonly id: string
  /** Since when, ms. */
  readonly at: number
  readonly where: Predicate
  readonly write: PlannedWrite
  readonly unless?: Predicate
}

/** The rows of a selection, those that are so already, those that are refused, and those that are written. */
export type FoundRows = {
  readonly selected: number
  readonly already: number
  readonly refusals: Refusals
  /** The condition of the rows that are kept, how many fulfil it, and how many of them are kept. */
  readonly written: Predicate
  readonly matching: number
  readonly kept: number
  readonly bytes: number
  /** How many of those that are kept are so already, and how many are written. */
  readonly so: number
  readonly toWrite: number
  /** The first that are written. */
  readonly first: readonly KeyValues[]
  /** What becomes of their values, where that is known. */
  readonly tally: Tally | undefined
  /** Whether there are more than `mostRows`. */
  readonly isExcess?: true
}

async function findRows(
  asking: Asking,
  { id, at, where, write, unless }: Asked,
): Promise<FoundRows> {
  const refusals = new Refusals(mostLeft(asking.open))
  const count = async (all: Predicate[]) =>
    (await asking.source.count(asking.open.access, and(all), runOf(asking))).count
  const already = unless ? await count([where, unless]) : 0
  const open: Predicate[] = [where, ...(unless ? [not(unless)] : [])]
  const barred = barredRows(asking.open, write)
  if (barred) {
    const reason = barredReason(write, asking.reader)
    await refuse(asking, barred, and(open), { reason, refusals })
  }
  const writing = { ...asking, open: changeableRows(asking.open, write) }
  const free = 'delete' in write ? await withoutHeld(writing, open, refusals) : open
  const kept = await keepKeys(writing, { id, at, write, where: and(free) }, refusals)
  return {
    ...kept,
    ...{ already: already + kept.so, refusals, written: and(free) },
    ...{ selected: already + kept.matching + refusals.counted, toWrite: kept.kept - kept.so },
  }
}

/** Rows that the database will not delete, because others refer to them, are refused. */
async function withoutHeld(
  asking: Asking,
  where: readonly Predicate[],
  refusals: Refusals,
): Promise<readonly Predicate[]> {
  const { sealing } = messagesFor(asking.reader.language)
  let free = where
  for (const held of heldRows(asking)) {
    const found = and([...free, held.where])
    const reason = sealing.referredBy(held.table)
    const isAny = await refuse(asking, asking.open.access, found, { reason, refusals })
    if (isAny) free = [...free, not(held.where)]
  }
  return free
}

type Refusing = { readonly reason: string; readonly refusals: Refusals }

/** Refuses all of the rows; returns whether there are any. */
async function refuse(
  asking: Asking,
  access: Access,
  where: Predicate,
  { reason, refusals }: Refusing,
): Promise<boolean> {
  const { count } = await asking.source.count(access, where, runOf(asking))
  if (count === 0) return false
  refusals.count(reason, count)
  for await (const key of keysOf(asking, access, where, refusals.room)) refusals.keep(key, reason)
  return true
}

/** The first of the rows, in the order of their keys. */
async function* keysOf(
  { source, ...asking }: Asking,
  access: Access,
  where: Predicate,
  most: number,
): AsyncGenerator<KeyValues> {
  let left = most
  for await (const keys of source.keys(access, where, runOf(asking))) {
    yield* keys.slice(0, left)
    left -= keys.length
    if (left <= 0) return
  }
}

/** Keeps the keys of the rows chunk by chunk, without those that the table's own rules refuse. */
async function keepKeys(
  asking: Asking,
  { id, at, write, where }: Omit<Asked, 'unless'>,
  refusals: Refusals,
): Promise<Pick<FoundRows, 'matching' | 'kept' | 'bytes' | 'so' | 'first' | 'tally' | 'isExcess'>> {
  const { open, source, plans } = asking
  const compared = comparedColumns(open, write)
  const tally = Tally.of(asking, { write, compared, at })
  const isJudged = !('own' in write) && isByRow(open)
  const most = mostRows(asking, write)
  let [matching, kept, bytes, place, so] = [0, 0, 0, 0, 0]
  const first: KeyValues[] = []
  const chunk = isJudged ? JUDGED : CHUNK_KEYS
  const note = tally && ((values: readonly Value[]) => tally.note(values))
  const run = { ...runOf(asking), chunk, ...(note && { note }) }
  for await (const { notes, ...rows } of source.digests(open.access, where, compared, run)) {
    const { keys } = rows
    matching += keys.length
    if (matching > most || bytes > BOUNDS.bytes)
      return { matching, kept, bytes, so, first, tally, isExcess: true }
    const isSo = (at: number) => notes?.[at] === null
    const written = notes ? keys.filter((_, at) => !isSo(at)) : keys
    const allowed = new Set(
      isJudged && !('own' in write) ? await judged(asking, written, write, refusals) : written,
    )
    for (const [at, key] of keys.entries()) if (allowed.has(key)) tally?.add(notes?.[at] ?? null)
    const marked =
      written.length < keys.length ? { ...rows, so: keys.map((_, at) => isSo(at)) } : rows
    const sealed = rowsWhere(marked, (at) => isSo(at) || allowed.has(keys[at] ?? []))
    if (sealed.keys.length === 0) continue
    bytes += await plans.store.addChunk(id, place++, sealed)
    kept += sealed.keys.length
    so += keys.length - written.length
    if (first.length < SAMPLE) first.push(...[...allowed].slice(0, SAMPLE - first.length))
  }
  return { matching, kept, bytes, so, first, tally }
}

/** Those of the rows that the table's rules let change. */
async function judged(
  { door, actor, open, reader, signal }: Asking,
  keys: readonly KeyValues[],
  write: Exclude<PlannedWrite, { own: string }>,
  refusals: Refusals,
): Promise<readonly KeyValues[]> {
  const rows = keys.map((key): RowChange =>
    'delete' in write ? { delete: key } : { update: key, set: write.set },
  )
  const table = open.access.table.name
  const change: Change = { door: 'bulk', tables: [{ table, rows }] }
  const { problems } = await door.propose(actor, change, undefined, runOf({ signal }))
  const refused = new Map(
    problems.map((problem) => [problem.place.at, problemText(problem, open.definition, reader)]),
  )
  return keys.filter((key, at) => {
    const reason = refused.get(at)
    if (reason !== undefined) refusals.add(key, reason)
    return reason === undefined
  })
}

function mostRows({ open, plans }: Asking, write: PlannedWrite): number {
  if (!('own' in write) && isByRow(open)) return JUDGED_ROWS
  if (plans.jobs) return JOB_ROWS
  return 'own' in write ? OWN_ROWS : AT_ONCE_ROWS
}

/** Why there is no plan, where that is not because rows are refused. */
function whyNot(asking: Asking, write: PlannedWrite, rows: FoundRows): string[] {
  const { reader } = asking
  const { sealing } = messagesFor(reader.language)
  const most = mostRows(asking, write)
  const says = most === JUDGED_ROWS ? sealing.tooManyJudged : sealing.tooMany
  if (rows.isExcess) return [says(formatterFor(reader).number(most))]
  if (rows.toWrite > 0 || rows.refusals.total > 0) return []
  return [rows.already > 0 ? sealing.allSo : sealing.noRows]
}

const runOf = ({ signal }: Pick<Asking, 'signal'>) => ({
  signal,
  timeoutMs: TIMEOUT_MS,
  isLong: true,
})

const and = (all: readonly Predicate[]): Predicate => ({ op: 'and', all })
const not = (of: Predicate): Predicate => ({ op: 'not', of })
