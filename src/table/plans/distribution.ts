/** What is replaced by what, in how many rows: the most frequent values of each column that is set. */

import { messagesFor } from '../../messages/messages.ts'
import type { PlanView } from '../../protocol/plan-view.ts'
import { formatterFor } from '../format.ts'
import { isComputed, type NewValue, type NewValues } from '../source/computed.ts'
import type { Asking } from './asking.ts'
import type { FoundRows } from './seal.ts'
import { newText, valueTexts } from './told-values.ts'

export type Distribution = Pick<PlanView, 'changes' | 'moreChanges'>

/** Values of a column that are listed. */
const LISTED = 5

/** Of the rows that are written. */
export async function distribution(
  asking: Asking,
  set: NewValues,
  rows: Pick<FoundRows, 'tally' | 'toWrite'>,
): Promise<Distribution> {
  const found: { changes: PlanView['changes']; more: string[] }[] = []
  for (const [column, value] of Object.entries(set))
    found.push(await ofColumn(asking, { column, value, ...rows }))
  const more = found.flatMap((one) => one.more)
  return {
    changes: found.flatMap((one) => one.changes),
    moreChanges: more.length > 0 ? more.join(' ') : null,
  }
}

type Asked = Pick<FoundRows, 'tally' | 'toWrite'> & {
  readonly column: string
  readonly value: NewValue
}

async function ofColumn(asking: Asking, { column, value, tally, toWrite }: Asked) {
  const { open, reader } = asking
  const { number } = formatterFor(reader)
  const { sealing } = messagesFor(reader.language)
  const label = open.definition.columns.get(column)?.label ?? column
  const amount = (count: number) => ({ count, text: number(count) })
  const { rows, changes } = tally?.column(column) ?? { rows: toWrite, changes: [] }
  const same = toWrite - rows
  const more = same > 0 ? [sealing.sameValue(label, amount(same))] : []
  const told = changes.slice(0, LISTED)
  if (told.length === 0) {
    const texts = await valueTexts(asking, isComputed(value) ? [] : [[column, value]])
    const after = newText(asking, column, value, (given) => texts(column, given))
    return { changes: rows > 0 ? [{ label, before: '…', after, count: number(rows) }] : [], more }
  }
  const texts = await valueTexts(
    asking,
    told.flatMap(({ before, after }) => [[column, before] as const, [column, after] as const]),
  )
  const others = told.reduce((left, change) => left - change.rows, rows)
  return {
    changes: told.map((change) => ({
      ...{ label, before: texts(column, change.before), after: texts(column, change.after) },
      count: number(change.rows),
    })),
    more: [...(others > 0 ? [sealing.otherValues(label, amount(others))] : []), ...more],
  }
}
