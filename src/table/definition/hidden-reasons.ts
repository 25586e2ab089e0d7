/** Which columns definitions hide, and why: what administrators are told, and nobody else. */

import type { Schema } from '../source/schema.ts'
import { type Definitions, own } from './define-table.ts'
import { hiddenReason } from './scope.ts'
import type { SecretReason } from './secret-columns.ts'

export type HiddenColumn = { readonly name: string; readonly reason: SecretReason }

/** The hidden columns of each table that has some, by its name. */
export function hiddenColumns(
  { tables }: Pick<Schema, 'tables'>,
  declared: Definitions,
): ReadonlyMap<string, readonly HiddenColumn[]> {
  const all = tables.map((table) => {
    const options = own(declared, table.name) ?? {}
    const hidden = table.columns.flatMap((column): HiddenColumn[] => {
      const reason = hiddenReason(column, table, tables, options)
      return reason ? [{ name: column.name, reason }] : []
    })
    return [table.name, hidden] as const
  })
  return new Map(all.filter(([, hidden]) => hidden.length > 0))
}
