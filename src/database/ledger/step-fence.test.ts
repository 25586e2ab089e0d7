/** What a run of a job records ahead of its data, once another run has taken the job over or has to begin anew. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { settleStep } from '../../table/changes/settle.ts'
import type { RowImage } from '../../table/source/ledger-entry.ts'
import type { RecordRequest, Settled } from '../../table/source/recorder.ts'
import { openStore } from '../metadata/store.ts'
import { LEDGER_MIGRATIONS } from './migrations.ts'
import { serverRecorder } from './server-recorder.ts'
import { settlingOf } from './settle-entries.ts'
import type { LedgerTables } from './tables.ts'
import { createRecorder } from './thread-recorder.ts'

type Run = {
  record(request: RecordRequest): Promise<void>
  settle(id: string, state: Settled): Promise<void>
}

const image = (key: number): RowImage => ({ table: 't', key: [key], before: null, after: { n: 1 } })

/** A part of what the first step of the job writes, by the run that holds it with this fence. */
const part = (run: number, key: number, isLast = false): RecordRequest => ({
  record: {
    ...{ id: `entry ${run}`, at: run, by: { id: 'ana', name: 'Ana' }, door: 'bulk', isTold: true },
    step: { job: 'j', fence: run, number: 1, checkpoint: null, done: 1, total: 2, at: run },
  },
  images: [image(key)],
  values: [],
  ...(isLast && { recorded: { tables: [], lacks: [] } }),
})

const unread = () => expect.unreachable('No row has to be looked at.')

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-fence-'))
  const file = join(folder, 'records.sqlite')
  const store = await openStore<LedgerTables>(file, LEDGER_MIGRATIONS)
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const settling = settlingOf(store)
  return {
    ...{ file, store, settling },
    /** A run of the job finds out what the one before has left. */
    begin: () =>
      settleStep(
        { describe: unread, row: unread, page: unread },
        { ...settling, images: unread },
        { job: 'j', number: 1, ended: unread },
      ),
    hooks: async () =>
      (await store.db.selectFrom('tablewireHooks').select('changeId').execute()).length,
    images: async () =>
      (await store.db.selectFrom('tablewireChangeImages').select('images').execute()).map(
        ({ images }) => images,
      ),
  }
}

const recorders: readonly (readonly [string, (opened: Awaited<ReturnType<typeof open>>) => Run])[] =
  [
    [
      'of a server',
      ({ store }) => {
        const { record, settle } = serverRecorder(store, false)
        return {
          record: (request) => record(request, () => expect.unreachable()),
          settle: async (id, state) => settle?.(id, state),
        }
      },
    ],
    [
      'of a file',
      ({ file }) => {
        const recorder = createRecorder({ file })
        return {
          async record(request) {
            recorder.record(request, () => expect.unreachable())
            recorder.flush?.()
          },
          settle: async (id, state) => recorder.settle?.(id, state),
        }
      },
    ],
  ]

test.each(recorders)(
  'a run that lost its job records nothing more, and takes nothing from its successor: %s',
  async (_, recorderOf) => {
    const opened = await open()
    const { settling } = opened
    const [lost, successor] = [recorderOf(opened), recorderOf(opened)]
    await lost.record(part(1, 7))
    expect(await settling.stepEntry('j', 1)).toMatchObject({ state: 'void' })
    expect(await opened.begin()).toEqual({ state: 'none' })
    await successor.record(part(2, 8))
    await successor.record(part(2, 9, true))
    const recorded = await opened.images()
    expect(recorded).toHaveLength(2)
    await expect(lost.record(part(1, 9, true))).rejects.toThrow('lost')
    await lost.settle('entry 1', 'part')
    await settling.settle('entry 1', 'void')
    expect(await opened.images()).toEqual(recorded)
    expect(await settling.stepEntry('j', 1)).toMatchObject({ id: 'entry 2', state: 'pending' })
    await successor.settle('entry 2', 'done')
    expect(await settling.stepEntry('j', 1)).toMatchObject({ id: 'entry 2', state: 'done' })
  },
)

test.each(recorders)(
  'a run that comes late to a step of which another wrote all records nothing: %s',
  async (_, recorderOf) => {
    const opened = await open()
    const [late, other] = [recorderOf(opened), recorderOf(opened)]
    await other.record(part(2, 8, true))
    await other.settle('entry 2', 'done')
    await expect(late.record(part(1, 8, true))).rejects.toThrow(/unique/i)
    await late.settle('entry 1', 'void')
    expect(await opened.images()).toHaveLength(1)
    expect(await opened.settling.stepEntry('j', 1)).toMatchObject({ id: 'entry 2', state: 'done' })
  },
)

test.each(recorders)(
  'what a run that holds its job gives up leaves no images, and is recorded again: %s',
  async (_, recorderOf) => {
    const opened = await open()
    const run = recorderOf(opened)
    for (const state of ['part', 'void'] as const) {
      await run.record(part(1, 7, state === 'void'))
      expect(await opened.images()).toHaveLength(1)
      await run.settle('entry 1', state)
      expect([await opened.images(), await opened.hooks()]).toEqual([[], 0])
      expect(await opened.settling.stepEntry('j', 1)).toBeUndefined()
    }
    await run.record(part(1, 7))
    await run.record(part(1, 8, true))
    expect(await opened.images()).toHaveLength(2)
    await opened.settling.settle('entry 1', 'void')
    expect(await opened.images()).toEqual([])
    expect(await opened.settling.stepEntry('j', 1)).toBeUndefined()
  },
)
