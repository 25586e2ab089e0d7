/** The page of a table's listing, and the start page, which redirects to one. */

import type { NoTablesView } from '../../protocol/admin-view.ts'
import { FILTERS_LENGTH_MAX } from '../../table/filters/address.ts'
import type { Preferences } from '../../database/metadata/preferences.ts'
import { messagesFor } from '../../messages/messages.ts'
import { AppError } from '../../server/app-error.ts'
import type { Catalog, OpenTable } from '../../table/catalog.ts'
import { LISTING } from '../../table/list/fold.ts'
import type { SavedViews } from '../../table/saved-views/component.ts'
import { openingHref } from '../../table/saved-views/opens-with.ts'
import type { ViewStore } from '../../table/saved-views/view-records.ts'
import { isKnownRole } from '../../table/roles/role-policy.ts'
import { writesTaken } from '../../table/source/schema.ts'
import type { Cells } from '../../table/record/form/cells.ts'
import type { JobsList } from '../../table/jobs/component.ts'
import type { createListComponent } from '../../table/list/component.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import { decodeTableName } from '../table-name.ts'
import type { createCorrectionsComponent } from '../corrections/component.ts'
import type { createPresenceComponent } from '../realtime/presence-component.ts'
import { tableBreadcrumbs } from './breadcrumbs.ts'
import { mostInteresting } from './most-interesting.ts'
import { page, redirectTo } from './page.ts'
import { readPreferences, rememberTable } from './preferences.ts'

export type ListPageServices = {
  catalog(): Catalog
  readonly addresses: Addresses
  readonly preferences: Preferences
  readonly list: ReturnType<typeof createListComponent>
  /** Its saved views, and where they are kept. */
  readonly views: SavedViews
  readonly viewStore: Pick<ViewStore, 'of'>
  /** Where cells are edited. */
  readonly cells: Cells
  /** What runs in the background about the table. */
  readonly jobs: JobsList
  /** Where administrators correct the table. */
  readonly corrections: ReturnType<typeof createCorrectionsComponent>
  /** Tells who else is on the table; absent where nothing is live. */
  readonly presence?: ReturnType<typeof createPresenceComponent> | undefined
  /** Where failures are written. Default: nowhere. */
  log?(line: string, error: unknown): void
}

export type StartPageServices = Pick<ListPageServices, 'catalog' | 'addresses' | 'preferences'> & {
  /** Names of those who give people their roles. Default: nobody here does. */
  administrators?(): Promise<readonly string[]>
}

/** The start page: redirects to the table that was opened last, else the first one, or says why there is none. */
export const createStartPage = ({
  catalog,
  addresses,
  preferences,
  administrators,
}: StartPageServices) =>
  page(PATHS.start, {
    name: 'no-tables',
    async open({ actor }) {
      const tables = catalog().readable(actor)
      const { recent } = await readPreferences(preferences, actor)
      const last = recent.find((name) => tables.some(({ table }) => table.name === name))
      const first = last ?? mostInteresting(tables)?.table.name
      return first === undefined ? undefined : redirectTo(addresses.list(first))
    },
    async data({ actor: { role }, language, locale }): Promise<NoTablesView> {
      if (isKnownRole(role, catalog().roles)) return null
      const { title, text } = messagesFor(language).noRole
      const names = (await administrators?.()) ?? []
      const list = new Intl.ListFormat(locale, { type: 'disjunction' })
      return { title, text: text(role, list.format(names.slice(0, ASKED_MAX))) }
    },
    title: ({ language }) => messagesFor(language).titles.noTables,
    breadcrumbs: [],
  })

export const createListPage = ({
  catalog,
  addresses,
  preferences,
  list,
  views,
  viewStore,
  cells,
  jobs,
  corrections,
  presence,
  log,
}: ListPageServices) =>
  page(PATHS.list, {
    name: 'list',
    async open({ actor, params, url, query, locale }) {
      const opened = catalog().open(actor, tableIn(params))
      checkLength(url)
      const base = addresses.list(opened.definition.table.name)
      const view =
        query.size === 0
          ? await openingHref(viewStore, { actor, open: opened, href: base })
          : undefined
      const href = view ?? LISTING.destination(base, query, opened, locale)
      return href === undefined ? opened.definition : redirectTo(href)
    },
    components: ({ actor, opened: { table } }) => ({
      list: list.with({ table: table.name }),
      views: views.with({ table: table.name }),
      jobs: jobs.with({ table: table.name }),
      ...(hasCells(catalog().open(actor, table.name)) && {
        cells: cells.with({ table: table.name }),
      }),
      ...(actor.role === 'admin' && { corrections: corrections.lazy({ table: table.name }) }),
      ...(presence && { presence: presence.with({ table: table.name, key: null }) }),
    }),
    title: ({ opened }) => opened.label,
    current: ({ opened }) => opened.table.name,
    breadcrumbs: ({ opened }) => tableBreadcrumbs(opened, addresses.list(opened.table.name)),
    url: ({ url, query, views }) => withPage(url, query.get('page'), views.list.page.number),
    // A GET that writes: only a convenience for the person who asks, so no page fails for it.
    visited: ({ actor, opened }) =>
      rememberTable(preferences, actor, opened.table.name).catch((error: unknown) =>
        log?.('A table that was opened was not kept among the recent ones.', error),
      ),
  })

/** The address, with the number of the page that is shown where another one was asked for. */
const withPage = (url: string, asked: string | null, shown: number | null): string =>
  asked === null || asked === 'last' || shown === null || asked === String(shown)
    ? url
    : url.replace(/(?<=[?&]page=)[^&#]*/, String(shown))

/** How many administrators are named to somebody who has to ask one. */
const ASKED_MAX = 3

/** Whether the person may edit cells here, as soon as the database takes changes. */
const hasCells = ({ definition: { table, write }, access }: OpenTable): boolean =>
  write && writesTaken(table).includes('update') && access.may('update')

/** The name of the table that an address is about; throws `NOT_FOUND` if no name is written so. */
export function tableIn({ table }: { readonly table: string }): string {
  const name = decodeTableName(table)
  if (name === null) throw new AppError('NOT_FOUND')
  return name
}

/** Longest address that is accepted, characters: filters, and a little for everything else. */
const URL_MAX = FILTERS_LENGTH_MAX + 2000

/** Throws `TABLE_BAD_PARAMETER` if the address is too long. */
export function checkLength(url: string): void {
  if (url.length > URL_MAX)
    throw new AppError('TABLE_BAD_PARAMETER', { detail: ({ address }) => address.tooLong })
}
