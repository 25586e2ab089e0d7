/** The log of a source's writes: which tables each has written, and which writes are known at all. */

import {
  type KnownWrite,
  type WriteLog,
  type WriteWatch,
  type WrittenTables,
  withTables,
} from '../../table/source/write-log.ts'
import { type ForeignKey, holdsOwnRows } from '../../table/source/schema.ts'
import type { Part, Unit } from '../../table/source/write-unit.ts'
import type { Catalogue } from '../tables.ts'
import type { CatalogueCache } from './catalogue-cache.ts'
import type { WriteRun } from './driver.ts'

export type WritesParts<Of extends Catalogue> = {
  readonly catalogue: Pick<CatalogueCache<Of>, 'checked' | 'current'>
  /** As `Driver.watchOthers`. */
  others(
    isKnown: (transaction: number) => boolean,
  ): ((catalogue: Of) => Promise<WrittenTables>) | undefined
  mayWrite(): boolean
}

/** A write of the log. `under`: the catalogue by which its tables were found, where it was this source's. */
type Entry<Of> = { readonly tables: WrittenTables; readonly under: Of | undefined }

/** Entries and numbers of transactions that are kept; of older ones nobody can tell. */
const ENTRIES = 1000
const TRANSACTIONS = 10_000

export class Writes<Of extends Catalogue> implements WriteLog {
  readonly #parts: WritesParts<Of>
  readonly #heard: ((write: KnownWrite) => void)[] = []
  #entries: Entry<Of>[] = []
  /** Entries that are no longer kept. */
  #dropped = 0
  readonly #transactions = new Set<number>()
  #isWatched = false

  constructor(parts: WritesParts<Of>) {
    this.#parts = parts
  }

  onWrite(heard: (write: KnownWrite) => void): void {
    this.#heard.push(heard)
  }

  add({ tables, transactions }: KnownWrite): void {
    for (const one of transactions) this.#know(one)
    this.#enter({ tables, under: undefined })
  }

  watch(): WriteWatch {
    this.#isWatched = true
    const { catalogue: cache, mayWrite, others } = this.#parts
    let seen: number | undefined
    const byOthers = others((transaction) => this.#transactions.has(transaction))
    return {
      known: async () => {
        const from = seen
        const end = this.#dropped + this.#entries.length
        const entries = from === undefined ? [] : this.#since(from)
        // A trigger may have come after the catalogue was read.
        const isOwn = entries?.some(({ under }) => under)
        const catalogue = isOwn ? await cache.checked() : undefined
        seen = end
        if (from === undefined || !entries) return 'any'
        if (entries.some(({ under }) => under && under !== catalogue)) return 'any'
        return entries.reduce<WrittenTables>((all, { tables }) => withTables(all, tables), [])
      },
      // Until units may be written, there are none to be told apart.
      others: async () => (byOthers && mayWrite() ? byOthers(await cache.current()) : 'any'),
    }
  }

  /** Begins a unit: what to give the driver, and what to tell of its end. */
  begin(
    catalogue: Of,
    unit: Unit,
  ): { readonly run: Pick<WriteRun, 'began'>; done(): void; failed(): void } {
    const transactions: number[] = []
    const began = (transaction: number): void => {
      transactions.push(transaction)
      this.#know(transaction)
    }
    const end = (tables: WrittenTables): void => {
      if (unit.isTrial) return
      this.#enter({ tables, under: catalogue })
      for (const heard of this.#heard) heard({ tables, transactions })
    }
    return {
      run: this.#isWatched ? { began } : {},
      done: () => end(tablesWritten(catalogue, unit)),
      // It may have been written all the same.
      failed: () => end('any'),
    }
  }

  /** `undefined` where some are no longer kept. */
  #since(from: number): Entry<Of>[] | undefined {
    return from < this.#dropped ? undefined : this.#entries.slice(from - this.#dropped)
  }

  #enter(entry: Entry<Of>): void {
    this.#entries.push(entry)
    if (this.#entries.length <= 2 * ENTRIES) return
    this.#dropped += this.#entries.length - ENTRIES
    this.#entries = this.#entries.slice(-ENTRIES)
  }

  #know(transaction: number): void {
    this.#transactions.add(transaction)
    const [oldest] = this.#transactions
    if (oldest !== undefined && this.#transactions.size > TRANSACTIONS)
      this.#transactions.delete(oldest)
  }
}

/**
 * The tables of a unit, and those whose rows foreign keys may delete or change along with its own. `any` where
 * one of them has a trigger, is a view or shares its rows with other tables.
 */
export function tablesWritten({ tables }: Catalogue, { parts }: Unit): WrittenTables {
  const names = new Set(parts.map(({ access }) => access.table.name))
  const links = [...tables.values()].flatMap(({ table }) =>
    table.foreignKeys.map((link) => ({ child: table.name, link })),
  )
  if (parts.some((part) => isFollowed(part, links))) addFollowing(names, links)
  const isTold = [...names].every((name) => {
    const table = tables.get(name)?.table
    return table && holdsOwnRows(table) && !table.triggers?.length
  })
  return isTold ? [...names] : 'any'
}

type Link = { readonly child: string; readonly link: ForeignKey }

/** The set grows while it is walked. */
function addFollowing(names: Set<string>, links: readonly Link[]): void {
  const changing = links.filter(({ link }) => !isRestricted(link))
  for (const name of names)
    for (const { child, link } of changing) if (link.table === name) names.add(child)
}

/** Where it is not known what becomes of referring rows, something may. */
const isRestricted = ({ onDelete, onUpdate }: ForeignKey): boolean =>
  onDelete === 'restrict' && onUpdate === 'restrict'

/** Whether it deletes rows, or sets a column that others refer to. */
function isFollowed(
  { access, rows = [], sets = [], ranks }: Part,
  links: readonly Link[],
): boolean {
  const changes = [...rows, ...sets]
  if (changes.some((change) => 'delete' in change)) return true
  const { name } = access.table
  const referred = new Set(
    links.flatMap(({ link }) => (link.table === name ? link.references : [])),
  )
  const set = changes.flatMap((change) =>
    'set' in change ? Object.keys(change.set) : 'each' in change ? Object.keys(change.each) : [],
  )
  return [...set, ...(ranks ? [ranks.column] : [])].some((column) => referred.has(column))
}
