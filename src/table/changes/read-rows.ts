/** Rows by their keys, with all columns: what changes are judged and compared by. */

import type { Access } from '../source/access.ts'
import { encodeValue } from '../source/predicate-codec.ts'
import type { RowSource } from '../source/row-source.ts'
import type { KeyValues, Value } from '../source/value.ts'
import type { Values } from '../source/write-unit.ts'

/** By `keyName`; a row that is missing or hidden is not there. */
export type RowsByKey = ReadonlyMap<string, Values>

/** The same text for the same key, whatever its types. */
export const keyName = (key: KeyValues): string => JSON.stringify(key.map(encodeValue))

/** Reads all columns that the access can read. */
export async function readRows(
  source: Pick<RowSource, 'row'>,
  access: Access,
  keys: readonly KeyValues[],
): Promise<RowsByKey> {
  const columns = access.table.columns
    .map(({ name }) => name)
    .filter((name) => access.canRead(name))
  const found = await Promise.all(keys.map((key) => source.row(access, key, { columns })))
  return new Map(
    found.flatMap((row, at) =>
      row
        ? [
            [
              // Found by this key.
              keyName(keys[at]!),
              Object.fromEntries(columns.map((name, i) => [name, row.values[i] ?? null])),
            ] as const,
          ]
        : [],
    ),
  )
}

/** Whether two values are the very same: bytes by their content, and NaN is itself. */
export const isSame = (one: Value, other: Value): boolean =>
  one instanceof Uint8Array && other instanceof Uint8Array
    ? one.length === other.length && one.every((byte, at) => byte === other[at])
    : Object.is(one, other)
