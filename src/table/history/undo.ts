/** What taking a change back would do, told to the person who asks for it, and doing it. */

import { messagesFor } from '../../messages/messages.ts'
import type { LeftRowView, UndoPlanView, UndoResult } from '../../protocol/history-view.ts'
import { recordHref } from '../../protocol/record-view.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { ChangeDoor, UndoPlan } from '../changes/door.ts'
import { problemText } from '../changes/problem-text.ts'
import type { Entry } from '../changes/ledger.ts'
import { type LeftRow, rowsBack } from '../changes/undo.ts'
import { formatterFor } from '../format.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { toldText } from '../list/rows.ts'
import { describeEntry } from './describe.ts'
import { type HistoryServices, tellOf } from './entries.ts'
import { UNDO_JOB, undoJobInput } from './undo-job.ts'

export type UndoServices = HistoryServices & {
  readonly door: ChangeDoor
  /** Address of a table's listing, and of the history. */
  href(table: string): string
  readonly historyHref: string
  /** Where large changes are taken back by a job. Absent: all are taken back at once. */
  readonly jobs?: Pick<Jobs, 'start'> | undefined
  /** From how many rows on. Default: `UNDO_JOB_FROM`. */
  readonly jobFrom?: number | undefined
}

/** From here on a job takes a change back, rows. */
const UNDO_JOB_FROM = 20_000

/** Most rows that stay and are told one by one. */
const LEFT_MAX = 50

/** Throws `NOT_FOUND` for an entry that the actor may not know of. */
export async function planUndo(
  services: UndoServices,
  actor: Actor,
  { id, reader }: { id: string; reader: Reader },
): Promise<UndoPlanView> {
  const { history } = messagesFor(reader.language)
  const large = await findLarge(services, actor, id)
  if (large) return drawLarge(services, large, reader)
  const plan = await services.door.undo(actor, id)
  const entry = await services.ledger.find(id)
  const told = entry && (await tellOf(services, actor, entry))
  const count = rowsOf(plan)
  const rows = amount(count, reader)
  return {
    id,
    title: history.undo.title(told ? describeEntry(told, { reader }).what : ''),
    lead: leadOf(plan, entry?.door === 'order', reader),
    left: plan.left.slice(0, LEFT_MAX).map((left) => drawLeft(services, actor, left, reader)),
    confirm: count === 0 ? null : history.undo.confirm(rows),
    href: `${services.historyHref}?undo=${encodeURIComponent(id)}`,
  }
}

/** Takes back what can be taken back. Throws `NOT_FOUND`, and what `ChangeDoor.apply` throws. */
export async function runUndo(
  all: UndoServices,
  actor: Actor,
  { id, reader }: { id: string; reader: Reader },
): Promise<UndoResult> {
  const { door, catalog, ...services } = all
  const { history } = messagesFor(reader.language)
  const large = await findLarge(all, actor, id)
  if (large) {
    const { entry, title, rows } = large(reader)
    const input = undoJobInput({ entry: entry.id, title, rows })
    // Taken back, done again, and taken back again: each time it is another job.
    const key = `undo ${entry.id} ${entry.undoneBy.length}`
    const tables = entry.tables.map(({ table }) => table)
    await services.jobs?.start(actor, { kind: UNDO_JOB, tables, input, key })
    return { status: 'done', text: history.undo.job.started, entry: null }
  }
  const plan = await door.undo(actor, id)
  const entry = await services.ledger.find(id)
  const isOrder = entry?.door === 'order'
  if (rowsOf(plan) === 0) return { status: 'refused', text: leadOf(plan, isOrder, reader) }
  const outcome = await door.apply(plan.plan)
  if (outcome.status === 'done') {
    const { done, redone } = history.undo
    const say = (await isUndo(services, entry)) ? redone : done
    return { status: 'done', text: say(amount(rowsOf(plan), reader)), entry: outcome.entry }
  }
  const { tables } = plan.plan.change
  const texts = outcome.problems.map((problem) => {
    // Problems name a table of the change.
    const { definition } = catalog().open(actor, tables[problem.place.table]!.table)
    return problemText(problem, definition, reader)
  })
  return { status: 'refused', text: [...new Set(texts)].join(' ') }
}

/** Whether an entry takes another one back; what takes such a one back makes the change again. */
async function isUndo(
  { ledger }: Pick<UndoServices, 'ledger'>,
  entry: Entry | undefined,
): Promise<boolean> {
  let isTakenBack = false
  for (let of = entry; of?.undoes !== undefined; of = await ledger.find(of.undoes))
    isTakenBack = !isTakenBack
  return isTakenBack
}

type Large = (reader: Reader) => {
  readonly entry: Entry
  readonly title: string
  readonly rows: number
}

/** `undefined` for an entry that is taken back at once. Throws `NOT_FOUND` for one that the actor may not know of. */
async function findLarge(
  services: UndoServices,
  actor: Actor,
  id: string,
): Promise<Large | undefined> {
  const entry = await services.ledger.find(id)
  const rows = (entry?.tables ?? []).reduce(
    (sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted,
    0,
  )
  const isWhole = entry && !entry.lacks.some(({ columns }) => columns.length === 0)
  const { jobs, jobFrom = UNDO_JOB_FROM } = services
  if (!jobs || !isWhole || entry.door === 'order' || rows < jobFrom) return undefined
  const told = await tellOf(services, actor, entry)
  if (!told || entry.state !== 'done') throw new AppError('NOT_FOUND')
  return (reader) => {
    const { undo } = messagesFor(reader.language).history
    return { entry, rows, title: undo.title(describeEntry(told, { reader }).what) }
  }
}

function drawLarge({ historyHref }: UndoServices, large: Large, reader: Reader): UndoPlanView {
  const { undo } = messagesFor(reader.language).history
  const { entry, title } = large(reader)
  return {
    ...{ id: entry.id, title, left: [] },
    ...{ lead: undo.job.lead, confirm: undo.job.confirm },
    href: `${historyHref}?undo=${encodeURIComponent(entry.id)}`,
  }
}

const rowsOf = ({ plan }: UndoPlan): number => rowsBack(plan.change)

function leadOf(plan: UndoPlan, isOrder: boolean, reader: Reader): string {
  const { undo } = messagesFor(reader.language).history
  const [back, left] = [rowsOf(plan), plan.left.length]
  if (back === 0) return isOrder ? undo.order : undo.none
  return left === 0
    ? undo.all(amount(back, reader))
    : undo.some(amount(back, reader), amount(left, reader))
}

function drawLeft(
  { catalog, href }: Pick<UndoServices, 'catalog' | 'href'>,
  actor: Actor,
  { table, key, reason, current }: LeftRow,
  reader: Reader,
): LeftRowView {
  const { keys, definition, access } = catalog().open(actor, table)
  const record = current ? keys.record(key) : null
  return {
    label: `${definition.label} ${keys.shown(key).join(', ')}`,
    href: record === null ? null : recordHref(href(table), record, ''),
    why: messagesFor(reader.language).history.undo.why[reason],
    fields: Object.entries(current ?? {}).flatMap(([name, value]) => {
      const column = definition.columns.get(name)
      if (!column || !access.showsValue(name, value)) return []
      const text = value === null ? null : toldText(formatterFor(reader).cell(column, value))
      return [{ label: column.label, value: text }]
    }),
  }
}

const amount = (count: number, reader: Reader) => ({
  count,
  text: formatterFor(reader).number(count),
})
