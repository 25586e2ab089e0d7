/** Writes units over a connection to PostgreSQL. */

import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import { tableOf } from '../query/scope.ts'
import type { Statement } from '../query/sql.ts'
import { writeOnServer } from '../write/attempts.ts'
import type { StatementRequest, Command, StatementResult } from '../write/work.ts'
import { refusal, ruleOf } from './constraint.ts'
import type { WriteRun } from '../source/driver.ts'
import type { PostgresDatabase } from './database.ts'
import { isCancelled, isLost, isRolledBack, LostConnection } from './failure.ts'
import type { Connection } from './connection.ts'
import type { PostgresCatalogue } from './tables.ts'
import { writeDialectOf } from './write-dialect.ts'

/** Throws `AppError`s. */
export function writeUnit(
  { server, recorder }: PostgresDatabase,
  catalogue: PostgresCatalogue,
  unit: Unit,
  { person = '', began }: WriteRun,
): Promise<UnitResult> {
  const dialect = writeDialectOf(catalogue)
  return writeOnServer(
    {
      refusalOf: (error, { access, values }) =>
        error instanceof LostConnection || ruleOf(error) === undefined
          ? undefined
          : refusal(error, tableOf(catalogue, access), access, values),
      isUnclear: ({ rule, columns }) => rule === 'type' && columns.length === 0,
      use: (work) =>
        server.use(
          'writes',
          (connection) =>
            work(async (request) => {
              const result = await run(connection, request)
              if (request === 'begin') await tellNumber(connection, began)
              return result
            }),
          person,
        ),
      recorder,
      isTemporary: (error) => isRolledBack(error) || isLost(error),
      isUndone: (error) =>
        !isLost(error) && !isCancelled(error) && !(error instanceof LostConnection),
      onRetry: (error) => {
        if (isLost(error)) server.evict()
      },
      toAppError: (error) => server.toAppError(error),
    },
    { catalogue, dialect },
    unit,
  )
}

/** The number of the transaction; a savepoint has one of its own, of which nobody is told. */
async function tellNumber(connection: Connection, began: WriteRun['began']): Promise<void> {
  if (!began) return
  const statement = { text: 'select txid_current()::text', binds: [] }
  const { rows } = await connection.run(statement, { isRare: false })
  began(Number(rows[0]?.[0]))
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
