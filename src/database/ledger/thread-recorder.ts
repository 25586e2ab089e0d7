/** Keeps entries in SQLite's writer thread: in the data's own transaction, or ahead of it in a file apart. */

import * as v from 'valibot'
import { Connection } from '../sqlite/connection.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import { toCell } from '../sqlite/values.ts'
import type { Statement } from '../query/sql.ts'
import type { SyncRecorder } from '../../table/source/recorder.ts'
import { EntryWriter } from './entry-writer.ts'

/** `file`: where the entries are kept; `null` for the data's own file. */
const optionsSchema = v.object({ file: v.nullable(v.string()) })

export type ThreadRecorderOptions = v.InferOutput<typeof optionsSchema>

const BUSY_MS = 10_000

/** For the writer thread, which imports this module by its address. */
export function createRecorder(options: unknown): SyncRecorder {
  const { file } = v.parse(optionsSchema, options)
  const writer = new EntryWriter({ notation: sqliteDialect, hasInsertIgnore: false })
  return file === null ? besideRecorder(writer) : apartRecorder(writer, file)
}

const besideRecorder = (writer: EntryWriter): SyncRecorder => ({
  record(request, run) {
    for (const statement of writer.record(request, 'done')) run(statement)
  },
  settle: (id) => writer.forget(id),
})

/** An entry is on disk before the data is, as pending; its outcome is written soon after. */
function apartRecorder(writer: EntryWriter, file: string): SyncRecorder {
  const connection = new Connection(file, { readOnly: false, busyMs: BUSY_MS })
  const run = ({ text, binds }: Statement) => connection.run(text, binds.map(toCell))
  const together = (statements: readonly Statement[]): void => {
    connection.exec('begin immediate')
    try {
      statements.forEach(run)
      connection.exec('commit')
    } catch (error) {
      if (connection.isInTransaction) connection.exec('rollback')
      throw error
    }
  }
  return {
    record: (request) => together(writer.record(request, 'pending')),
    settle(id, state) {
      // Lost with the power, it is found out again: it need not be on disk at once.
      connection.exec('pragma synchronous = normal')
      together(writer.settle(id, state))
      connection.exec('pragma synchronous = full')
    },
  }
}
