/** What a view of a table is read from: the data, the schema, and what this actor may do. */

import type { Actor } from '../server/actor.ts'
import type { Catalog } from './catalog.ts'
import type { RowSource } from './source/row-source.ts'

/** For `dependsOn`: changes whenever the view may; `null` where the database cannot tell exactly. */
export async function tableVersion(
  source: RowSource,
  { version, policy }: Catalog,
  { role }: Actor,
): Promise<string | null> {
  const data = await source.exactVersion()
  const isWritable = source.writing?.isAllowed() ?? true
  return data === null ? null : `${data} ${version} ${policy.version} ${role} ${isWritable}`
}
