/** Keeps entries in SQLite's writer thread: in the data's own transaction, or ahead of it in a file apart. */

import * as v from 'valibot'
import { Connection } from '../sqlite/connection.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import { toCell } from '../sqlite/values.ts'
import type { Statement } from '../query/sql.ts'
import type { SyncRecorder } from '../../table/source/recorder.ts'
import { EntryWriter, StepLost } from './entry-writer.ts'

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
    const step = request.recorded && request.record.step
    if (step && run(writer.saveStep(step)) !== 1) throw new StepLost()
  },
  settle: (id) => writer.forget(id),
})

/**
 * Entries are on disk before the data is, as pending; those of units that share a commit share one, too. What
 * became of them is written soon after.
 */
function apartRecorder(writer: EntryWriter, file: string): SyncRecorder {
  const connection = new Connection(file, { readOnly: false, busyMs: BUSY_MS })
  const run = ({ text, binds }: Statement) => connection.run(text, binds.map(toCell))
  return {
    record(request) {
      const { record: entry } = request
      const reserving = entry.step && writer.reserveStep(entry)
      const statements = writer.record(request, 'pending')
      if (!connection.isInTransaction) connection.exec('begin immediate')
      connection.exec('savepoint entry')
      try {
        if (reserving && run(reserving) !== 1) throw new StepLost()
        statements.forEach(run)
        connection.exec('release entry')
      } catch (error) {
        // Other units' entries stay; of this one, nothing does.
        if (connection.isInTransaction) {
          connection.exec('rollback to entry; release entry')
          writer.settle(entry.id, 'part').forEach(run)
        }
        throw error
      }
    },
    flush() {
      if (connection.isInTransaction) connection.exec('commit')
    },
    settle(id, state) {
      const statements = writer.settle(id, state)
      // The data was given up before the entries were kept.
      if (connection.isInTransaction) return connection.exec('rollback')
      // Lost with the power, it is found out again: it need not be on disk at once.
      connection.exec('pragma synchronous = normal')
      connection.exec('begin immediate')
      try {
        statements.forEach(run)
        connection.exec('commit')
      } catch (error) {
        if (connection.isInTransaction) connection.exec('rollback')
        throw error
      } finally {
        connection.exec('pragma synchronous = full')
      }
    },
  }
}
