/** What a view of a table is read from: the data, the schema, and what this actor may do. */

import type { Actor } from '../server/actor.ts'
import type { Catalog } from './catalog.ts'
import type { RowSource } from './source/row-source.ts'

/**
 * For `dependsOn`: changes whenever the view may. `data` is the source's exact version; `null` where the
 * database cannot tell it.
 */
export function tableVersion(
  data: string | null,
  source: RowSource,
  { version, policy }: Catalog,
  { role, name, email }: Actor,
): string | null {
  const isWritable = source.writing?.isAllowed() ?? true
  if (data === null) return null
  // The rows of a role may depend on all that is known of its person; their id does not change.
  const person = JSON.stringify([role, name, email])
  return `${data} ${version} ${policy.version} ${person} ${isWritable}`
}
