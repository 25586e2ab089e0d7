/** Writes a batch of changes in one transaction: whole, or not at all, or nobody knows and is told so. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Change, ChangeResult } from '../../table/source/row-source.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import { tableOf } from '../query/scope.ts'
import { changeStep, type Step, type WrittenKey } from './change-sql.ts'
import { isRefusal, refusal } from './constraint.ts'
import { failureOf, isDeadlock, isLost } from './failure.ts'
import type { Server } from './server.ts'
import type { Done, Session } from './session.ts'
import type { MysqlCatalogue, MysqlColumn, MysqlTable } from './tables.ts'

/** Longest time of a statement of a batch, ms. */
const WRITE_MS = 30_000
/** How often a batch is tried that others' locks, or a lost connection, kept from happening at all. */
const TRIES = 4

type StepResult = ChangeResult | { readonly status: 'forbidden' }

/** How far a batch came: only while it is being committed can nobody tell whether it happened. */
type Progress = { isCommitting: boolean; isGivenUp: boolean }

/** Throws `FORBIDDEN` where the written rows would be out of the actor's reach, and `OUTCOME_UNKNOWN`. */
export async function writeChanges(
  server: Server,
  catalogue: MysqlCatalogue,
  access: Access,
  changes: readonly Change[],
): Promise<ChangeResult[]> {
  const of = tableOf(catalogue, access)
  const steps = changes.map((change) => changeStep(catalogue, access, change))
  const told = (step: number, error: unknown): ChangeResult => {
    const failure = failureOf(error)
    if (!isRefusal(failure)) throw error
    return refusal(failure, of, access, changes[step]!)
  }
  const results = await tried(server, (session, progress) =>
    commitSteps(session, progress, (step, i) =>
      runStep(session, of, step).catch((error: unknown) => told(i, error)),
    )(steps),
  )
  return results.map((result) => {
    if (result.status === 'forbidden') throw new AppError('FORBIDDEN')
    return result
  })
}

/** A batch that did not begin to be committed has not happened, and may be tried again. */
async function tried<T>(
  server: Server,
  work: (session: Session, progress: Progress) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const progress: Progress = { isCommitting: false, isGivenUp: false }
    let failed: unknown
    try {
      return await server.use(
        'writes',
        (session) =>
          work(session, progress).catch((error: unknown) => {
            failed = error
            throw error
          }),
        { timeoutMs: WRITE_MS },
      )
    } catch (error) {
      progress.isGivenUp = true
      const failure = failureOf(failed ?? error)
      if (progress.isCommitting && !isDeadlock(failure))
        throw new AppError('OUTCOME_UNKNOWN', { cause: error })
      const isTransient = isDeadlock(failure) || isLost(failure)
      if (!isTransient || attempt === TRIES) throw error
    }
  }
}

/** All steps are tried, though one has failed: whoever asked is told about each. */
const commitSteps =
  (session: Session, progress: Progress, run: (step: Step, place: number) => Promise<StepResult>) =>
  async (steps: readonly Step[]): Promise<StepResult[]> => {
    await session.command('start transaction')
    try {
      const results: StepResult[] = []
      for (const [place, step] of steps.entries()) results.push(await run(step, place))
      // Whoever asked was told that nothing happens.
      if (progress.isGivenUp) throw new AppError('QUERY_TIMEOUT')
      if (results.every(({ status }) => status === 'done')) {
        progress.isCommitting = true
        await session.command('commit')
      } else await session.command('rollback')
      return results
    } catch (error) {
      await leave(session)
      throw error
    }
  }

/** A session that cannot be brought back to where it was is left. */
async function leave(session: Session): Promise<void> {
  try {
    if (!session.isLost) await session.command('rollback')
  } catch {
    session.destroy()
  }
}

async function runStep(session: Session, of: MysqlTable, step: Step): Promise<StepResult> {
  const { misfits, check, run, verify } = step
  if (check) {
    const [row] = await session.rows(check.text, check.binds)
    if (!row) return { status: 'missing' }
    if (row[0] !== 1) return { status: 'conflict' }
  }
  if (misfits.length > 0) return { status: 'refused', rule: 'type', columns: misfits }
  const done = run && (await session.execute(run.text, run.binds))
  if (done && check && done.done.matched === 0) return { status: 'conflict' }
  const key = keyOf(of, step.key, done)
  const seen = verify(key)
  const isSeen = !seen || (await session.rows(seen.text, seen.binds)).length > 0
  return isSeen ? { status: 'done', key } : { status: 'forbidden' }
}

type Executed = { readonly rows: readonly Value[][]; readonly done: Done } | null

function keyOf({ table, columns }: MysqlTable, key: WrittenKey, executed: Executed): KeyValues {
  if (key.from === 'values') return key.values
  if (key.from === 'count')
    return key.values.map((value, i) => (i === key.place ? executed!.done.insertId : value))
  const values = executed?.rows[0] ?? []
  return values.map((value, i) => asSeen(columns.get(table.key[i]!), value))
}

/** Booleans are numbers to the server. */
const asSeen = (column: MysqlColumn | undefined, value: Value): Value =>
  column?.type === 'boolean' && (value === 0 || value === 1) ? value === 1 : value
