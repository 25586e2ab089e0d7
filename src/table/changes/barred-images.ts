/** Rows that would be taken back and that the policy lets the actor see, but not change. */

import type { ChangeAction } from '../source/access.ts'
import type { RowImage } from '../source/ledger-entry.ts'
import { keyName, readRows, type RowReader } from './read-rows.ts'
import type { SeenImage } from './seen-images.ts'

const ACTIONS: readonly ChangeAction[] = ['update', 'delete']

export async function barredImages(
  source: RowReader,
  seen: readonly SeenImage[],
): Promise<ReadonlySet<RowImage>> {
  const barred: RowImage[] = []
  for (const [open, ofTable] of Map.groupBy(seen, (one) => one.open))
    for (const action of ACTIONS) {
      const others = open.access.unchangeable(action)
      const images = ofTable.flatMap(({ image }) => (backBy(image) === action ? image : []))
      if (!others || images.length === 0) continue
      const keys = images.map(({ key }) => key)
      const found = await readRows(source, others, keys)
      barred.push(...images.filter(({ key }) => found.has(keyName(key))))
    }
  return new Set(barred)
}

/** What takes it back. */
function backBy({ before, after }: RowImage): ChangeAction | 'create' {
  if (before === null) return 'delete'
  return after === null ? 'create' : 'update'
}
