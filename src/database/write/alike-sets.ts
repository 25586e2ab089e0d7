/** Whether the images of a part's sets can be taken column by column, and of which columns. */

import type { SetChange } from '../../table/source/write-unit.ts'
import { imagedTable } from './cascades.ts'
import { mayBeLarge } from './held-rows.ts'
import type { ImagedTable } from './images.ts'
import { keyText } from './keys.ts'
import { targetOf, type WriteScope } from './target.ts'

/** Fewer rows are found faster by keys of their own. */
export const LEAST_ALIKE = 500

/**
 * The table with the columns that its sets may change, and those by which they know its rows; `null` where anything
 * else may happen: triggers and cascades write what nobody names.
 */
export function alikeTable(scope: WriteScope, sets: readonly SetChange[]): ImagedTable | null {
  const { table } = scope.of
  const names = columnsOf(sets)
  const isPlain =
    table.kind === 'table' &&
    !table.isKeyDeclared &&
    (table.triggers ?? []).length === 0 &&
    (table.partitions ?? []).length === 0
  if (!names || !isPlain || !areApart(sets)) return null
  const { known } = targetOf(scope)
  if (names.some((name) => known.includes(name))) return null
  const whole = imagedTable(scope.of)
  const isTold = scope.context.dialect.tellsTriggers
  const read = new Set([...names, ...sets.flatMap(({ expect }) => expect?.holding?.columns ?? [])])
  const columns = whole.columns.filter(
    ({ column: { name, generated } }) => !isTold || generated || read.has(name),
  )
  // Of a large value that is neither set nor compared, a digest is enough.
  const isSmall = columns.every(({ column }) => read.has(column.name) || !mayBeLarge(column))
  return isSmall ? { ...whole, columns } : null
}

/** The columns that all of the sets set; `undefined` unless they are the same and the rows are many. */
function columnsOf(sets: readonly SetChange[]): readonly string[] | undefined {
  const rows = sets.reduce((sum, set) => sum + set.in.length, 0)
  if (rows < LEAST_ALIKE) return undefined
  const names = sets.map((set) =>
    'delete' in set ? undefined : Object.keys('set' in set ? set.set : set.each).toSorted(),
  )
  const [first] = names
  return names.every((some) => some?.join('\0') === first?.join('\0')) ? first : undefined
}

/** Whether each row is in one set alone, so that there is one image of it. */
function areApart(sets: readonly SetChange[]): boolean {
  let [last, isAscending]: [number, boolean] = [-Infinity, true]
  for (const { in: keys } of sets)
    for (const key of keys) {
      const [number] = key
      isAscending &&= key.length === 1 && Number.isSafeInteger(number) && Number(number) > last
      if (!isAscending) break
      last = Number(number)
    }
  if (isAscending || sets.length === 1) return true
  const keys = sets.flatMap((set) => set.in)
  return new Set(keys.map(keyText)).size === keys.length
}
