/** The labels of related rows, by the values that refer to them. */

import { labelText, orOnTimeout, RELATED_TIMEOUT_MS } from '../references.ts'
import { encodeValue } from '../row-key.ts'
import type { Relation } from '../catalog.ts'
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
  const labels = new Map<string, string>()
  const rows = await read(source, relation, values, signal)
  for (const [value = null, name = null] of rows) add(value, name)
  const others = values.filter((value) => !labels.has(encodeValue(value))).slice(0, OTHERS)
  // The engine may take a row's key for equal to another text.
  if (rows.length > 0)
    await Promise.all(
      others.map(async (value) => {
        const [row] = await read(source, relation, [value], signal)
        if (row) add(value, row[1] ?? null)
      }),
    )
  return labels

  function add(value: Value, name: Value): void {
    const text = labelText(name)
    if (text !== null) labels.set(encodeValue(value), text)
  }
}

/** Most values that are looked up one by one. */
const OTHERS = 20

/** Keys and labels of the rows that these values refer to; none if that takes too long. */
async function read(
  source: RowSource,
  { access, references, label }: Relation,
  values: readonly Value[],
  signal: AbortSignal,
): Promise<readonly (readonly Value[])[]> {
  const as = { table: access.table.name, column: references }
  const query = {
    columns: [references, label],
    where: { op: 'in', column: references, values, as },
    sort: [],
    size: values.length,
    place: { at: 'first' },
  } as const
  const page = await source
    .page(access, query, { signal, timeoutMs: RELATED_TIMEOUT_MS })
    .catch(orOnTimeout(undefined))
  return (page?.rows ?? []).map((row) => row.values)
}
