/** Opens lists and files of a fixture's tables under definitions, as one person sees them. */

import { createCatalog } from '../../src/table/catalog.ts'
import { exportRows } from '../../src/table/actions/export-rows.ts'
import type { Definitions } from '../../src/table/definition/define-table.ts'
import { createListComponent } from '../../src/table/list/component.ts'
import { LISTING } from '../../src/table/list/fold.ts'
import { textOf } from '../../src/table/list/rows.ts'
import { createTotals } from '../../src/table/list/totals.ts'
import { type ExportChoice, FIRST_EXPORT } from '../../src/protocol/export.ts'
import { SAME_AS_KEY } from '../../src/protocol/table-view.ts'
import { testComponent } from '../../src/server/component/test-component.ts'
import type { Policy } from '../../src/table/source/access.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { doorTo } from '../door-to.ts'
import { actor } from './actors.ts'

export const reading: Policy = {
  version: '1',
  grant: (_actor, { columns }) => ({
    actions: ['read'],
    rows: everything,
    readable: columns.map(({ name }) => name),
    writable: [],
  }),
}

type Asked = {
  readonly definitions?: Definitions
  readonly policy?: Policy
  /** Of the list's address. */
  readonly query?: string
}

export async function openList(
  source: RowSource,
  table: string,
  { definitions = {}, policy = reading, query = '' }: Asked = {},
) {
  const catalog = await createCatalog(source, policy, { definitions })
  const component = createListComponent({
    ...{ source, totals: createTotals(source), catalog: () => catalog },
    door: doorTo(source, () => catalog),
    href: (name) => `/tables/${name}`,
  })
  const list = await testComponent(component, {
    ...{ actor, params: { table } },
    query: new URLSearchParams(query),
  })
  const placeOf = (column: string) => list.view.columns.findIndex(({ name }) => name === column)
  /** What each row shows of a column. */
  const texts = (column: string) =>
    list.view.rows.map((row) => {
      const cell = row[placeOf(column) + 2] ?? null
      return cell === SAME_AS_KEY ? String(row[0]) : textOf(cell)
    })
  const sum = (column: string) =>
    list.view.sums?.find(({ place }) => place === placeOf(column))?.text
  return { list, texts, sum, keys: () => list.view.rows.map(([key]) => key) }
}

/** The bytes of an exported file. */
export async function exportFile(
  source: RowSource,
  table: string,
  { definitions = {}, policy = reading, query = '', ...choice }: Asked & Partial<ExportChoice> = {},
): Promise<Buffer> {
  const catalog = await createCatalog(source, policy, { definitions })
  const opened = catalog.open(actor, table)
  const state = LISTING.parse(new URLSearchParams(query), opened)
  const open = await LISTING.prepare(opened, state, undefined)
  const { signal } = new AbortController()
  const clock = { now: Date.now(), timeZone: 'UTC', locale: 'en' }
  const wanted = { open, state, selected: [], clock, language: 'en' }
  const file = exportRows(
    LISTING,
    { ...wanted, ...FIRST_EXPORT, columns: 'all', ...choice },
    { source, signal },
  )
  const pieces: Uint8Array[] = []
  for await (const piece of file) pieces.push(piece)
  return Buffer.concat(pieces)
}
