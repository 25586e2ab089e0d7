/** Steps of jobs, as entries hold them, and where their images stand. */

import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { parseJson } from '../../protocol/json.ts'
import type { EntryStep } from '../../table/source/ledger-entry.ts'
import { firstPlaceOf } from './entry-writer.ts'
import type { ChangeRow, LedgerTables } from './tables.ts'

const stepSchema = v.object({
  ...{ job: v.string(), fence: v.number(), number: v.number(), checkpoint: v.unknown() },
  ...{ done: v.number(), total: v.nullable(v.number()), at: v.number() },
})

export function stepOf({ step }: Pick<ChangeRow, 'step'>): { readonly step?: EntryStep } {
  if (step === null) return {}
  const { checkpoint, ...rest } = v.parse(stepSchema, JSON.parse(step))
  return { step: { ...rest, checkpoint: parseJson(JSON.stringify(checkpoint)) } }
}

/** Images of a job's step stand in the job's entry. */
export async function placesOf(
  db: Kysely<LedgerTables>,
  id: string,
): Promise<{ whole: string; from: number; until: number }> {
  const row = await db
    .selectFrom('tablewireChanges')
    .select(['jobId', 'step'])
    .where('id', '=', id)
    .executeTakeFirst()
  const { step } = row ? stepOf(row) : {}
  if (!row || row.jobId === null || !step) return { whole: id, from: 0, until: Infinity }
  const [from, until] = [firstPlaceOf(step.number), firstPlaceOf(step.number + 1)]
  return { whole: row.jobId, from, until }
}
