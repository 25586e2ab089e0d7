/** Rows that would be taken back and that the policy lets the actor see, but not change. */

import type { ChangeAction } from '../source/access.ts'
import type { RowImage } from '../source/ledger-entry.ts'
import type { OpenTable } from '../catalog.ts'
import type { KeyValues } from '../source/value.ts'
import { rowsPredicate } from '../selection.ts'
import type { RowSource } from '../source/row-source.ts'
import { keyName } from './read-rows.ts'
import type { SeenImage } from './seen-images.ts'

/** Keys in one question. */
const BATCH = 500
const ACTIONS: readonly ChangeAction[] = ['update', 'delete']

export async function barredImages(
  source: Pick<RowSource, 'keys'>,
  seen: readonly SeenImage[],
): Promise<ReadonlySet<RowImage>> {
  const barred: RowImage[] = []
  for (const [open, ofTable] of Map.groupBy(seen, (one) => one.open))
    for (const action of ACTIONS) {
      const others = open.access.unchangeable(action)
      const images = ofTable.flatMap(({ image }) => (backBy(image) === action ? image : []))
      if (!others || images.length === 0) continue
      const keys = images.map(({ key }) => key)
      const names = await namesIn(source, { ...open, access: others }, keys)
      barred.push(...images.filter(({ key }) => names.has(keyName(key))))
    }
  return new Set(barred)
}

/** Those of the rows that an access finds, by `keyName`. */
async function namesIn(
  source: Pick<RowSource, 'keys'>,
  open: OpenTable,
  keys: readonly KeyValues[],
): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (let from = 0; from < keys.length; from += BATCH) {
    const where = rowsPredicate(keys.slice(from, from + BATCH), open)
    for await (const found of source.keys(open.access, where))
      for (const key of found) names.add(keyName(key))
  }
  return names
}

/** What takes it back. */
function backBy({ before, after }: RowImage): ChangeAction | 'create' {
  if (before === null) return 'delete'
  return after === null ? 'create' : 'update'
}
