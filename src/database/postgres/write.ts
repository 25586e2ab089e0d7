/** Writes units over a connection to PostgreSQL. */

import type { Access } from '../../table/source/access.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import { tableOf } from '../query/scope.ts'
import type { Statement } from '../query/sql.ts'
import { answerOf, writtenBy } from '../write/answer.ts'
import { writeOnServer } from '../write/attempts.ts'
import { planUnit } from '../write/plan.ts'
import type { Ask, Command, Ran } from '../write/work.ts'
import { refusal, ruleOf } from './constraint.ts'
import type { PostgresDatabase } from './database.ts'
import { isCancelled, isLost, isRolledBack, LostConnection } from './failure.ts'
import type { Session } from './session.ts'
import type { PostgresCatalogue } from './tables.ts'
import { writeDialectOf } from './write-dialect.ts'

/** Throws errors of the catalogue. */
export async function writeUnit(
  { server }: PostgresDatabase,
  catalogue: PostgresCatalogue,
  access: Access,
  unit: Unit,
): Promise<UnitResult> {
  const dialect = writeDialectOf(catalogue)
  const of = tableOf(catalogue, access)
  const outcome = await writeOnServer(
    {
      dialect,
      rules: {
        refusalOf: (error, part) =>
          error instanceof LostConnection || ruleOf(error) === undefined
            ? undefined
            : refusal(error, of, access, writtenBy(unit, part)),
        isUnclear: ({ rule, columns }) => rule === 'type' && columns.length === 0,
      },
      use: (work) => server.use('rows', (session) => work((asked) => run(session, asked))),
      isPassing: (error) => isRolledBack(error) || isLost(error),
      isUndone: (error) =>
        !isLost(error) && !isCancelled(error) && !(error instanceof LostConnection),
      onRetry: (error) => {
        if (isLost(error)) server.distrust()
      },
      told: (error) => server.told(error),
    },
    planUnit({ catalogue, dialect }, access, unit),
  )
  return answerOf(outcome, unit, (refused) => refused)
}

const COMMANDS: Readonly<Record<Command, Statement>> = {
  begin: { text: 'begin isolation level read committed read write', binds: [] },
  commit: { text: 'commit', binds: [] },
  rollback: { text: 'rollback', binds: [] },
  save: { text: 'savepoint part', binds: [] },
  undo: { text: 'rollback to savepoint part', binds: [] },
}

async function run(session: Session, asked: Command | Ask): Promise<Ran> {
  const { statement, isRare } =
    typeof asked === 'string' ? { statement: COMMANDS[asked], isRare: true } : asked
  const { rows, rowCount } = await session.run(statement, { isRare })
  const count = rowCount ?? 0
  return { rows, matched: count, changed: count, insertId: null }
}
