/** Tries a sealed plan: all of it is written and rolled back, and what the database did is told. */

import { messagesFor } from '../../messages/messages.ts'
import type { PlanLine, PlanRow, TryResult } from '../../protocol/plan-view.ts'
import { AppError } from '../../server/app-error.ts'
import type { ChangeProblem } from '../changes/change.ts'
import type { Rehearsal } from '../changes/door.ts'
import { formatterFor } from '../format.ts'
import { fieldsOf } from '../history/describe.ts'
import type { Referred } from '../history/referred.ts'
import { isKept, type RowImage } from '../source/ledger-entry.ts'
import type { Values } from '../source/write-unit.ts'
import { type Asking, TIMEOUT_MS, TRIED_ROWS } from './asking.ts'
import { findPlan, type FoundPlan, rowsToWrite } from './find-plan.ts'
import { SAMPLE } from './sample.ts'
import { toldRows, valueTexts } from './told-values.ts'
import { areStillSo, changeOf, drawRefusal } from './write-plan.ts'

/** The plan stays as it is: it can be written, or tried again. */
export async function tryPlan(asking: Asking, handle: string): Promise<TryResult> {
  const { actor, door, reader, signal } = asking
  const { sealing, problems: words } = messagesFor(reader.language)
  const refused = (text: string): TryResult => ({ status: 'refused', text, rows: [] })
  const plan = await findPlan(asking, handle)
  if (plan?.state !== 'sealed' || 'own' in plan.holds.write) return refused(sealing.gone)
  if (plan.rows > TRIED_ROWS)
    return refused(sealing.tooManyTried(formatterFor(reader).number(TRIED_ROWS)))
  try {
    const change = await changeOf(asking, plan)
    if (!change) return refused(sealing.gone)
    if (!(await areStillSo(asking, plan))) return refused(sealing.triedChanged)
    const run = { signal, timeoutMs: TIMEOUT_MS }
    const proposed = await door.propose(actor, change, plan.id, run)
    const found = await door.rehearse(proposed, run)
    if (found.status === 'done') return await drawTrial(asking, plan, found)
    if (found.problems.some(isOfOthers)) return refused(sealing.triedChanged)
    return { status: 'refused', ...(await drawRefusal(asking, proposed, found.problems)) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN') return refused(words.forbidden)
    throw error
  }
}

const isOfOthers = ({ kind }: ChangeProblem): boolean => kind === 'missing'

async function drawTrial(
  asking: Asking,
  plan: FoundPlan,
  { recorded, images }: Extract<Rehearsal, { status: 'done' }>,
): Promise<TryResult> {
  const { open, reader } = asking
  const own = images.filter(({ table, cascaded }) => table === open.access.table.name && !cascaded)
  return {
    status: 'tried',
    text: messagesFor(reader.language).sealing.tried,
    tables: linesOf(asking, plan, recorded.tables),
    sample: await sampleOf(asking, own.slice(0, SAMPLE)),
  }
}

type Counts = Extract<Rehearsal, { status: 'done' }>['recorded']['tables']

/** A number would tell of rows that the reader may not see, but for that of the plan. */
function linesOf(
  { catalog, actor, open, reader }: Asking,
  { rows, holds }: FoundPlan,
  tables: Counts,
): PlanLine[] {
  const { sealing } = messagesFor(reader.language)
  const { number } = formatterFor(reader)
  let isHidden = false
  const planned = 'delete' in holds.write ? 'deleted' : 'updated'
  const most = rowsToWrite(rows, holds)
  const lines = tables.flatMap(({ table, ...counts }) => {
    const other = catalog().find(actor, table)
    const isOwn = table === open.access.table.name
    return (['inserted', 'updated', 'deleted'] as const).flatMap((what) => {
      if (counts[what] === 0) return []
      const isWhole = other?.access.seesAllRows === true
      const isPlanned = isOwn && what === planned
      if (!isWhole && (!isPlanned || counts[what] > most)) isHidden = true
      if (!other || (!isWhole && !isPlanned)) return []
      const text = sealing.triedTables[what](other.definition.label)
      return [{ text, count: number(isWhole ? counts[what] : most) }]
    })
  })
  return isHidden ? [...lines, { text: sealing.triedHidden, count: sealing.some }] : lines
}

async function sampleOf(asking: Asking, images: readonly RowImage[]): Promise<PlanRow[]> {
  const { open, reader } = asking
  const rows = await toldRows(
    asking,
    images.map(({ key }) => key),
    true,
  )
  const values = images.flatMap(({ before, after }) =>
    Object.entries({ ...before }).concat(Object.entries({ ...after })),
  )
  const texts = await valueTexts(
    asking,
    values.flatMap(([name, value]) => (isKept(value) ? [[name, value] as const] : [])),
  )
  const referred: Referred = (_, column, value) => texts(column, value) ?? undefined
  return rows.map((row, at) => {
    const image = images[at]
    if (!image) return { ...row, changes: [] }
    const seen = { image, open, current: keptOf(image) }
    const fields = fieldsOf(seen, { reader, referred }).filter(({ isUntold }) => !isUntold)
    return {
      ...row,
      changes: fields.map(({ column, label, before, after }) => ({ column, label, before, after })),
    }
  })
}

const keptOf = ({ before }: RowImage): Values =>
  Object.fromEntries(
    Object.entries(before ?? {}).flatMap(([name, value]) =>
      isKept(value) ? [[name, value] as const] : [],
    ),
  )
