/** Which rows of a plan still fulfil its condition. */

import { keyName } from '../changes/read-rows.ts'
import { rowsPredicate } from '../selection.ts'
import type { Predicate } from '../source/predicate.ts'
import type { KeyValues } from '../source/value.ts'
import { type Asking, TIMEOUT_MS } from './asking.ts'

/** Rows that are looked for at once. */
const LOOKED_FOR = 500

/** In the order of the keys, as the actor may see them now. */
export async function stillMatching(
  { source, open, signal }: Pick<Asking, 'source' | 'open' | 'signal'>,
  keys: readonly KeyValues[],
  where: Predicate,
): Promise<KeyValues[]> {
  const found: KeyValues[] = []
  for (let from = 0; from < keys.length; from += LOOKED_FOR) {
    const some = rowsPredicate(keys.slice(from, from + LOOKED_FOR), open)
    const run = { signal, timeoutMs: TIMEOUT_MS }
    for await (const chunk of source.keys(open.access, { op: 'and', all: [where, some] }, run))
      found.push(...chunk)
  }
  return found
}

/** The keys that are not among the others, in their order. */
export function without(
  keys: readonly KeyValues[],
  others: readonly KeyValues[],
): readonly KeyValues[] {
  if (others.length === keys.length) return []
  const names = new Set(others.map(keyName))
  return keys.filter((key) => !names.has(keyName(key)))
}
