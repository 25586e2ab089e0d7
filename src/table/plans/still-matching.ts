/** Which rows of a plan still fulfil its condition, and which of them hold something else than was shown. */

import { keyName } from '../changes/read-rows.ts'
import { rowsPredicate } from '../selection.ts'
import type { Predicate } from '../source/predicate.ts'
import type { SeenRow } from '../source/seen-values.ts'
import type { KeyValues } from '../source/value.ts'
import { type Asking, TIMEOUT_MS } from './asking.ts'
import type { PlanChunk } from './plan-store.ts'

/** Rows that are looked for at once. */
const LOOKED_FOR = 500

type Asked = Pick<Asking, 'source' | 'open' | 'signal'>

/** In the order of the keys, as the actor may see them now. */
export async function stillMatching(
  { source, open, signal }: Asked,
  keys: readonly KeyValues[],
  where: Predicate,
): Promise<KeyValues[]> {
  const found: KeyValues[] = []
  for (const some of inPieces(keys)) {
    const all: Predicate = { op: 'and', all: [where, rowsPredicate(some, open)] }
    const run = { signal, timeoutMs: TIMEOUT_MS }
    for await (const chunk of source.keys(open.access, all, run)) found.push(...chunk)
  }
  return found
}

/** Of the rows that still match: those that hold what was shown, and those that do not. */
export async function stillAsShown(
  { source, open, signal }: Asked,
  { keys, seen }: PlanChunk,
  { where, columns }: { readonly where: Predicate; readonly columns: readonly string[] },
): Promise<{ readonly same: PlanChunk; readonly others: readonly KeyValues[] }> {
  if (!seen) {
    const same = await stillMatching({ source, open, signal }, keys, where)
    return { same: { keys: same, seen }, others: [] }
  }
  const shown = new Map(keys.map((key, at) => [keyName(key), seen[at]]))
  const found: SeenRow[] = []
  for (const some of inPieces(keys)) {
    const all: Predicate = { op: 'and', all: [where, rowsPredicate(some, open)] }
    const run = { signal, timeoutMs: TIMEOUT_MS }
    for await (const rows of source.seen(open.access, all, columns, run)) found.push(...rows)
  }
  const isSame = (row: SeenRow): boolean => shown.get(keyName(row.key)) === row.seen
  const same = found.filter(isSame)
  return {
    same: { keys: same.map(({ key }) => key), seen: same.map((row) => row.seen) },
    others: found.filter((row) => !isSame(row)).map(({ key }) => key),
  }
}

const inPieces = (keys: readonly KeyValues[]): (readonly KeyValues[])[] =>
  Array.from({ length: Math.ceil(keys.length / LOOKED_FOR) }, (_, at) =>
    keys.slice(at * LOOKED_FOR, (at + 1) * LOOKED_FOR),
  )
