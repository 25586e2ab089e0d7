/** A few rows of a plan, before and after, as cells show them. */

import { messagesFor } from '../../messages/messages.ts'
import type { PlanChange, PlanRow } from '../../protocol/plan-view.ts'
import { computeValues } from '../changes/compute.ts'
import { isComputed, type NewValue, type NewValues } from '../source/computed.ts'
import type { PageRow } from '../source/row-source.ts'
import type { KeyValues, Value } from '../source/value.ts'
import type { Values } from '../source/write-unit.ts'
import { namingColumns } from '../record/telling.ts'
import type { Asking } from './asking.ts'
import { copiedIn, shownColumns } from './compared-columns.ts'
import type { PlannedWrite } from './plan-content.ts'
import { readSome, toldRow, type ValueTexts, valueTexts } from './told-values.ts'

/** Rows of a sample. */
export const SAMPLE = 4

export async function sampleOf(
  asking: Asking,
  keys: readonly KeyValues[],
  write: PlannedWrite,
): Promise<PlanRow[]> {
  const { access } = asking.open
  const labels = namingColumns(asking.open)
  const shown = shownColumns(asking.open, write)
  const sources = 'set' in write ? copiedIn(write.set) : []
  const columns = [...new Set([...shown, ...sources, ...labels])]
  const readable = columns.filter((name) => access.canRead(name))
  const rows = await readSome(asking, keys.slice(0, SAMPLE), readable)
  const drawn = rows.map((row) => {
    const held = heldBy(asking, readable, row)
    return { row, held, after: 'set' in write ? afterOf(asking, write.set, held) : undefined }
  })
  const texts = await valueTexts(
    asking,
    drawn.flatMap(({ held, after }) => [...Object.entries(held), ...Object.entries(after ?? {})]),
  )
  return drawn.map(({ row, held, after }) => ({
    ...toldRow(asking, { key: row.key, row, columns: readable, texts, isBesideKey: true }),
    changes: shown.flatMap((column) => {
      if (!Object.hasOwn(held, column)) return []
      const set = 'set' in write ? write.set[column] : undefined
      return [changeOf(asking, { column, held, after, set }, texts)]
    }),
  }))
}

/** The values that may be shown. */
function heldBy({ open }: Asking, columns: readonly string[], { values, masked }: PageRow): Values {
  const held = columns.flatMap((name, at): [string, Value][] => {
    const value = values[at] ?? null
    return masked?.has(at) || !open.access.showsValue(name, value) ? [] : [[name, value]]
  })
  return Object.fromEntries(held)
}

/** Of each column by itself: one that cannot be worked out hides no other. */
function afterOf({ open, plans }: Asking, set: NewValues, held: Values): Values {
  const found = Object.entries(set).flatMap(([name, value]): [string, Value][] => {
    const needed = isComputed(value) && 'column' in value ? value.column : name
    if (isComputed(value) && !Object.hasOwn(held, needed)) return []
    const one = computeValues(open.access.table, { [name]: value }, held, plans.now())
    return 'unsuited' in one ? [] : [[name, one.values[name] ?? null]]
  })
  return Object.fromEntries(found)
}

type Changed = {
  readonly column: string
  readonly held: Values
  /** Absent if the row goes. */
  readonly after: Values | undefined
  readonly set: NewValue | undefined
}

function changeOf(
  { open, reader }: Asking,
  { column, held, after, set }: Changed,
  texts: ValueTexts,
): PlanChange {
  const label = open.definition.columns.get(column)?.label ?? column
  const before = texts(column, held[column] ?? null)
  if (!after || set === undefined) return { column, label, before }
  const isNow = isComputed(set) && 'now' in set
  const { ways } = messagesFor(reader.language).sealing
  return { column, label, before, after: isNow ? ways.now : texts(column, after[column] ?? null) }
}
