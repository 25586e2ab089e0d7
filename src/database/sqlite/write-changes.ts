/** Writes a batch of changes: made into steps, handed to the writer, told row by row. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Change, ChangeResult, Run } from '../../table/source/row-source.ts'
import { tableOf } from '../query/scope.ts'
import { changeStep } from './change-sql.ts'
import { refusal } from './constraint.ts'
import { failureError } from './failure.ts'
import type { SqliteCatalogue } from './tables.ts'
import { toValues } from './values.ts'
import type { StepResult } from './write-messages.ts'
import type { Writer } from './writer.ts'

/** Where a batch is written. */
export type Target = { readonly path: string; readonly writer: Writer }

/** Once the writer has the changes, the signal no longer ends them. */
export async function writeChanges(
  { path, writer }: Target,
  catalogue: SqliteCatalogue,
  access: Access,
  changes: readonly Change[],
  run: Run,
): Promise<ChangeResult[]> {
  const unit = changes.map((change) => changeStep(catalogue, access, change))
  run.signal?.throwIfAborted()
  const result = await writer.write(unit)
  if ('failure' in result) throw failureError(result.failure, path)
  return result.steps.map((step, i) => changeResult(catalogue, access, changes[i]!, step))
}

function changeResult(
  catalogue: SqliteCatalogue,
  access: Access,
  change: Change,
  step: StepResult,
): ChangeResult {
  if (step.status === 'forbidden') throw new AppError('FORBIDDEN')
  if (step.status === 'refused') return refusal(step.failure, access, change)
  if (step.status !== 'done') return step
  const { table, columns } = tableOf(catalogue, access)
  const isBoolean = table.key.map((column) => columns.get(column)?.type === 'boolean')
  return { status: 'done', key: toValues([step.key], isBoolean)[0]! }
}
