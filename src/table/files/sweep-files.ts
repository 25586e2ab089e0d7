/** Removes kept files that no row and no entry of the history refers to any more. */

import type { FileHolder, FileRecords } from '../../server/upload/file-records.ts'
import { readKey } from '../../server/upload/kept-key.ts'
import type { Storage } from '../../server/upload/storage.ts'
import type { Catalog } from '../catalog.ts'
import { wholeAccess } from '../changes/whole-access.ts'
import type { RowSource } from '../source/row-source.ts'

/** Most files that one sweep looks at; the next one goes on. */
const AT_ONCE = 50
/** When a file is looked at again that something refers to, ms. */
const LOOK_AGAIN_MS = 7 * 24 * 60 * 60_000

export type FileSweep = {
  readonly files: FileRecords
  readonly storage: Pick<Storage, 'remove'>
  readonly source: Pick<RowSource, 'page'>
  catalog(): Pick<Catalog, 'schema' | 'definitions'>
  /** Tells which of some texts stand in values of the history. Absent: there is no history. */
  holding?(texts: readonly string[]): Promise<ReadonlySet<string>>
  now(): number
}

/**
 * A file is due only after its upload is forgotten (`HELD_MS`), so that no save is about to refer to it. Rows are
 * asked before the history, which holds what they held until then: an undo that runs meanwhile loses nothing.
 */
export async function sweepFiles(sweep: FileSweep): Promise<void> {
  const { files, storage, now, holding } = sweep
  const due = await files.due(now(), AT_ONCE)
  const inRows = await referredKeys(sweep, due)
  const others = due.flatMap(({ key }) => (inRows.has(key) ? [] : [idOf(key)]))
  const inHistory = others.length > 0 ? await holding?.(others) : undefined
  for (const file of due)
    if (inRows.has(file.key) || inHistory?.has(idOf(file.key)))
      await files.putOff(file, now() + LOOK_AGAIN_MS)
    else {
      await storage.remove(file.key)
      // A process that dies before this removes it once more.
      await files.forget(file)
    }
}

type Due = Awaited<ReturnType<FileRecords['due']>>

/** The keys that rows hold, in any column of files. Those of a column that is not there any more count as held. */
async function referredKeys(sweep: FileSweep, due: Due): Promise<ReadonlySet<string>> {
  const { tables } = sweep.catalog().schema
  const isThere = ({ table, column }: FileHolder) =>
    tables.some(({ name, columns }) => name === table && columns.some((one) => one.name === column))
  const found = new Set(due.flatMap((file) => (isThere(file) ? [] : [file.key])))
  for (const holder of holdersOf(sweep, due.filter(isThere)))
    for (const { key } of due)
      if (!found.has(key) && (await holds(sweep, holder, key))) found.add(key)
  return found
}

/** The columns that files were kept for, and all that are declared to hold some. */
function holdersOf({ catalog }: FileSweep, due: readonly FileHolder[]): readonly FileHolder[] {
  const declared = [...catalog().definitions].flatMap(([table, { columns }]) =>
    [...columns.values()].flatMap(({ name: column, file }) => (file ? [{ table, column }] : [])),
  )
  const all = [...due, ...declared].map(
    ({ table, column }) => [JSON.stringify([table, column]), { table, column }] as const,
  )
  return [...new Map(all).values()]
}

/**
 * What tells the file apart, wherever a value holds its key: by itself or in a list, whose writer may have escaped
 * letters of the name.
 */
const idOf = (key: string): string => readKey(key)?.id ?? key

async function holds(
  { catalog, source }: FileSweep,
  { table, column }: FileHolder,
  key: string,
): Promise<boolean> {
  const access = wholeAccess(catalog().schema.tables, table)
  if (!access) return true
  const asked = source.page(access, {
    ...{ columns: [], sort: [], size: 1, place: { at: 'first' } },
    where: { op: 'contains', column, text: idOf(key) },
  })
  // What cannot be asked counts as held, so that the others go on.
  return asked.then(
    ({ rows }) => rows.length > 0,
    () => true,
  )
}
