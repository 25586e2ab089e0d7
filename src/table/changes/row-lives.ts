/** Tells rows apart that have had the same key, one after the other: the history of one is not that of the next. */

import type { RowImage } from '../source/ledger-entry.ts'
import type { KeyValues } from '../source/value.ts'
import type { Entry, Ledger } from './ledger.ts'
import { keyName } from './read-rows.ts'

export type RowLives = {
  /** Those of an entry's images of one table that are of the rows which have their keys now. */
  ofPresentRows(
    entry: Pick<Entry, 'at' | 'id'>,
    table: string,
    images: readonly RowImage[],
  ): Promise<ReadonlySet<RowImage>>
}

type Reader = Pick<Ledger, 'list' | 'images'>

/** The last entry that is known to have added, or deleted, the row of a key. */
type Start = { readonly at: number; readonly id: string; readonly isAdded: boolean }

/** Entries of rows that are read at once, and in all: what is older counts as that of other rows. */
const AT_ONCE = 50
const MOST = 500
/** Keys that one question names. */
const KEYS_AT_ONCE = 500

/** Looks each key up once: what it knows is as old as itself. */
export function createRowLives(ledger: Reader): RowLives {
  const starts = new Map<string, Start | null>()
  return {
    async ofPresentRows(entry, table, images) {
      const nameOf = (key: KeyValues) => `${table} ${keyName(key)}`
      const unknown = new Map(
        images.flatMap(({ key }) =>
          starts.has(nameOf(key)) ? [] : [[keyName(key), key] as const],
        ),
      )
      const names = [...unknown]
      for (let from = 0; from < names.length; from += KEYS_AT_ONCE) {
        const some = new Map(names.slice(from, from + KEYS_AT_ONCE))
        for (const [name, start] of await startsOf(ledger, table, some))
          starts.set(`${table} ${name}`, start)
      }
      return new Set(images.filter(({ key }) => isSince(entry, starts.get(nameOf(key)) ?? null)))
    },
  }
}

function isSince(entry: Pick<Entry, 'at' | 'id'>, start: Start | null): boolean {
  if (!start) return true
  if (entry.id === start.id) return start.isAdded
  return entry.at > start.at || (entry.at === start.at && entry.id > start.id)
}

/** By the names of the keys; `null` for a row that no entry has added or deleted. */
async function startsOf(
  ledger: Reader,
  table: string,
  keys: ReadonlyMap<string, KeyValues>,
): Promise<Map<string, Start | null>> {
  const found = new Map<string, Start | null>()
  let last: Start | null = null
  for (let read = 0; read < MOST && found.size < keys.size; read += AT_ONCE) {
    const entries: readonly Entry[] = await ledger.list({
      ...{ table, keys: [...keys.values()], size: AT_ONCE },
      ...(last && { after: { at: last.at, id: last.id } }),
    })
    for (const { at, id, tables } of entries) {
      last = { at, id, isAdded: true }
      const counts = tables.find((one) => one.table === table)
      if (counts && counts.inserted + counts.deleted === 0) continue
      const added = await addedIn(ledger, id, table)
      const fresh = [...added].filter(([name]) => keys.has(name) && !found.has(name))
      for (const [name, isAdded] of fresh) found.set(name, { at, id, isAdded })
    }
    if (entries.length < AT_ONCE) last = null
    if (!last) break
  }
  return new Map([...keys.keys()].map((name) => [name, found.get(name) ?? last]))
}

/** Whether an entry has added each row at last, or deleted it; without those to which it did neither. */
async function addedIn(
  ledger: Reader,
  entry: string,
  table: string,
): Promise<Map<string, boolean>> {
  const added = new Map<string, boolean>()
  for await (const images of ledger.images(entry, { table }))
    for (const { key, before, after } of images)
      if (before === null || after === null) added.set(keyName(key), after !== null)
  return added
}
