/**
 * The writer thread of a SQLite file: runs units synchronously, each in a savepoint, and answers for a
 * group of them once their common commit is on disk.
 */

import { parentPort, threadId, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import type { UnitPlan } from '../write/plan.ts'
import type { Rules } from '../write/guarded.ts'
import { refusedWhole, runUnit } from '../write/run-unit.ts'
import {
  NOTHING,
  runSync,
  type Request,
  type Command,
  type StatementResult,
} from '../write/work.ts'
import { Connection } from './connection.ts'
import { failureOf, isConstraint, type Failure } from './failure.ts'
import { toCell } from './values.ts'
import { sqliteWriteDialect } from './write-dialect.ts'
import {
  recorderSchema,
  writeRequestSchema,
  writeStartSchema,
  type WriteAnswer,
  type WrittenUnit,
} from './write-messages.ts'

const start = v.parse(writeStartSchema, workerData)
const recorder =
  start.recorder &&
  v.parse(recorderSchema, await import(start.recorder.url)).createRecorder(start.recorder.options)
let opened: Connection | undefined
/** Entries of the group that is being written, and whether all of each was recorded. */
const recorded = new Map<string, boolean>()

parentPort?.on('message', (message) => {
  const { id, units } = v.parse(writeRequestSchema, message)
  const answer: WriteAnswer = {
    id,
    units: units.length > 0 ? commitGroup(units) : [],
    others: othersVersion(),
  }
  parentPort?.postMessage(answer)
})

let unknown = 0

/** SQLite counts for each connection what others have committed. Without an answer, anything may be. */
function othersVersion(): string {
  try {
    const [version] = connect().all('pragma data_version')[0] ?? []
    return `${threadId}.${String(version)}`
  } catch {
    return `${threadId}?${++unknown}`
  }
}

const connect = (): Connection =>
  (opened ??= new Connection(start.file, { readOnly: false, busyMs: start.busyMs }))

/** If a constraint fails the common commit, as a deferred foreign key may, commits each unit separately. */
function commitGroup(units: readonly UnitPlan[]): WrittenUnit[] {
  try {
    return commit(units)
  } catch (error) {
    const failure = failureOf(error)
    if (units.length > 1 && isConstraint(failure))
      return units.flatMap((unit) => commitGroup([unit]))
    return units.map((unit) => {
      const outcome = isConstraint(failure) ? refusedWhole(unit, () => failure) : undefined
      return outcome ? { outcome } : { failure }
    })
  }
}

function commit(units: readonly UnitPlan[]): WrittenUnit[] {
  const connection = connect()
  connection.exec('begin immediate')
  try {
    const written = units.map((unit) => write(connection, unit))
    recorder?.flush?.()
    // A commit of nothing would still be a change of the file to whoever watches it.
    connection.exec(units.every(({ isTrial }) => isTrial) ? 'rollback' : 'commit')
    settle('done')
    return written
  } catch (error) {
    if (connection.isInTransaction) connection.exec('rollback')
    settle('void')
    throw error
  }
}

/** Tells the recorder what has become of the units of a group that it was given. */
function settle(state: 'done' | 'void'): void {
  for (const [id, isWhole] of recorded)
    try {
      recorder?.settle?.(id, isWhole ? state : 'part')
    } catch {
      // The data is what it is; the entry is settled when the ledger is opened next.
    }
  recorded.clear()
}

function write(connection: Connection, unit: UnitPlan): WrittenUnit {
  const rules: Rules<Failure> = {
    refusalOf: (error) => {
      const failure = failureOf(error)
      return connection.isInTransaction && isConstraint(failure) ? failure : undefined
    },
  }
  const options = {
    dialect: sqliteWriteDialect,
    rules,
    isCareful: true,
    isRecorded: recorder !== undefined,
  }
  try {
    const outcome = runSync(runUnit(unit, options), (request) => run(connection, request))
    if (!outcome) throw new TypeError('SQLite needs no second run.')
    return { outcome }
  } catch (error) {
    // Some failures end the whole transaction, including what other units wrote.
    if (!connection.isInTransaction) throw error
    return error instanceof AppError ? { isForbidden: true } : { failure: failureOf(error) }
  }
}

/** A unit is a savepoint in the transaction of its group. */
const COMMANDS: Readonly<Record<Command, string>> = {
  begin: 'savepoint unit',
  commit: 'release unit',
  rollback: 'rollback to unit; release unit',
  save: 'savepoint part',
  undo: 'rollback to part',
}

function run(connection: Connection, request: Request): StatementResult {
  if (typeof request === 'string') {
    connection.exec(COMMANDS[request])
    return NOTHING
  }
  if ('record' in request) {
    const { id } = request.record
    // One id may have been used before, by a unit of the same group, too.
    if (!recorded.has(id)) recorded.set(id, false)
    recorder?.record(request, ({ text, binds }) => connection.run(text, binds.map(toCell)))
    recorded.set(id, request.recorded !== undefined)
    return NOTHING
  }
  const { statement, wants } = request
  const binds = statement.binds.map(toCell)
  if (wants === 'rows') return { ...NOTHING, rows: connection.all(statement.text, binds) }
  const count = connection.run(statement.text, binds)
  return { ...NOTHING, matched: count, changed: count }
}
