/** Rows that would be taken back and that the policy lets the actor see, but not change. */

import type { ChangeAction } from '../source/access.ts'
import type { RowImage } from '../source/ledger-entry.ts'
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
      const found = new Set<string>()
      for (let from = 0; from < images.length; from += BATCH) {
        const keys = images.slice(from, from + BATCH).map(({ key }) => key)
        for await (const some of source.keys(others, rowsPredicate(keys, open)))
          for (const key of some) found.add(keyName(key))
      }
      barred.push(...images.filter(({ key }) => found.has(keyName(key))))
    }
  return new Set(barred)
}

/** What takes it back. */
function backBy({ before, after }: RowImage): ChangeAction | 'create' {
  if (before === null) return 'delete'
  return after === null ? 'create' : 'update'
}
