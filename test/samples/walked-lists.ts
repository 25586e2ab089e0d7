/** Walks every list of an admin by its links, and says where that differs from the database. */

import type { PageData } from '../../src/protocol/page.ts'
import type { Row, TableView } from '../../src/protocol/table-view.ts'
import { encodeName } from '../../src/table/list/names.ts'
import { encodeKey } from '../../src/table/row-key.ts'
import type { Table } from '../../src/table/source/schema.ts'
import type { Value } from '../../src/table/source/value.ts'
import { WALKED_STEPS } from '../tier.ts'
import { type LoadedApplication, quoted } from './applications.ts'
import type { OpenedSample } from './opened.ts'

/** Rows on a page: few enough for three pages and more. */
const SIZE = 25

export type Walked = {
  readonly tables: number
  /** Tables with rows on three pages or more. */
  readonly long: number
  readonly columns: number
  /** What differs from the database. */
  readonly wrong: readonly string[]
}

type Site = { readonly opened: OpenedSample; readonly database: LoadedApplication }

export async function walkLists(site: Site, tables: readonly Table[]): Promise<Walked> {
  const found: Found[] = []
  for (const table of tables) found.push(await walkTable(site, table))
  return {
    tables: found.length,
    long: found.filter(({ isLong }) => isLong).length,
    columns: found.reduce((sum, { columns }) => sum + columns, 0),
    wrong: found.flatMap(({ wrong }) => wrong),
  }
}

type Found = {
  readonly isLong: boolean
  readonly columns: number
  readonly wrong: readonly string[]
}

/** The list as it is opened, with all that it shows, and then by each column both ways. */
async function walkTable(site: Site, table: Table): Promise<Found> {
  const document = await site.opened.get(addressOf(table))
  const names = await sortableColumns(site, table)
  const truth = await readTruth(site, table, names)
  const opened = differences(await walk(site, table, `&size=${SIZE}`), truth)
  const wrong = [...(document.status === 200 ? [] : [`status ${document.status}`]), ...opened]
  const orders = names
    .flatMap((name, at) => ['', '-'].map((sign) => ({ name, at, sign })))
    // Other columns of each table, some forwards and some backwards.
    .filter((_, at) => (at + table.name.length) % WALKED_STEPS === 0)
  await concurrently(orders, site.database.atOnce, async ({ name, at, sign }) => {
    const found = await walk(site, table, orderQuery(table, name, sign)).then(
      (walked) => [...differences(walked, truth), ...disorder(walked, ranksOf(truth, at), sign)],
      (error: unknown) => [String(error)],
    )
    wrong.push(...found.map((text) => `by ${sign}${name}: ${text}`))
  })
  return {
    isLong: truth.length > 2 * SIZE,
    columns: names.length,
    wrong: wrong.map((text) => `${table.name} ${text}`),
  }
}

/** Does the work for every item, `atOnce` of them at a time. */
async function concurrently<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** An order of the list, with few columns, since the whole list has been looked at. */
function orderQuery(table: Table, name: string, sign: string): string {
  const shown = table.key.length > 0 ? [name] : identityColumns(table)
  const query = new URLSearchParams({
    size: String(SIZE),
    sort: sign + encodeName(name),
    columns: shown.map(encodeName).join(),
  })
  return `&${query.toString()}`
}

/** With rows that are marked as deleted, which a list leaves out until somebody asks for them. */
const addressOf = ({ name }: Table): string => `/tables/${encodeURIComponent(name)}?deleted=shown`

async function listOf({ opened }: Site, path: string): Promise<TableView> {
  const ask = () => opened.get(path, { 'x-tablewire-navigate': '1' })
  let { status, text } = await ask()
  // On a machine that does much else, a query may run out of its time.
  for (let again = 0; status === 503 && again < 3; again++) ({ status, text } = await ask())
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  const page = JSON.parse(text) as PageData
  // The views of the list component are of this type.
  return page.components.find(({ name }) => name === 'list')!.view as unknown as TableView
}

/** The columns whose heads sort, of all that may be shown. */
async function sortableColumns(site: Site, table: Table): Promise<string[]> {
  const { allColumns } = await listOf(site, addressOf(table))
  const all = encodeURIComponent(allColumns.map(({ name }) => encodeName(name)).join())
  const { columns } = await listOf(site, `${addressOf(table)}&columns=${all}`)
  return columns.flatMap(({ name, sortValue }) => (sortValue === undefined ? [] : [name]))
}

/** A row as the database has it. */
type TrueRow = {
  readonly identity: string
  /** The row's place in the database's own order of each column; equal values share one. */
  readonly ranks: readonly (number | null)[]
}

async function readTruth(
  { database, opened }: Site,
  table: Table,
  sortable: readonly string[],
): Promise<TrueRow[]> {
  const name = (text: string) => quoted(text, database)
  const identifying = identityColumns(table)
  const named = opened.namesIn(table.name)
  const values = sortable.map((column, at) => {
    const own = `own.${name(column)}`
    const by = named.get(column)
    const label = by && `(select other.${name(by.label)} from ${name(by.access.table.name)} other`
    return `${by ? `${label} where other.${name(by.references)} = ${own})` : own} as value_${at}`
  })
  const ranks = sortable.map(
    (_, at) =>
      `case when value_${at} is null then null else dense_rank() over (order by value_${at}) end`,
  )
  const found = [...identifying.map((column) => `own.${name(column)}`), ...values].join()
  const rows = await database.query(
    `select ${[...identifying.map(name), ...ranks].join()} from (select ${found} from ${name(table.name)} own) found`,
  )
  return rows.map((row) => ({
    // Drivers answer with values of these types.
    identity: identityOf(row.slice(0, identifying.length) as Value[], table),
    ranks: row.slice(identifying.length).map((rank) => (rank === null ? null : Number(rank))),
  }))
}

const identityColumns = ({ key, columns }: Table): readonly string[] =>
  key.length > 0 ? key : columns.map(({ name }) => name)

function identityOf(values: readonly Value[], table: Table): string {
  if (table.key.length === 0) return values.map((value) => String(value ?? '')).join()
  return encodeKey(
    values.map((value, at) => {
      const column = table.columns.find(({ name }) => name === table.key[at])
      return column?.type === 'boolean' ? Boolean(value) : value
    }),
  )
}

const shownIdentity = (row: Row, { columns }: TableView, table: Table, { opened }: Site): string =>
  table.key.length > 0
    ? opened.keyOf(row[0], table)
    : row
        .slice(2)
        // A row of another table is known by its key, whatever it is called.
        .map((cell, at) =>
          !Array.isArray(cell)
            ? String(cell ?? '')
            : columns[at]?.kind === 'relation'
              ? decodeURIComponent(String(cell[1]))
              : cell[0],
        )
        .join()

/** What is on the pages of a list, from the first to the last; the last ones also backwards. */
async function walk(site: Site, table: Table, query: string): Promise<string[]> {
  const identities = (view: TableView) =>
    view.rows.map((row) => shownIdentity(row, view, table, site))
  const first = await listOf(site, addressOf(table) + query)
  const rows = identities(first)
  for (let view = first; view.page.next !== undefined;) {
    if (view.rows.length !== SIZE)
      throw new Error(`a page of ${view.rows.length} rows is not the last`)
    view = await listOf(site, view.page.next)
    if (view.rows.length === 0) throw new Error('a page after the last')
    rows.push(...identities(view))
  }
  if (first.page.last === undefined) return rows
  const last = await listOf(site, first.page.last)
  const ending = identities(last)
  if (last.page.previous === undefined) throw new Error('nothing before the last page')
  const before = identities(await listOf(site, last.page.previous))
  if ([...before, ...ending].join('\n') !== rows.slice(-before.length - ending.length).join('\n'))
    throw new Error('the last pages are others from the end')
  return rows
}

/** Says which rows are on no page, on several, or not in the database. */
export function differences(
  walked: readonly string[],
  truth: readonly Pick<TrueRow, 'identity'>[],
): string[] {
  const seen = new Set(walked)
  const there = new Set(truth.map(({ identity }) => identity))
  const missing = [...there].filter((one) => !seen.has(one))
  const unknown = [...seen].filter((one) => !there.has(one))
  if (missing.length + unknown.length === 0 && walked.length === truth.length) return []
  const some = (rows: readonly string[]) => JSON.stringify(rows.slice(0, 3))
  return [
    `shows ${walked.length} rows of ${truth.length}, ${seen.size} different; missing: ${some(missing)}, unknown: ${some(unknown)}`,
  ]
}

type Ranks = ReadonlyMap<string, number | null>

/** The place of each row in the order of a column. */
const ranksOf = (truth: readonly TrueRow[], column: number): Ranks =>
  new Map(truth.map(({ identity, ranks }) => [identity, ranks[column] ?? null]))

/** Says where the order is not the database's; NULLs are last both ways. */
export function disorder(walked: readonly string[], rankOf: Ranks, sign: string): string[] {
  const way = sign === '-' ? -1 : 1
  const ranks = walked.map((identity) => {
    const rank = rankOf.get(identity) ?? null
    return rank === null ? Infinity : way * rank
  })
  const at = ranks.findIndex((rank, i) => i > 0 && rank < ranks[i - 1]!)
  return at < 0 ? [] : [`shows ${walked[at]} after ${walked[at - 1]}`]
}
