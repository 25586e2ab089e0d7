/** Keeps entries of a server's data: in the data's own transaction, or ahead of it in a store apart. */

import { CompiledQuery, type Kysely } from 'kysely'
import { notation as mysql } from '../mysql/notation.ts'
import { notation as postgres } from '../postgres/notation.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import type { Statement } from '../query/sql.ts'
import type { Store } from '../metadata/store.ts'
import type { Recorder, RecordRequest } from '../../table/source/recorder.ts'
import { EntryWriter, type LedgerSql, StepLost } from './entry-writer.ts'
import type { LedgerTables } from './tables.ts'

const SQL: { readonly [engine in Store<LedgerTables>['engine']]: LedgerSql } = {
  sqlite: { notation: sqliteDialect, hasInsertIgnore: false },
  postgres: { notation: postgres, hasInsertIgnore: false },
  mysql: { notation: mysql, hasInsertIgnore: true },
}

/** `isBeside`: the store is in the data's own database. */
export function serverRecorder(
  { db, engine, transaction }: Pick<Store<LedgerTables>, 'db' | 'engine' | 'transaction'>,
  isBeside: boolean,
): Recorder {
  const writer = new EntryWriter(SQL[engine])
  /** An entry of which nothing could be recorded is not settled. */
  const recording = async ({ record: { id } }: RecordRequest, work: () => Promise<void>) => {
    const isBegun = writer.isBegun(id)
    try {
      await work()
    } catch (error) {
      if (!isBegun) writer.forget(id)
      throw error
    }
  }
  if (isBeside)
    return {
      record: (request, run) =>
        recording(request, async () => {
          for (const statement of writer.record(request, 'done')) await run(statement)
          const step = request.recorded && request.record.step
          if (step && (await run(writer.saveStep(step))) !== 1) throw new StepLost()
        }),
      settle: async (id) => writer.forget(id),
    }
  return {
    record: (request) =>
      recording(request, () => {
        const { step } = request.record
        const reserving = step && writer.reserveStep(request.record)
        const statements = writer.record(request, 'pending')
        return transaction(async (within) => {
          if (reserving && (await runOne(within, reserving)) !== 1) throw new StepLost()
          await runAll(within, statements)
        })
      }),
    settle(id, state) {
      const statements = writer.settle(id, state)
      if (state === 'done') return runAll(db, statements)
      return transaction((within) => runAll(within, statements))
    },
  }
}

/** How many rows matched. */
async function runOne(db: Kysely<LedgerTables>, { text, binds }: Statement): Promise<number> {
  const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [...binds]))
  return Number(numAffectedRows)
}

async function runAll(db: Kysely<LedgerTables>, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await runOne(db, statement)
}
