/** Tells rows apart that have had the same key, one after the other: the history of one is not that of the next. */

import { keyName } from './read-rows.ts'
import type { Entry, Ledger } from './ledger.ts'
import type { RowImage } from '../source/ledger-entry.ts'

export type RowLives = {
  /** Whether the row that has the image's key now is the one that the entry changed. */
  isSameRow(entry: Pick<Entry, 'at' | 'id'>, image: RowImage): Promise<boolean>
}

/** The last entry that is known to have added, or deleted, the row of a key. */
type Start = { readonly at: number; readonly id: string; readonly isAdded: boolean }

/** Entries of a row that one question reads at once, and in all: older ones count as those of another row. */
const AT_ONCE = 50
const MOST = 500

/** Looks each key up once, so that what it knows is only as old as itself. */
export function createRowLives(ledger: Pick<Ledger, 'list' | 'images'>): RowLives {
  const starts = new Map<string, Promise<Start | null>>()
  return {
    async isSameRow(entry, { table, key }) {
      const name = `${table} ${keyName(key)}`
      const start = starts.get(name) ?? startOf(ledger, table, key)
      starts.set(name, start)
      const found = await start
      if (!found) return true
      if (entry.id === found.id) return found.isAdded
      return entry.at > found.at || (entry.at === found.at && entry.id > found.id)
    },
  }
}

async function startOf(
  ledger: Pick<Ledger, 'list' | 'images'>,
  table: string,
  key: RowImage['key'],
): Promise<Start | null> {
  let last: Start | null = null
  for (let read = 0; read < MOST; read += AT_ONCE) {
    const entries: readonly Entry[] = await ledger.list({
      ...{ table, key, size: AT_ONCE },
      ...(last && { after: { at: last.at, id: last.id } }),
    })
    for (const { at, id, tables } of entries) {
      last = { at, id, isAdded: true }
      const counts = tables.find((one) => one.table === table)
      if (counts && counts.inserted + counts.deleted === 0) continue
      const isAdded = await wasAdded(ledger, id, { table, key })
      if (isAdded !== undefined) return { at, id, isAdded }
    }
    if (entries.length < AT_ONCE) return null
  }
  return last
}

/** Whether the entry has added the row at last, or deleted it; `undefined` if it did neither. */
async function wasAdded(
  ledger: Pick<Ledger, 'images'>,
  entry: string,
  row: Pick<RowImage, 'table' | 'key'>,
): Promise<boolean | undefined> {
  for await (const images of ledger.images(entry, row)) {
    const last = images.findLast(({ before, after }) => before === null || after === null)
    if (last) return last.after !== null
  }
  return undefined
}
