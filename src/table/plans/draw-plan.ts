/** A sealed plan as its reader sees it before it is written. */

import { messagesFor } from '../../messages/messages.ts'
import type { BulkAsk, PlanLine, PlanView } from '../../protocol/plan-view.ts'
import { formatterFor } from '../format.ts'
import { isComputed, type NewValues } from '../source/computed.ts'
import type { KeyValues } from '../source/value.ts'
import { MOST_CASCADED } from '../source/ledger-entry.ts'
import { type Asking, JOB_FROM, OWN_JOB_FROM, PLAN_MS, TRIED_ROWS, TYPED_FROM } from './asking.ts'
import { changeableRows } from './changeable-rows.ts'
import { type Distribution, distribution } from './distribution.ts'
import { signHandle } from './handle.ts'
import { hangingRows } from './hanging-rows.ts'
import { findAction } from './own-action.ts'
import type { PlannedWrite } from './plan-content.ts'
import { sampleOf } from './sample.ts'
import type { FoundRows } from './seal.ts'
import { toldRows, valueTexts } from './told-values.ts'

type Sealed = {
  readonly id: string
  readonly at: number
  readonly ask: BulkAsk
  readonly write: PlannedWrite
  readonly rows: FoundRows
}

/** What a row is called of which alone a plan was asked; `undefined` for others. */
type Only = string | undefined

/** A plan, and what its row is called if it was asked of one alone. */
export async function drawPlan(
  asking: Asking,
  sealed: Sealed,
): Promise<{ readonly plan: PlanView; readonly only: Only }> {
  const { actor, lineage, plans, reader } = asking
  const { id, ask, write, rows } = sealed
  const { sealing } = messagesFor(reader.language)
  const sample = await sampleOf(asking, rows.first, write)
  const [only] = rows.selected === 1 ? await namesOf(asking, rows.first) : []
  const count = amount(asking, rows.toWrite)
  const isDeletion = 'delete' in write
  const runs = howItRuns(asking, write, rows.kept)
  const writing = { ...asking, open: changeableRows(asking.open, write) }
  const key = only === undefined ? undefined : rows.first[0]
  const hanging = isDeletion
    ? await hangingRows(writing, rows.written, key)
    : { told: [], cascaded: 0 }
  const plan: PlanView = {
    handle: signHandle(plans.keys, id, { person: actor.id, lineage }),
    title: await titleOf(asking, sealed, only),
    ...(only !== undefined && { isOne: true }),
    rows: rows.toWrite,
    rowsText: count.text,
    figures: figuresOf(asking, sealed),
    ...('set' in write ? await distribution(asking, write.set, rows) : NONE),
    sample,
    refused: await refusedOf(asking, rows),
    hanging: hanging.told,
    seal: sealOf(asking, sealed, { cascaded: hanging.cascaded, runs, only }),
    typed: rows.toWrite > TYPED_FROM ? count.text : null,
    runs,
    write:
      ask.do === 'own'
        ? sealing.own.button(findAction(asking.open, ask.name).label, count)
        : only === undefined
          ? sealing.buttons[ask.do](count)
          : sealing.one.buttons[ask.do],
    canTry: ask.do !== 'own' && rows.kept <= TRIED_ROWS,
  }
  return { plan, only }
}

const namesOf = async (asking: Asking, keys: readonly KeyValues[]): Promise<string[]> =>
  (await toldRows(asking, keys)).map(({ label }) => label)

const NONE: Distribution = { changes: [], moreChanges: null }

const amount = ({ reader }: Asking, count: number) => ({
  count,
  text: formatterFor(reader).number(count),
})

async function titleOf(asking: Asking, { ask, write, rows }: Sealed, only: Only): Promise<string> {
  const { open, reader } = asking
  const { titles, rowsOf, one } = messagesFor(reader.language).sealing
  const of =
    only === undefined ? rowsOf(open.definition.label, amount(asking, rows.toWrite)) : one.row(only)
  if (ask.do === 'delete' || ask.do === 'mark' || ask.do === 'restore') return titles[ask.do](of)
  if (ask.do === 'own') {
    const { label, confirm = label } = findAction(open, ask.name)
    return typeof confirm === 'string' ? confirm : confirm(rows.toWrite)
  }
  return 'set' in write ? await editTitle(asking, write.set, of) : ''
}

async function editTitle(asking: Asking, set: NewValues, rows: string): Promise<string> {
  const { open, reader } = asking
  const { titles } = messagesFor(reader.language).sealing
  const labels = Object.keys(set).map((name) => open.definition.columns.get(name)?.label ?? name)
  const [[name, value] = ['', null], ...others] = Object.entries(set)
  const fields = new Intl.ListFormat(reader.locale).format(labels)
  if (others.length > 0 || isComputed(value)) return titles.change(fields, rows)
  const text = (await valueTexts(asking, [[name, value]]))(name, value)
  return text === null ? titles.clear(fields, rows) : titles.set(fields, text, rows)
}

/** What is selected, and what is not written of it. */
function figuresOf({ reader }: Asking, { ask, rows }: Sealed): PlanLine[] {
  const { sealing } = messagesFor(reader.language)
  const { number } = formatterFor(reader)
  const { already, refusals, selected } = rows
  const so =
    ask.do === 'edit'
      ? sealing.soAlready
      : ask.do === 'restore'
        ? sealing.notMarked
        : sealing.markedAlready
  const less = (text: string, count: number): PlanLine[] =>
    count > 0 ? [{ text, count: sealing.minus(number(count)) }] : []
  return [
    { text: sealing.selected, count: number(selected) },
    ...less(so, already),
    ...less(sealing.refused, refusals.total),
  ]
}

/** How many rows are refused for each reason, and the first of them. */
export async function refusedOf(
  asking: Asking,
  { refusals }: FoundRows,
): Promise<PlanView['refused']> {
  const { number } = formatterFor(asking.reader)
  const told = await toldRows(
    asking,
    refusals.told.map(({ key }) => key),
  )
  return {
    reasons: refusals.reasons().map(([text, count]) => ({ text, count: number(count) })),
    rows: told.map((row, at) => ({ ...row, reason: refusals.told[at]?.reason ?? '' })),
  }
}

function howItRuns({ plans, open }: Asking, write: PlannedWrite, rows: number): PlanView['runs'] {
  const ofOwn = 'own' in write && findAction(open, write.own).asJob ? 1 : OWN_JOB_FROM
  const from = 'own' in write ? ofOwn : (plans.jobFrom ?? JOB_FROM)
  return plans.jobs && rows >= from ? 'job' : 'at-once'
}

type HowSealed = {
  /** How many other rows the database deletes or changes along. */
  readonly cascaded: number
  readonly runs: PlanView['runs']
  readonly only: Only
}

function sealOf(
  asking: Asking,
  { at, ask, rows }: Sealed,
  { cascaded, runs, only }: HowSealed,
): string {
  const { plans, reader } = asking
  const { sealing } = messagesFor(reader.language)
  const { number } = formatterFor(reader)
  const { locale, timeZone = 'UTC' } = reader
  const clock = (timeStyle: 'short' | 'medium', time: number) =>
    new Intl.DateTimeFormat(locale, { timeStyle, timeZone }).format(time)
  const count = amount(asking, rows.kept)
  const times = [clock('medium', at), clock('short', at + PLAN_MS)] as const
  const sealed = sealing.seal(
    times[0],
    sealing.rowsOf(asking.open.definition.label, count),
    times[1],
  )
  const words = ask.do === 'own' ? sealing.own : { ...sealing, seal: sealing.sealAtOnce }
  const how =
    only !== undefined && ask.do !== 'own' && runs === 'at-once'
      ? sealing.one.seal(...times)
      : `${sealed} ${runs === 'job' ? words.job.seal : words.seal}`
  if (ask.do === 'own') return `${how} ${sealing.own.undo}`
  const undo =
    plans.keptDays === undefined
      ? sealing.undoNever
      : cascaded > MOST_CASCADED
        ? sealing.undoLacks(number(MOST_CASCADED))
        : sealing.undoDays(number(plans.keptDays))
  return `${how} ${undo}`
}
