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
  { version, policy, corrected }: Catalog,
  { role }: Actor,
): string | null {
  const isWritable = source.writing?.isAllowed() ?? true
  const catalog = `${version} ${corrected.version}`
  return data === null ? null : `${data} ${catalog} ${policy.version} ${role} ${isWritable}`
}
