/** Writes units over a connection to MySQL or MariaDB. */

import type { Access } from '../../table/source/access.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import { tableOf } from '../query/scope.ts'
import { answerOf, writtenBy } from '../write/answer.ts'
import { writeOnServer } from '../write/attempts.ts'
import { planUnit } from '../write/plan.ts'
import { NOTHING, type Ask, type Command, type Ran } from '../write/work.ts'
import { isRefusal, refusal } from './constraint.ts'
import { failureOf, isDeadlock, isLost } from './failure.ts'
import type { Server } from './server.ts'
import type { Session } from './session.ts'
import type { MysqlCatalogue } from './tables.ts'
import { writeDialectOf } from './write-dialect.ts'

/** Longest time of a statement of a unit, ms. */
const WRITE_MS = 30_000

/** Throws errors of the catalogue. */
export async function writeUnit(
  server: Server,
  catalogue: MysqlCatalogue,
  access: Access,
  unit: Unit,
): Promise<UnitResult> {
  const dialect = writeDialectOf(catalogue.flavour)
  const of = tableOf(catalogue, access)
  const outcome = await writeOnServer(
    {
      dialect,
      rules: {
        refusalOf: (error, part) => {
          const failure = failureOf(error)
          return isRefusal(failure)
            ? refusal(failure, of, access, writtenBy(unit, part))
            : undefined
        },
      },
      use: (work) =>
        server.use('writes', (session) => work((asked) => run(session, asked)), {
          timeoutMs: WRITE_MS,
        }),
      isPassing: (error) => isDeadlock(failureOf(error)) || isLost(failureOf(error)),
      isUndone: (error) => isDeadlock(failureOf(error)),
      told: (error) => error,
    },
    planUnit({ catalogue, dialect }, access, unit),
  )
  return answerOf(outcome, unit, (refused) => refused)
}

const COMMANDS = {
  begin: 'start transaction',
  commit: 'commit',
  rollback: 'rollback',
  save: 'savepoint part',
  undo: 'rollback to savepoint part',
} as const satisfies Record<Command, string>

async function run(session: Session, asked: Command | Ask): Promise<Ran> {
  if (typeof asked === 'string') return command(session, asked)
  const { text, binds } = asked.statement
  const { rows, done } = await session.execute(text, binds)
  return { rows, ...done }
}

async function command(session: Session, asked: Command): Promise<Ran> {
  if (asked === 'rollback' && session.isLost) return NOTHING
  try {
    await session.command(COMMANDS[asked])
  } catch (error) {
    // A session that cannot be brought back to where it was is left.
    if (asked === 'rollback') session.destroy()
    throw error
  }
  return NOTHING
}
