/** Writes units over a connection to PostgreSQL. */

import type { Access } from '../../table/source/access.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import { tableOf } from '../query/scope.ts'
import type { Statement } from '../query/sql.ts'
import { writeOnServer } from '../write/attempts.ts'
import type { StatementRequest, Command, StatementResult } from '../write/work.ts'
import { refusal, ruleOf } from './constraint.ts'
import type { PostgresDatabase } from './database.ts'
import { isCancelled, isLost, isRolledBack, LostConnection } from './failure.ts'
import type { Connection } from './connection.ts'
import type { PostgresCatalogue } from './tables.ts'
import { writeDialectOf } from './write-dialect.ts'

/** Throws `AppError`s. */
export function writeUnit(
  { server }: PostgresDatabase,
  catalogue: PostgresCatalogue,
  access: Access,
  unit: Unit,
): Promise<UnitResult> {
  const dialect = writeDialectOf(catalogue)
  const of = tableOf(catalogue, access)
  return writeOnServer(
    {
      refusalOf: (error, written) =>
        error instanceof LostConnection || ruleOf(error) === undefined
          ? undefined
          : refusal(error, of, access, written),
      isUnclear: ({ rule, columns }) => rule === 'type' && columns.length === 0,
      use: (work) =>
        server.use(
          'rows',
          (connection) => work((request) => run(connection, request)),
          access.actor.id,
        ),
      isTemporary: (error) => isRolledBack(error) || isLost(error),
      isUndone: (error) =>
        !isLost(error) && !isCancelled(error) && !(error instanceof LostConnection),
      onRetry: (error) => {
        if (isLost(error)) server.evict()
      },
      toAppError: (error) => server.toAppError(error),
    },
    { catalogue, dialect },
    access,
    unit,
  )
}

const COMMANDS: Readonly<Record<Command, Statement>> = {
  begin: { text: 'begin isolation level read committed read write', binds: [] },
  commit: { text: 'commit', binds: [] },
  rollback: { text: 'rollback', binds: [] },
  save: { text: 'savepoint part', binds: [] },
  undo: { text: 'rollback to savepoint part', binds: [] },
}

async function run(
  connection: Connection,
  request: Command | StatementRequest,
): Promise<StatementResult> {
  const { statement, isRare } =
    typeof request === 'string' ? { statement: COMMANDS[request], isRare: true } : request
  const { rows, rowCount } = await connection.run(statement, { isRare })
  const count = rowCount ?? 0
  return { rows, matched: count, changed: count, insertId: null }
}
