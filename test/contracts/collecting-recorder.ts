/** A recorder that appends what it gets to a file, on a server and in SQLite's writer thread alike. */

import { appendFileSync, readFileSync } from 'node:fs'
import type { Recorder, RecordRequest, SyncRecorder } from '../../src/table/source/recorder.ts'

/** Whose units it refuses. */
export const REFUSED = 'refused'

export const createRecorder = (file: unknown): SyncRecorder => ({
  record: (request) => {
    if (request.record.by.id === REFUSED) throw new Error('Nothing can be kept.')
    appendFileSync(String(file), `${JSON.stringify(request, plain)}\n`)
  },
})

export const serverRecorder = (file: string): Recorder => {
  const { record } = createRecorder(file)
  return { record: async (request) => record(request, () => 0) }
}

export const collected = (file: string): RecordRequest[] =>
  readFileSync(file, { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line): RecordRequest => JSON.parse(line))

const plain = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value
