/** The labels of related rows, by the values that refer to them. */

import { labelText, orOnTimeout, RELATED_TIMEOUT_MS } from '../references.ts'
import { encodeValue } from '../row-key.ts'
import type { Relation } from '../list/search.ts'
import type { RowSource } from '../source/row-source.ts'
import type { Value } from '../source/value.ts'

/** By the values as they stand in addresses; a row without a label, or none in time, is left out. */
export async function labelsOf(
  source: RowSource,
  relation: Relation | undefined,
  values: readonly Value[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (!relation || values.length === 0) return new Map()
  const { access, references, label } = relation
  const query = {
    columns: [references, label],
    where: { op: 'in', column: references, values },
    sort: [],
    size: values.length,
    place: { at: 'first' },
  } as const
  const page = await source
    .page(access, query, { signal, timeoutMs: RELATED_TIMEOUT_MS })
    .catch(orOnTimeout(undefined))
  return new Map(
    (page?.rows ?? []).flatMap(({ values: [value = null, name = null] }) => {
      const text = labelText(name)
      return text === null ? [] : [[encodeValue(value), text] as const]
    }),
  )
}
