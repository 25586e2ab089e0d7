/** Corrections of tables: stores them for administrators, and keeps the catalog of every node with them. */

import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { CorrectionChangeRow, CorrectionRow } from '../../database/metadata/corrections.ts'
import type { Metadata } from '../../database/metadata/metadata.ts'
import { type Json, sameJson } from '../../protocol/json.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { entryId } from '../../table/changes/entry-id.ts'
import type { Correction } from '../../table/definition/corrections.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import type { Schema } from '../../table/source/schema.ts'
import type { LiveCatalog } from '../../table/live-catalog.ts'

/** A correction with who made it, and when. */
export type StoredCorrection = Correction & { readonly by: string; readonly at: number }

/** What becomes of an option: another value, or what is inferred. */
export type CorrectionChange = Omit<Correction, 'value'> & {
  readonly value: Json | undefined
  /** Whether the person saw what is stored now, `undefined` for nothing. */
  isSeen(stored: StoredCorrection | undefined): boolean
}

/** What is corrected was changed by somebody since the person saw it. */
export class CorrectionConflict extends AppError {
  readonly last: Pick<CorrectionChangeRow, 'part' | 'byName' | 'at'>

  constructor(last: CorrectionConflict['last']) {
    super('CHANGED_MEANWHILE')
    this.last = last
  }
}

export type CorrectionDesk = {
  /** The name of the database whose tables are corrected. */
  readonly database: string
  /** What is corrected of a table, with who did so. */
  of(table: string): Promise<readonly StoredCorrection[]>
  /** Makes the catalog here that of what is stored now, by whichever node. */
  follow(): Promise<void>
  /**
   * In effect here at once. Throws `FORBIDDEN` for whoever is no administrator now, and `CorrectionConflict`,
   * with nothing saved, where somebody has changed the same since it was seen.
   */
  save(actor: Actor, changes: readonly CorrectionChange[]): Promise<void>
  /** Calls back once the catalog has other corrections; returns what ends that. */
  onChange(heard: () => void): () => void
  close(): void
}

/** How soon a node follows what was corrected on another one, ms. */
const FOLLOW_MS = 5000

/** Longest value, characters of JSON: all columns of a wide table fit. */
const VALUE_MAX = 100_000

export type CorrectionOptions = {
  readonly metadata: Metadata
  readonly live: LiveCatalog
  /** The name of the database: one data folder may serve several. */
  readonly database: string
  readonly now: () => number
  readonly log?: ((line: string, error?: unknown) => void) | undefined
  /** How soon it follows other nodes, ms. Default: 5,000. */
  readonly followMs?: number | undefined
}

/** Reads what is stored, and makes a catalog with it. */
export async function openCorrections(options: CorrectionOptions): Promise<CorrectionDesk> {
  const { metadata, live, database, now, log, followMs = FOLLOW_MS } = options
  const listeners = new Set<() => void>()
  let last = Promise.resolve()

  /** Runs after what was asked before, so that an older answer never follows a newer one. */
  function follow(): Promise<void> {
    const turn = last.then(async () => {
      const version = await metadata.corrections.version(database)
      if (version === live.current().corrected.version) return
      await live.correct({ version, corrections: await storedCorrections(metadata, database) })
      for (const heard of listeners) heard()
    })
    last = turn.catch(() => undefined)
    return turn
  }

  await follow()
  // What cannot be read stays as it is known, and is asked for again.
  const timer = setInterval(
    () => void follow().catch((error: unknown) => log?.('Corrections were not read.', error)),
    followMs,
  )
  timer.unref()

  return {
    database,
    follow,
    async of(table) {
      const all = await storedCorrections(metadata, database)
      return all.filter((one) => one.table === table)
    },
    async save(actor, changes) {
      try {
        await metadata.transaction(async (within) => {
          // On another node, the role of who makes the change may have been taken a moment ago.
          const known = await within.users.find(actor.id)
          if (
            actor.role !== 'admin' ||
            (known && (known.role !== 'admin' || known.disabledAt !== null))
          )
            throw new AppError('FORBIDDEN')
          await assertSeen(within, database, changes)
          for (const { table, column, part, value } of changes) {
            const at = now()
            const text = value === undefined ? null : JSON.stringify(value)
            if (text !== null && text.length > VALUE_MAX) throw new AppError('REQUEST_TOO_LARGE')
            await within.corrections.edit(database, {
              ...{ id: entryId(at, randomBytes(10)), at, byId: actor.id, byName: actor.name },
              ...{ tableName: table, columnName: column, part, value: text },
            })
          }
        })
      } finally {
        // A conflict also tells of what is not known here yet.
        await follow()
      }
    },
    onChange(heard) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
    close: () => clearInterval(timer),
  }
}

/** Where nobody has changed the correction, what was read is another: that is no conflict. */
async function assertSeen(
  { corrections }: Pick<Metadata, 'corrections'>,
  database: string,
  changes: readonly CorrectionChange[],
): Promise<void> {
  const stored = await storedCorrections({ corrections }, database)
  for (const { table, column, part, value, isSeen } of changes) {
    const now = stored.find(
      (one) => one.table === table && one.column === column && one.part === part,
    )
    if (sameJson(now?.value, value) || isSeen(now)) continue
    const place = { tableName: table, columnName: column, part }
    const last = await corrections.lastChange(database, place)
    if (last) throw new CorrectionConflict(last)
  }
}

/** The name by which corrections of a database are kept. */
export const correctedDatabase = (
  { writing }: Pick<RowSource, 'writing'>,
  { name }: Pick<Schema, 'name'>,
): string => writing?.database ?? name

/** All corrections of a database, in the order in which they were made. */
export const storedCorrections = async (
  { corrections }: Pick<Metadata, 'corrections'>,
  database: string,
): Promise<readonly StoredCorrection[]> => (await corrections.list(database)).flatMap(correctionOf)

/** Whatever a JSON text holds is JSON; its table's options decide what it may be. */
const storedValue = v.pipe(
  v.string(),
  v.parseJson(),
  v.custom<Json>((value) => value !== undefined),
)

/** A value that is no JSON was written by nobody here; it is left out. */
function correctionOf(row: CorrectionRow): StoredCorrection[] {
  const { tableName: table, columnName: column, part, value: text, byName: by, at } = row
  const value = v.safeParse(storedValue, text)
  return value.success ? [{ table, column, part, value: value.output, by, at }] : []
}
