/** Rows of a plan that were not written: kept with their reasons, to be opened as a selection of their own. */

import { messagesFor } from '../../messages/messages.ts'
import type { BulkAsk, LeftBehind } from '../../protocol/plan-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { DELETED, deletedKey, SHOWN } from '../filters/deleted.ts'
import { formatterFor } from '../format.ts'
import { rowsPredicate } from '../selection.ts'
import type { Predicate } from '../source/predicate.ts'
import type { KeyValues } from '../source/value.ts'
import type { ComparedRows } from './confirmed-rows.ts'
import { barredReason } from './changeable-rows.ts'
import { decodeContent, type PlannedWrite } from './plan-content.ts'
import type { PlanStore } from './plan-store.ts'

export type LeftRow = { readonly key: KeyValues; readonly reason: string }

export const because = (keys: readonly KeyValues[], reason: string): LeftRow[] =>
  keys.map((key) => ({ key, reason }))

/** Those of the rows that are not as they were confirmed. */
export function leftOf(
  { reader }: { readonly reader: Reader },
  { gone, changed, barred }: ComparedRows,
  write: PlannedWrite,
): readonly LeftRow[] {
  const { left: words } = messagesFor(reader.language).sealing
  return [
    ...because(gone, words.noMatch),
    ...because(changed, words.changed),
    ...because(barred, barredReason(write, reader)),
  ]
}

/** The parameter of a list's address that names a plan, and shows the rows that it left. */
export const LEFT = 'left'

/** Most values of keys of one plan: a list finds all of them by one condition, and databases take only so many. */
const MOST_VALUES = 10_000

/** Most rows of a plan that are kept; of more, the others are only counted. */
export const mostLeft = ({ definition }: Pick<OpenTable, 'definition'>): number =>
  Math.floor(MOST_VALUES / Math.max(definition.table.key.length, 1))

/** How many more rows of a plan are kept where some are already. */
export const roomFor = (open: Pick<OpenTable, 'definition'>, kept: number): number =>
  Math.max(mostLeft(open) - kept, 0)

/** Most reasons that are told one by one. */
export const MOST_REASONS = 20

type Where = { readonly open: OpenTable; readonly reader: Reader; href(table: string): string }

/** Where the rows that a plan has left are selected; `null` where there are none. */
export function leftBehind(
  { open, reader, href }: Where,
  plan: string,
  rows: number,
): LeftBehind | null {
  if (rows === 0) return null
  const { left: words } = messagesFor(reader.language).sealing
  const { number } = formatterFor(reader)
  const most = mostLeft(open)
  const text =
    rows > most
      ? words.openFirst(number(most), number(rows))
      : words.open({ count: rows, text: number(rows) })
  // Rows that are marked as deleted may be among them.
  const query = new URLSearchParams({
    ...{ [LEFT]: plan },
    ...(deletedKey(open) !== undefined && { [DELETED]: SHOWN }),
  })
  return { text, href: `${href(open.access.table.name)}?${query.toString()}` }
}

/** Rows that a plan has left: all of them, or those of one reason. */
export type FoundLeft = {
  readonly plan: string
  readonly title: string
  /** What the plan asked. */
  readonly asked: BulkAsk | undefined
  /** How many there are of each reason, the most frequent first. */
  readonly reasons: readonly (readonly [reason: string, rows: number])[]
  /** The place of the one whose rows these are. */
  readonly reason: number | null
  readonly where: Predicate
}

/** The same with the name by which it was asked for; `null` for what is no longer kept. */
export type NamedLeft = { readonly name: string; readonly found: FoundLeft | null }

const NAME = /^([\w-]{1,64})(?:\.(\d{1,5}))?$/

/** Whether a text can name a plan, and one of its reasons. */
export const isLeftName = (text: string): boolean => NAME.test(text)

export const nameOfReason = (plan: string, reason: number): string => `${plan}.${reason}`

/** `null` for a plan that is somebody else's or no longer kept, and where it left no such rows. */
export async function findLeft(
  open: OpenTable,
  name: string,
  store: PlanStore | undefined,
): Promise<FoundLeft | null> {
  const [, id = '', place] = NAME.exec(name) ?? []
  const plan = await store?.find(id)
  const { table, actor } = open.access
  if (!store || plan?.table !== table.name || plan.by.id !== actor.id) return null
  const rows = await store.left(id)
  const counts = new Map<string, number>()
  for (const { reason } of rows) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const reasons = [...counts].toSorted(([, one], [, other]) => other - one)
  const reason = place === undefined ? null : Number(place)
  const shown = reason === null ? rows : rows.filter((row) => row.reason === reasons[reason]?.[0])
  // What has the condition of somebody who may see nothing is shared with them.
  if (shown.length === 0) return null
  const { title, asked } = decodeContent(plan.content)
  const keys = shown.map(({ key }) => key)
  return { plan: id, title, asked, reasons, reason, where: rowsPredicate(keys, open) }
}
