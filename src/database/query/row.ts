/** Reads one row by its key, and the rows it refers to. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { FoundRow, RowLookup, Run } from '../../table/source/row-source.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { QueryRunner } from '../query-runner.ts'
import { isTimeout } from '../failure.ts'
import { keyPredicate } from './keys.ts'
import { readPage } from './page.ts'
import { checkRelation } from './lookups.ts'
import { findRelated } from './related-rows.ts'

export async function readRow(
  runner: QueryRunner,
  access: Access,
  key: KeyValues,
  { columns, cut, related, relatedTimeoutMs }: RowLookup,
  run: Run = {},
): Promise<FoundRow | undefined> {
  for (const relation of related ?? []) checkRelation(runner, columns, relation)
  const query = { columns, sort: [], size: 1, place: { at: 'first' }, ...(cut && { cut }) } as const
  const page = await readPage(runner, access, { ...query, where: keyPredicate(access, key) }, run)
  const [row] = page.rows
  if (!row) return undefined
  const { values, lengths, masked } = row
  const found = { key: row.key, values, ...(lengths && { lengths }), ...(masked && { masked }) }
  if (!related) return found
  const valueOf = (column: string) => values[columns.indexOf(column)] ?? null
  if (relatedTimeoutMs === undefined)
    return { ...found, related: await findRelated(runner, related, valueOf, run) }
  const timely = { ...run, timeoutMs: relatedTimeoutMs }
  return findRelated(runner, related, valueOf, timely).then(
    (rows) => ({ ...found, related: rows }),
    (error: unknown) => {
      if (isTimeout(error) || isBusy(error)) return found
      throw error
    },
  )
}

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'BUSY'
