/** Finds records by key, code, label, email or phone number, over all tables that an actor may read. */

import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { ErrorCode } from '../../protocol/errors.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import { joinedLabel, LABEL_MAX, labelText, ownLabels } from '../references.ts'
import { momentColumnOf, namingColumns } from '../record/telling.ts'
import type { PageQuery, PageRow, RowSource } from '../source/row-source.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Column, ValueType } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import {
  codeColumns,
  codeQuery,
  contactColumns,
  contactQuery,
  type LabelQuery,
  labelQueries,
} from './label-query.ts'

export type FoundRecord = {
  readonly open: OpenTable
  /** The key in the address of its page. */
  readonly key: string
  /** The key as people are shown it. */
  readonly name: string
  /** `null` if it has none. */
  readonly label: string | null
  /** The first day or moment that its table shows, which tells it from others of the same name. */
  readonly moment: Value
  /** Of a record without a name: what its table shows of it, by column. */
  readonly telling: ReadonlyMap<string, Value>
  /** Whether the text is its key. */
  readonly isByKey: boolean
  /** The code, email or phone number by which it was found, with its column; `null` if it was found otherwise. */
  readonly code: { readonly column: ColumnDefinition; readonly value: string } | null
}

export type Found = {
  /** By key first, then by code, then by how well the label fits; parts of an email or phone number among these. */
  readonly records: readonly FoundRecord[]
  /** Whether some tables did not answer in time. */
  readonly isPartial: boolean
  /** Tables that are too large to be searched without an index on their label. */
  readonly skipped: readonly OpenTable[]
}

export type FindLimits = {
  /** Most records of one table, of all keys, and in all. */
  readonly perTable: number
  readonly byKey: number
  readonly total: number
  /** Tables that are searched at the same time. */
  readonly concurrently: number
  /** Longest time for one query, and for all, ms. */
  readonly queryMs: number
  readonly totalMs: number
}

export const FIND_LIMITS: FindLimits = {
  perTable: 5,
  byKey: 8,
  total: 20,
  concurrently: 3,
  queryMs: 700,
  totalMs: 1500,
}

export type FindOptions = {
  readonly source: RowSource
  readonly catalog: Catalog
  readonly actor: Actor
  /** Names of the tables, the most likely first. Those that the actor may not read are left out. */
  readonly tables: readonly string[]
  readonly signal: AbortSignal
  readonly limits?: Partial<FindLimits>
}

/** Answers in time with what was found so far. Throws the signal's reason if it is aborted. */
export async function findRecords(options: FindOptions, asked: string): Promise<Found> {
  const text = asked.trim()
  if (text === '') return { records: [], isPartial: false, skipped: [] }
  const limits = { ...FIND_LIMITS, ...options.limits }
  const search = new Search(options.source, text, limits, options.signal)
  const tables = options.tables.flatMap((name) => options.catalog.find(options.actor, name) ?? [])
  const withRecords = tables.filter(({ access }) => access.table.key.length > 0)
  await search.each(withRecords, (open) => search.byKey(open))
  await search.each(withRecords, (open) => search.byCode(open))
  await search.each(withRecords, (open) => search.byLabel(open))
  await search.each(withRecords, (open) => search.byContact(open))
  return search.found(withRecords)
}

/** A record, and how well its label fits: 0 is best. */
type Ranked = FoundRecord & { readonly rank: number }

class Search {
  readonly #records: Ranked[] = []
  readonly #skipped: OpenTable[] = []
  #isPartial = false
  readonly #deadline: AbortSignal
  readonly #run: { readonly signal: AbortSignal; readonly timeoutMs: number }
  readonly source: RowSource
  readonly text: string
  readonly limits: FindLimits
  readonly signal: AbortSignal

  constructor(source: RowSource, text: string, limits: FindLimits, signal: AbortSignal) {
    this.source = source
    this.text = text
    this.limits = limits
    this.signal = signal
    this.#deadline = AbortSignal.timeout(limits.totalMs)
    this.#run = {
      signal: AbortSignal.any([signal, this.#deadline]),
      timeoutMs: limits.queryMs,
    }
  }

  /** Does this for each table, several at a time, until there is enough or no time is left. */
  async each(tables: readonly OpenTable[], task: (open: OpenTable) => Promise<void>) {
    const rest = tables.values()
    const lane = async () => {
      for (const open of rest) {
        this.signal.throwIfAborted()
        if (this.#records.length >= this.limits.total) return
        if (this.#deadline.aborted) return void (this.#isPartial = true)
        await task(open).catch((error: unknown) => this.#goOn(error))
      }
    }
    await Promise.all(Array.from({ length: this.limits.concurrently }, lane))
  }

  /** One table that is slow, full or broken does not keep the others from being searched. */
  #goOn(error: unknown): void {
    this.signal.throwIfAborted()
    const isTolerated = error instanceof AppError && TOLERATED.includes(error.code)
    if (!isTolerated && !this.#deadline.aborted) throw error
    this.#isPartial = true
  }

  async byKey(open: OpenTable): Promise<void> {
    const isTyped = open.access.table.key.every((name) => KEY_TYPES.has(typeOf(open, name)))
    const key = isTyped ? open.keys.read(this.text) : null
    if (!key || this.#records.length >= this.limits.byKey) return
    const row = await this.source.row(open.access, key, columnsOf(open), this.#run)
    if (row && this.#records.length < this.limits.byKey) this.#add(open, [row], { isByKey: true })
  }

  async byLabel(open: OpenTable): Promise<void> {
    const label = columnOf(open, ownLabels(open)[0])
    const queries = label ? labelQueries(this.text, open.definition, label) : []
    if (queries === null) return void this.#skipped.push(open)
    const { perTable } = this.limits
    for (const query of queries) {
      const rows = await this.#rows(open, query)
      this.#add(
        open,
        query.isWalk ? rows.filter((row) => this.#rank(labelIn(row, open)) < 2) : rows,
      )
      if (this.#records.filter((one) => one.open === open).length >= perTable) return
    }
  }

  /** `code` is read after what is read of each row. */
  async #rows(
    open: OpenTable,
    { where, sort }: LabelQuery,
    code?: string,
  ): Promise<readonly PageRow[]> {
    // More than are shown, so that the best of them can be.
    const size = this.limits.perTable * 4
    const read = columnsOf(open)
    const columns = code === undefined ? read.columns : [...read.columns, code]
    const query: PageQuery = { ...read, columns, where, sort, size, place: { at: 'first' } }
    return (await this.source.page(open.access, query, this.#run)).rows
  }

  /** Rows are found by their codes in any usual spelling, in tables of any size. */
  async byCode(open: OpenTable): Promise<void> {
    const [label] = ownLabels(open)
    const isOther = (name: string) => name !== label && open.access.canRead(name)
    for (const name of codeColumns(open.definition, isOther)) {
      const rows = await this.#rows(open, codeQuery(this.text, name), name)
      this.#add(open, rows, { code: open.definition.columns.get(name), rank: BY_CODE })
    }
  }

  /** People are also known by a part of an email, or of a phone number. */
  async byContact(open: OpenTable): Promise<void> {
    const [label] = ownLabels(open)
    const isOther = (name: string) => name !== label && open.access.canRead(name)
    for (const name of contactColumns(this.text, open.definition, isOther)) {
      const rows = await this.#rows(open, contactQuery(this.text, name), name)
      this.#add(open, rows, { code: open.definition.columns.get(name), rank: BY_CONTACT })
    }
  }

  /** Adds the best rows of a table, as many as there is room for. */
  #add(
    open: OpenTable,
    rows: readonly Pick<PageRow, 'key' | 'values'>[],
    by: {
      readonly isByKey?: true
      readonly code?: ColumnDefinition | undefined
      readonly rank?: number
    } = {},
  ): void {
    const isByKey = by.isByKey ?? false
    const { columns } = columnsOf(open)
    const ours = this.#records.filter((one) => one.open === open)
    const isNew = (key: string) => !ours.some((one) => one.key === key)
    const labels = rows.map((row) => labelIn(row, open))
    const isCommon = (label: string | null) =>
      labels.filter((one) => one === label).length >= COMMON_ROWS
    const added = rows.flatMap((row): Ranked[] => {
      const key = open.keys.record(row.key)
      if (key === null || !isNew(key)) return []
      const label = labelIn(row, open)
      const name = open.keys.shown(row.key).join(', ')
      const values = new Map(columns.map((one, at) => [one, row.values[at] ?? null]))
      const moment = values.get(momentColumnOf(open)?.name ?? '') ?? null
      const telling = label === null ? values : new Map<string, Value>()
      const code = by.code ? { column: by.code, value: String(row.values.at(-1)) } : null
      const exact = isByKey ? BY_KEY : by.rank
      const rank = exact ?? this.#rank(label) + (isCommon(label) ? COMMON : 0)
      return [{ open, key, name, label, moment, telling, isByKey, code, rank }]
    })
    const room = this.limits.perTable - ours.length
    this.#records.push(...added.toSorted(byRank).slice(0, Math.max(0, room)))
  }

  /** The whole label, its beginning, the beginning of a word of it, or any part. */
  #rank(label: string | null): number {
    const [whole, part] = [(label ?? '').toLowerCase(), this.text.toLowerCase()]
    if (whole === part) return 0
    if (whole.startsWith(part)) return 1
    return whole.includes(` ${part}`) ? 2 : 3
  }

  /** Of records that fit equally well, those of the more likely table come first. */
  found(tables: readonly OpenTable[]): Found {
    const inOrder = tables.flatMap((open) => this.#records.filter((one) => one.open === open))
    const best = inOrder.toSorted(byRank).slice(0, this.limits.total)
    return { records: best, isPartial: this.#isPartial, skipped: this.#skipped }
  }
}

/**
 * Where so many rows of a table have a name, it is that of something else, such as the airport of a strike: each
 * comes after the names of one row that fit about as well.
 */
const COMMON_ROWS = 3
const COMMON = 1.5

/** Ranks of what is found whole, before all that is found by a label. */
const [BY_KEY, BY_CODE] = [-2, -1]
/** That of what is found by a part of an email or a phone number, after words of a label. */
const BY_CONTACT = 2

const byRank = (a: Ranked, b: Ranked) => a.rank - b.rank

/** Types whose every text is a value, so that no database refuses the comparison. */
const KEY_TYPES: ReadonlySet<ValueType | undefined> = new Set(['integer', 'text'])

const TOLERATED: readonly ErrorCode[] = [
  'QUERY_TIMEOUT',
  'BUSY',
  'DATABASE_REFUSED',
  'TABLE_UNKNOWN_COLUMN',
]

const columnOf = ({ access }: OpenTable, name: string | undefined): Column | undefined =>
  access.table.columns.find((column) => column.name === name)

const typeOf = (open: OpenTable, name: string) => columnOf(open, name)?.type

/** Reads the label, no more of it than is shown, and what tells it from others: a day, or what a list shows first. */
function columnsOf(open: OpenTable): Pick<PageQuery, 'columns' | 'cut'> {
  const labels = ownLabels(open)
  const texts = labels.filter((name) => columnOf(open, name)?.type === 'text')
  const moment = momentColumnOf(open)
  const tellings = labels.length > 0 ? [] : namingColumns(open)
  return {
    columns: [...new Set([...labels, ...(moment ? [moment.name] : []), ...tellings])],
    ...(texts.length > 0 && { cut: { columns: texts, length: LABEL_MAX + 1 } }),
  }
}

const labelIn = ({ values }: Pick<PageRow, 'values'>, open: OpenTable): string | null =>
  joinedLabel(values.slice(0, ownLabels(open).length).map(labelText))
