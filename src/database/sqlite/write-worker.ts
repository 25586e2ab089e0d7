/**
 * The one writer of a SQLite file: runs units without waiting for anybody, each in a savepoint,
 * and answers a group of them once their common commit is on disk.
 */

import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { Connection } from './connection.ts'
import { failureOf, isConstraint } from './failure.ts'
import { toCell, type Cell } from './values.ts'
import {
  writeRequestSchema,
  writeStartSchema,
  type Step,
  type StepResult,
  type Unit,
  type UnitResult,
  type WriteAnswer,
} from './write-messages.ts'

const start = v.parse(writeStartSchema, workerData)
let opened: Connection | undefined

parentPort?.on('message', (message) => {
  const { id, units } = v.parse(writeRequestSchema, message)
  const answer: WriteAnswer = { id, units: commitGroup(units) }
  parentPort?.postMessage(answer)
})

/** Where the common commit fails, as for a deferred foreign key, each unit stands for itself. */
function commitGroup(units: readonly Unit[]): UnitResult[] {
  try {
    return commit(units)
  } catch (error) {
    const failure = failureOf(error)
    if (!isConstraint(failure)) return units.map(() => ({ failure }))
    return units.length > 1
      ? units.flatMap((unit) => commitGroup([unit]))
      : [{ steps: units.flat().map(() => ({ status: 'refused', failure })) }]
  }
}

function commit(units: readonly Unit[]): UnitResult[] {
  opened ??= new Connection(start.file, { readOnly: false, busyMs: start.busyMs })
  const connection = opened
  connection.exec('begin immediate')
  try {
    const results = units.map((unit) => runUnit(connection, unit))
    connection.exec('commit')
    return results
  } catch (error) {
    if (connection.isInTransaction) connection.exec('rollback')
    throw error
  }
}

function runUnit(connection: Connection, unit: Unit): UnitResult {
  connection.exec('savepoint unit')
  try {
    const steps = unit.map((step) => runStep(connection, step))
    if (steps.some(({ status }) => status !== 'done')) connection.exec('rollback to unit')
    connection.exec('release unit')
    return { steps }
  } catch (error) {
    // Some failures have ended the whole transaction, and with it what others wrote.
    if (!connection.isInTransaction) throw error
    connection.exec('rollback to unit')
    connection.exec('release unit')
    return { failure: failureOf(error) }
  }
}

/** All steps are tried, though one has failed: whoever asked is told about each. */
function runStep(connection: Connection, { check, run, key, verify }: Step): StepResult {
  if (check) {
    const [row] = connection.all(check.text, check.binds)
    if (!row) return { status: 'missing' }
    if (row[0] !== 1) return { status: 'conflict' }
  }
  try {
    const written = run ? connection.all(run.text, run.binds)[0] : key
    if (!written) return { status: 'conflict' }
    return isReachable(connection, verify, written)
      ? { status: 'done', key: written }
      : { status: 'forbidden' }
  } catch (error) {
    const failure = failureOf(error)
    if (!connection.isInTransaction || !isConstraint(failure)) throw error
    return { status: 'refused', failure }
  }
}

function isReachable(connection: Connection, verify: Step['verify'], key: Cell[]): boolean {
  if (!verify) return true
  const binds = [...key.map(toCell), ...verify.binds.slice(key.length)]
  return connection.all(verify.text, binds).length > 0
}
