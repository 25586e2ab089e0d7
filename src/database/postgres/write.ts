/** Writes batches: each whole or not at all, in one transaction, told apart row by row. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Change, ChangeResult } from '../../table/source/row-source.ts'
import { tableOf } from '../query/scope.ts'
import { render, sql, bind, type Statement } from '../query/sql.ts'
import { changeStep, lockSql, type Step } from './change-sql.ts'
import { refusal, ruleOf } from './constraint.ts'
import type { PostgresDatabase } from './database.ts'
import { castOf, dialectOf } from './dialect.ts'
import { isCancelled, isLost, isRolledBack, LostConnection } from './failure.ts'
import { notation } from './notation.ts'
import type { Session } from './session.ts'
import type { PostgresCatalogue, PostgresTable } from './tables.ts'

/** How often a batch is tried that was rolled back for the sake of others. */
const TRIES = 3

type Batch = {
  readonly of: PostgresTable
  readonly access: Access
  readonly changes: readonly Change[]
  readonly steps: readonly Step[]
  readonly lock: Statement | undefined
}

/** Throws errors of the catalogue. */
export async function writeChanges(
  database: PostgresDatabase,
  catalogue: PostgresCatalogue,
  access: Access,
  changes: readonly Change[],
): Promise<ChangeResult[]> {
  const dialect = dialectOf(catalogue)
  const steps = changes.map((change) => changeStep(catalogue, dialect, access, change))
  const lock = lockSql(catalogue, dialect, access, changes)
  const batch = { of: tableOf(catalogue, access), access, changes, steps, lock }
  for (let left = TRIES - 1; ; left--) {
    try {
      return await writeBatch(database, batch)
    } catch (error) {
      // Whatever the server has rolled back, or was never asked to commit, may be tried again.
      const isWorthIt = isRolledBack(error) || (isLost(error) && !(error instanceof OutcomeUnknown))
      if (left === 0 || !isWorthIt) throw told(database, error)
      if (isLost(error)) database.server.distrust()
    }
  }
}

/** The connection was lost while the batch was being committed. */
class OutcomeUnknown extends LostConnection {}

const told = (database: PostgresDatabase, error: unknown): AppError =>
  error instanceof OutcomeUnknown
    ? new AppError('OUTCOME_UNKNOWN', { cause: error })
    : database.server.told(error)

/** Tried as a whole first; where that fails for one row, each is tried, to tell about them all. */
async function writeBatch(database: PostgresDatabase, batch: Batch): Promise<ChangeResult[]> {
  const { server } = database
  const results = await server.use('rows', (session) => runBatch(session, batch, false))
  if (results) return results
  const retried = await server.use('rows', (session) => runBatch(session, batch, true))
  return retried!
}

const BEGIN = statementOf('begin isolation level read committed read write')
const COMMIT = statementOf('commit')
const ROLLBACK = statementOf('rollback')
const SAVE = statementOf('savepoint step')
const UNDO = statementOf('rollback to savepoint step')

function statementOf(text: string): Statement {
  return { text, binds: [] }
}

/**
 * `undefined` where a rule refused a row and it is to be tried again with savepoints, which cost a
 * round trip each.
 */
async function runBatch(
  session: Session,
  batch: Batch,
  isCareful: boolean,
): Promise<ChangeResult[] | undefined> {
  await session.run(BEGIN, { isRare: true })
  try {
    if (batch.lock) await session.run(batch.lock)
    const results: ChangeResult[] = []
    for (let i = 0; i < batch.steps.length; i++) {
      const result = await runStep(session, batch, i, isCareful)
      if (!result) return await rolledBack(session, undefined)
      results.push(result)
    }
    if (results.some(({ status }) => status !== 'done')) return await rolledBack(session, results)
    return await commit(session, batch, results)
  } catch (error) {
    if (!(error instanceof LostConnection))
      await rolledBack(session, undefined).catch(() => undefined)
    throw error
  }
}

async function rolledBack<T>(session: Session, results: T): Promise<T> {
  await session.run(ROLLBACK, { isRare: true })
  return results
}

/** A rule that was put off until now refuses the batch as a whole. */
async function commit(
  session: Session,
  { of, access, changes }: Batch,
  results: ChangeResult[],
): Promise<ChangeResult[]> {
  try {
    await session.run(COMMIT, { isRare: true })
    return results
  } catch (error) {
    if (error instanceof LostConnection || isLost(error) || isCancelled(error))
      throw new OutcomeUnknown(error)
    if (ruleOf(error) === undefined) throw error
    return changes.map((change) => refusal(error, of, access, change))
  }
}

async function runStep(
  session: Session,
  batch: Batch,
  i: number,
  isCareful: boolean,
): Promise<ChangeResult | undefined> {
  const { of, access, changes, steps } = batch
  const step = steps[i]!
  if (step.misfits.length > 0)
    return {
      status: 'refused',
      rule: 'type',
      columns: step.misfits.filter((column) => access.canRead(column)),
    }
  if (isCareful) await session.run(SAVE, { isRare: true })
  try {
    return await write(session, of, step)
  } catch (error) {
    if (error instanceof LostConnection || ruleOf(error) === undefined) throw error
    if (!isCareful) return undefined
    await session.run(UNDO, { isRare: true })
    const refused = refusal(error, of, access, changes[i]!)
    const isUnclear = refused.rule === 'type' && refused.columns.length === 0
    return isUnclear ? { ...refused, columns: await misfits(session, batch, i) } : refused
  }
}

async function write(session: Session, of: PostgresTable, step: Step): Promise<ChangeResult> {
  if (!step.run) return (await standing(session, step)) ?? { status: 'done', key: step.key }
  const { rows, rowCount } = await session.run(step.run)
  const [row] = rows
  // More than one: tables that inherit from this one hold rows of the same key.
  if (!row || rowCount !== 1) return (await standing(session, step)) ?? untouched
  const key = row.slice(0, of.table.key.length)
  if (row.at(-1) !== true) throw new AppError('FORBIDDEN')
  return { status: 'done', key }
}

/** Nothing was in the way, but a trigger that keeps rows from being written. */
const untouched: ChangeResult = { status: 'refused', rule: 'trigger', columns: [] }

/** `undefined` for a row that is there and holds what was expected. */
async function standing(session: Session, { check }: Step): Promise<ChangeResult | undefined> {
  if (!check) return undefined
  const [row] = (await session.run(check)).rows
  if (!row) return { status: 'missing' }
  return row[0] === true ? undefined : { status: 'conflict' }
}

/** The columns whose values the server does not take for ones of their types, asked one by one. */
async function misfits(
  session: Session,
  { of, access, changes }: Batch,
  i: number,
): Promise<string[]> {
  const change = changes[i]!
  const found: string[] = []
  if (change.kind === 'delete') return found
  for (const [name, value] of Object.entries(change.values)) {
    const column = of.columns.get(name)
    if (!column || value === null || value instanceof Uint8Array || !access.canRead(name)) continue
    const trial = render(sql`select ${bind(String(value))}${castOf(column)}`, notation)
    await session.run(SAVE, { isRare: true })
    const isFit = await session.run(trial, { isRare: true }).then(
      () => true,
      () => false,
    )
    await session.run(UNDO, { isRare: true })
    if (!isFit) found.push(name)
  }
  return found
}
