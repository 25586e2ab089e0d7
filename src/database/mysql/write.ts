/** Writes units over a connection to MySQL or MariaDB. */

import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import { tableOf } from '../query/scope.ts'
import { writeOnServer } from '../write/attempts.ts'
import {
  NOTHING,
  type StatementRequest,
  type Command,
  type StatementResult,
} from '../write/work.ts'
import { isRefusal, refusal } from './constraint.ts'
import { failureOf, isDeadlock, isLost } from './failure.ts'
import type { Recorder } from '../../table/source/recorder.ts'
import type { Server } from './server.ts'
import type { Connection } from './connection.ts'
import type { MysqlCatalogue } from './tables.ts'
import { writeDialectOf } from './write-dialect.ts'

/** Time limit of a unit, ms. */
const WRITE_MS = 30_000

export type MysqlWriter = { readonly server: Server; readonly recorder?: Recorder | undefined }

/** Throws `AppError`s. */
export function writeUnit(
  { server, recorder }: MysqlWriter,
  catalogue: MysqlCatalogue,
  unit: Unit,
  person: string,
): Promise<UnitResult> {
  const dialect = writeDialectOf(catalogue.flavour)
  return writeOnServer(
    {
      refusalOf: (error, { access, values }) => {
        const failure = failureOf(error)
        return isRefusal(failure)
          ? refusal(failure, tableOf(catalogue, access), access, values)
          : undefined
      },
      use: (work) =>
        server.use('writes', (connection) => work((request) => run(connection, request)), {
          timeoutMs: WRITE_MS,
          person,
        }),
      recorder,
      isTemporary: (error) => isDeadlock(failureOf(error)) || isLost(failureOf(error)),
      isUndone: (error) => isDeadlock(failureOf(error)),
      toAppError: (error) => error,
    },
    { catalogue, dialect },
    unit,
  )
}

const COMMANDS = {
  begin: 'start transaction',
  commit: 'commit',
  rollback: 'rollback',
  save: 'savepoint part',
  undo: 'rollback to savepoint part',
} as const satisfies Record<Command, string>

async function run(
  connection: Connection,
  request: Command | StatementRequest,
): Promise<StatementResult> {
  if (typeof request === 'string') return command(connection, request)
  const { text, binds } = request.statement
  const { rows, done } = await connection.execute(text, binds)
  return { rows, ...done }
}

async function command(connection: Connection, request: Command): Promise<StatementResult> {
  if (request === 'rollback' && connection.isLost) return NOTHING
  try {
    await connection.command(COMMANDS[request])
  } catch (error) {
    // A connection that cannot roll back is closed.
    if (request === 'rollback') connection.destroy()
    throw error
  }
  return NOTHING
}
