/** Opens the ledger of a source: where entries are kept, and what keeps them as units are written. */

import { extname, join } from 'node:path'
import { settlePending, settleStep } from '../../table/changes/settle.ts'
import type { Definitions } from '../../table/definition/define-table.ts'
import type { SettledStep } from '../../table/source/job-store.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import { WRITE_MS } from '../../table/source/write-unit.ts'
import { engineAt, openStore, type Store, type StoreOptions } from '../metadata/store.ts'
import { LEDGER_MIGRATIONS } from './migrations.ts'
import { serverRecorder } from './server-recorder.ts'
import { SqlLedger } from './sql-ledger.ts'
import type { LedgerTables } from './tables.ts'

export type LedgerOptions = Omit<StoreOptions, 'isBeside'> & {
  readonly source: Pick<RowSource, 'recording' | 'describe' | 'row' | 'page'>
  /** Address of Tablewire's own records, and whether that is the database of the data. */
  readonly metadata: string
  readonly isBeside: boolean
  readonly dataFolder: string
  readonly now: () => number
  readonly newId: () => string
  /** Keys that are declared. */
  readonly definitions?: Definitions | undefined
  /** How long entries are kept, days. */
  readonly keptDays: number
}

const DAY_MS = 24 * 60 * 60 * 1000

/** How often a node settles what others have left, ms. */
const SETTLE_MS = 60_000
/** How often what is too old is forgotten, ms. */
const SWEEP_MS = 60 * 60 * 1000

/**
 * Where entries are kept. The writer thread of a file writes to files; what several nodes share is on a
 * server.
 */
export const ledgerAddress = (
  { metadata, isBeside, dataFolder }: Pick<LedgerOptions, 'metadata' | 'isBeside' | 'dataFolder'>,
  isFile: boolean,
): string => (isBeside || isShared(metadata, isFile) ? metadata : join(dataFolder, 'ledger.sqlite'))

const isShared = (metadata: string, isFile: boolean): boolean =>
  !isFile && engineAt(metadata) !== 'sqlite'

/**
 * Opens the ledger and settles what a process that died has left. `undefined` where the source keeps no
 * entries. Throws one sentence that says what is wrong.
 */
export async function openLedger(options: LedgerOptions): Promise<SqlLedger | undefined> {
  const { source, isBeside, now, newId, definitions } = options
  const { recording } = source
  if (!recording) return undefined
  const isFile = recording.by === 'thread'
  const address = ledgerAddress(options, isFile)
  const store = await opened(address, { ...options, isBeside })
  if (recording.by === 'thread')
    recording.use({
      url: new URL(`./thread-recorder${extname(import.meta.url)}`, import.meta.url).href,
      options: { file: isBeside ? null : address },
    })
  else recording.use(serverRecorder(store, isBeside))
  const keptMs = options.keptDays * DAY_MS
  const ledger = new SqlLedger(store, { now, newId, keptMs, isAlone: !isBeside })
  // A file's transactions end with their process, a server's some time after.
  const ended = isFile ? now() : now() - WRITE_MS
  await settlePending(source, ledger, { before: now(), ended, definitions })
  await ledger.forgetOld()
  ledger.repeat(() => ledger.forgetOld(), SWEEP_MS)
  ledger.repeat(async () => {
    const ended = now() - WRITE_MS
    await settlePending(source, ledger, { before: now() - SETTLE_MS, ended, definitions })
  }, SETTLE_MS)
  return ledger
}

/**
 * How long after a job's step has begun a transaction of it may still run on a server, ms: the server ends one
 * whose process asks for nothing.
 */
const STEP_MS = 20_000

/** Finds out about steps of jobs that were begun and not saved. */
export const stepSettler =
  (ledger: SqlLedger, { source, now, definitions }: LedgerOptions) =>
  (job: string, number: number): Promise<SettledStep> =>
    settleStep(source, ledger, {
      ...{ job, number, definitions },
      async ended() {
        const { recording } = source
        if (recording?.by !== 'thread') return now() - STEP_MS
        await recording.ended()
        return Infinity
      },
    })

async function opened(address: string, options: StoreOptions): Promise<Store<LedgerTables>> {
  try {
    return await openStore<LedgerTables>(address, LEDGER_MIGRATIONS, options)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The history cannot be kept: ${reason}`, { cause })
  }
}
