/** A sample database opened in the admin, and what somebody sees of it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actor } from '../contracts/actors.ts'
import { createAdmin } from '../../src/admin/compose/create-admin.ts'
import { openDatabase } from '../../src/cli/open-database.ts'
import type { Relation } from '../../src/table/catalog.ts'
import type { PageData } from '../../src/protocol/page.ts'
import { labelOfRow, type TableView } from '../../src/protocol/table-view.ts'
import { encodeKey } from '../../src/table/row-key.ts'
import { rowKeys } from '../../src/table/row-keys.ts'
import type { Table } from '../../src/table/source/schema.ts'

/** What a table's first screen is to show. */
export type Screen = {
  readonly label: string
  /** The column that names a row, as its head says it. */
  readonly named: string | null
  /** Heads of the columns, and how their values are shown. */
  readonly columns: Readonly<Record<string, string>>
  /** Columns shown by the row that they refer to. */
  readonly links: readonly string[]
  readonly sorted: string
  /** What the first row is called; `null` where nothing says which row that is. */
  readonly first: string | null
  readonly rows: string
}

export type OpenedSample = {
  readonly tables: readonly string[]
  screen(table: string): Promise<Screen>
  /** Addresses of some records of the table: of the first page, of those after it, of the last. */
  records(table: string, pages: number): Promise<string[]>
  /** The rows by whose names a list of the table is sorted in place of its own columns. */
  namesIn(table: string): ReadonlyMap<string, Relation>
  /** The key that a row is addressed by, as the database has it. */
  keyOf(address: string, table: Table): string
  /** Status and text of a page. */
  get(
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; text: string }>
  close(): Promise<void>
}

export async function openSample(database: string): Promise<OpenedSample> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tablewire-sample-'))
  const source = await openDatabase(database)
  const admin = await createAdmin({ source, dataFolder, requestsPerMinute: 1_000_000 })
  const link = await admin.accounts.issueLink({ role: 'admin' })
  const person = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
  const { token } = await admin.accounts.redeemLink(link, person, {
    address: '127.0.0.1',
    userAgent: 'test',
  })
  const headers = { cookie: `${admin.sessionCookie}=${token}`, 'accept-language': 'en-GB' }

  const get = async (path: string, more = {}) => {
    const { statusCode, body } = await admin.app.inject({
      url: path,
      headers: { ...headers, ...more },
    })
    return { status: statusCode, text: body }
  }

  async function list(path: string): Promise<TableView> {
    const { status, text } = await get(path, { 'x-tablewire-navigate': '1' })
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    const page = JSON.parse(text) as PageData
    return page.components.find(({ name }) => name === 'list')!.view as unknown as TableView
  }

  return {
    tables: admin.catalog().schema.tables.map(({ name }) => name),
    async screen(table) {
      const path = `/tables/${encodeURIComponent(table)}?size=25`
      let view = await list(path)
      while (view.total.kind !== 'exact') view = await list(path)
      return screenOf(view)
    },
    async records(table, pages) {
      const path = `/tables/${encodeURIComponent(table)}`
      const found: string[] = []
      let next: string | undefined = `${path}?size=25`
      for (let page = 0; page < pages && next !== undefined; page++) {
        const view: TableView = await list(next)
        found.push(
          ...view.rows.slice(0, 6).map(([key]) => `${path}/records/${encodeURIComponent(key)}`),
        )
        next = page + 2 === pages ? view.page.last : view.page.next
        if (view.rows.some(([key]) => key === '')) return []
      }
      return [...new Set(found)]
    },
    namesIn(table) {
      const { relations } = admin.catalog().open(actor, table)
      return new Map([...relations].filter(([, { isOrder }]) => isOrder))
    },
    keyOf(address, table) {
      const sealed = rowKeys(table, admin.keys).read(address)
      return sealed ? encodeKey(sealed) : address
    },
    get,
    async close() {
      await admin.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

const screenOf = ({ label, columns, rows, sortText, total }: TableView): Screen => ({
  label,
  named: columns.find(({ isLabel }) => isLabel)?.label ?? null,
  columns: Object.fromEntries(
    columns.map(({ label, kind, unit }) => [label, unit === undefined ? kind : `${kind} ${unit}`]),
  ),
  links: columns.filter(({ kind }) => kind === 'relation').map(({ label }) => label),
  sorted: sortText,
  first: sortText && rows[0] ? labelOfRow(rows[0]) : null,
  rows: 'text' in total ? total.text : total.kind,
})
