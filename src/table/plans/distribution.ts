/** What is replaced by what, in how many rows: the most frequent values of each column that is set. */

import { messagesFor } from '../../messages/messages.ts'
import type { PlanView } from '../../protocol/plan-view.ts'
import { computeValues } from '../changes/compute.ts'
import { formatterFor } from '../format.ts'
import { orOnTimeout } from '../references.ts'
import { isComputed, type NewValue, type NewValues } from '../source/computed.ts'
import type { Predicate } from '../source/predicate.ts'
import type { Facet } from '../source/row-source.ts'
import { isSame, type Value } from '../source/value.ts'
import { type Asking, TIMEOUT_MS } from './asking.ts'
import { newText, valueTexts } from './told-values.ts'

export type Distribution = Pick<PlanView, 'changes' | 'moreChanges'>

/** Values of a column that are listed. */
const LISTED = 5

/** `where`: the rows that are written, of which there are `rows`. */
export async function distribution(
  asking: Asking,
  set: NewValues,
  { where, rows }: { readonly where: Predicate; readonly rows: number },
): Promise<Distribution> {
  const found: { changes: PlanView['changes']; more: string[] }[] = []
  for (const [column, value] of Object.entries(set))
    found.push(await ofColumn(asking, { column, value, where, rows }))
  const more = found.flatMap((one) => one.more)
  return {
    changes: found.flatMap((one) => one.changes),
    moreChanges: more.length > 0 ? more.join(' ') : null,
  }
}

type Asked = {
  readonly column: string
  readonly value: NewValue
  readonly where: Predicate
  readonly rows: number
}

async function ofColumn(asking: Asking, asked: Asked) {
  const { open, reader } = asking
  const { column, value, rows } = asked
  const { number } = formatterFor(reader)
  const { sealing } = messagesFor(reader.language)
  const label = open.definition.columns.get(column)?.label ?? column
  const amount = (count: number) => ({ count, text: number(count) })
  const facets = await facetsOf(asking, asked)
  const told = (facets ?? []).flatMap((facet) => changeOf(asking, asked, facet) ?? [])
  if (told.length === 0) {
    const texts = await valueTexts(asking, isComputed(value) ? [] : [[column, value]])
    const after = newText(asking, value, (given) => texts(column, given))
    return { changes: [{ label, before: '…', after, count: number(rows) }], more: [] }
  }
  const texts = await valueTexts(
    asking,
    told.flatMap(({ before, after }) => [[column, before] as const, [column, after] as const]),
  )
  const changed = told.filter(({ before, after }) => !isSame(before, after))
  const same = told.filter(({ before, after }) => isSame(before, after))
  const listed = told.reduce((sum, { count }) => sum + count, 0)
  const sameRows = same.reduce((sum, { count }) => sum + count, 0)
  return {
    changes: changed.map(({ before, after, count }) => ({
      ...{ label, before: texts(column, before), after: texts(column, after) },
      count: number(count),
    })),
    more: [
      ...(listed < rows ? [sealing.otherValues(label, amount(rows - listed))] : []),
      ...(sameRows > 0 ? [sealing.sameValue(label, amount(sameRows))] : []),
    ],
  }
}

/** `undefined` where values cannot be told, or say nothing of what they become. */
async function facetsOf(
  { open, source, signal }: Asking,
  { column, value, where }: Asked,
): Promise<readonly Facet[] | undefined> {
  const { type, array } = open.access.table.columns.find(({ name }) => name === column) ?? {}
  const isPlain = type !== 'binary' && type !== 'json' && !array
  const isByRow = isComputed(value) && ('column' in value || 'now' in value)
  if (!isPlain || isByRow || !open.access.canRead(column)) return undefined
  const options = { signal, timeoutMs: TIMEOUT_MS, limit: LISTED }
  const found = source.facets(open.access, where, column, options)
  return (await found.catch(orOnTimeout(undefined)))?.facets
}

type Change = { readonly before: Value; readonly after: Value; readonly count: number }

/** `undefined` for a value that is not told whole, or looks like a secret. */
function changeOf(
  { open: { access }, plans }: Asking,
  { column, value }: Asked,
  { value: before, count, isCut }: Facet,
): Change | undefined {
  if (isCut || !access.showsValue(column, before)) return undefined
  const found = computeValues(access.table, { [column]: value }, { [column]: before }, plans.now())
  return 'unsuited' in found ? undefined : { before, after: found.values[column] ?? null, count }
}
