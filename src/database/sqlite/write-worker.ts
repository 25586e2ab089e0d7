/**
 * The one writer of a SQLite file: runs units without waiting for anybody, each in a savepoint,
 * and answers a group of them once their common commit is on disk.
 */

import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import type { UnitPlan } from '../write/plan.ts'
import { refusedWhole, runUnit, type Rules } from '../write/run-unit.ts'
import { NOTHING, runNow, type Ask, type Command, type Ran } from '../write/work.ts'
import { Connection } from './connection.ts'
import { failureOf, isConstraint, type Failure } from './failure.ts'
import { toCell } from './values.ts'
import { sqliteWriteDialect } from './write-dialect.ts'
import {
  writeRequestSchema,
  writeStartSchema,
  type WriteAnswer,
  type WrittenUnit,
} from './write-messages.ts'

const start = v.parse(writeStartSchema, workerData)
let opened: Connection | undefined

parentPort?.on('message', (message) => {
  const { id, units } = v.parse(writeRequestSchema, message)
  const answer: WriteAnswer = { id, units: commitGroup(units) }
  parentPort?.postMessage(answer)
})

/** Where the common commit fails, as for a deferred foreign key, each unit stands for itself. */
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
  opened ??= new Connection(start.file, { readOnly: false, busyMs: start.busyMs })
  const connection = opened
  connection.exec('begin immediate')
  try {
    const written = units.map((unit) => write(connection, unit))
    connection.exec('commit')
    return written
  } catch (error) {
    if (connection.isInTransaction) connection.exec('rollback')
    throw error
  }
}

function write(connection: Connection, unit: UnitPlan): WrittenUnit {
  const rules: Rules<Failure> = {
    refusalOf: (error) => {
      const failure = failureOf(error)
      return connection.isInTransaction && isConstraint(failure) ? failure : undefined
    },
  }
  const options = { dialect: sqliteWriteDialect, rules, isCareful: true }
  try {
    const outcome = runNow(runUnit(unit, options), (asked) => run(connection, asked))
    if (!outcome) throw new TypeError('SQLite needs no second run.')
    return { outcome }
  } catch (error) {
    // Some failures have ended the whole transaction, and with it what others wrote.
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

function run(connection: Connection, asked: Command | Ask): Ran {
  if (typeof asked === 'string') {
    connection.exec(COMMANDS[asked])
    return NOTHING
  }
  const { statement, wants } = asked
  const binds = statement.binds.map(toCell)
  if (wants === 'rows') return { ...NOTHING, rows: connection.all(statement.text, binds) }
  const count = connection.run(statement.text, binds)
  return { ...NOTHING, matched: count, changed: count }
}
