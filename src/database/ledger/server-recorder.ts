/** Keeps entries of a server's data: in the data's own transaction, or ahead of it in a store apart. */

import { CompiledQuery, type Kysely } from 'kysely'
import { notation as mysql } from '../mysql/notation.ts'
import { notation as postgres } from '../postgres/notation.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import type { Statement } from '../query/sql.ts'
import type { Store } from '../metadata/store.ts'
import type { Recorder } from '../../table/source/recorder.ts'
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
  if (isBeside)
    return {
      async record(request, run) {
        for (const statement of writer.record(request, 'done')) await run(statement)
        const step = request.recorded && request.record.step
        if (step && (await run(writer.saveStep(step))) !== 1) throw new StepLost()
      },
      settle: async (id) => writer.forget(id),
    }
  return {
    async record(request) {
      const statements = writer.record(request, 'pending')
      await transaction((within) => runAll(within, statements))
    },
    async settle(id, state) {
      await runAll(db, writer.settle(id, state))
    },
  }
}

async function runAll(db: Kysely<LedgerTables>, statements: readonly Statement[]): Promise<void> {
  for (const { text, binds } of statements)
    await db.executeQuery(CompiledQuery.raw(text, [...binds]))
}
