/**
 * Answers one scan after the other: the entry of the worker threads, and of the process that reads
 * views, whose scans can be cancelled only by killing the process.
 */

import { constants, setPriority } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { writeLines } from '../../table/source/lines.ts'
import type { WantedLines } from '../query-runner.ts'
import { Connection, type RowsUpTo } from './connection.ts'
import { workerUrl } from './worker-url.ts'
import { failureOf } from './failure.ts'
import {
  scanRequestSchema,
  scanStartSchema,
  type ScanAnswer,
  type ScanRequest,
  type ScanStart,
} from './scan-messages.ts'
import { rowsToJson, toValues } from './values.ts'

// Pages are read on the main thread and must not wait for a core that a scan occupies. Only on
// Linux does this apply to one thread; elsewhere it would change the whole process's priority.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)

if (parentPort) {
  const port = parentPort
  const answer = openScanner(v.parse(scanStartSchema, workerData))
  port.on('message', (message) => {
    const answered = answer(v.parse(scanRequestSchema, message))
    // Bytes change hands instead of being copied.
    const pieces = ('lines' in answered && answered.lines?.pieces) || []
    port.postMessage(
      answered,
      pieces.map(({ buffer }) => buffer),
    )
  })
} else {
  const answer = openScanner(v.parse(scanStartSchema, JSON.parse(process.argv[2] ?? '')))
  process.on('message', (message) => process.send?.(answer(v.parse(scanRequestSchema, message))))
  process.on('disconnect', () => process.exit())
  new Worker(workerUrl('parent-watch'), { workerData: process.ppid })
}

/** The rows as lines; of the rows themselves, only the first and the last that was written. */
function linesOf({ rows, isCut }: RowsUpTo, wanted: WantedLines) {
  const parts = wanted.columns.flatMap(({ parts, otherwise }) => [
    ...parts,
    ...(otherwise ? [otherwise] : []),
  ])
  const isBoolean: boolean[] = []
  for (const { at, type } of parts) isBoolean[at] = type === 'boolean'
  const lines = writeLines(toValues(rows, isBoolean), wanted, wanted.bytes)
  const [first, last] = [rows[0], rows[lines.count - 1]]
  return {
    rows: rowsToJson(first && last ? [first, last] : []),
    lines: { ...lines, isFull: lines.isFull || isCut },
  }
}

/** Opens the file at the first request, so that a missing file fails only that request. */
function openScanner({ file, busyMs, ended }: ScanStart): (request: ScanRequest) => ScanAnswer {
  const endedId = ended && new Int32Array(ended)
  let connection: Connection | undefined
  let current = 0

  function open(): Connection {
    const opened = new Connection(file, { readOnly: true, busyMs })
    opened.define('alive', () => {
      if (endedId && Atomics.load(endedId, 0) === current) throw new Error('The scan was ended.')
      return 1
    })
    return opened
  }

  return (request) => {
    current = request.id
    try {
      connection ??= open()
      const { id, text, binds, lines } = request
      if (!lines) return { id, rows: rowsToJson(connection.all(text, binds)) }
      const short = lines.isServed ? connection.allShort(text, binds) : undefined
      return { id, ...linesOf(short ?? connection.upTo(lines.bytes, text, binds), lines) }
    } catch (error) {
      return { id: request.id, failure: failureOf(error) }
    }
  }
}
