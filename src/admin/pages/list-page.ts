/** The page of a table's listing, and the start page, which redirects to one. */

import type { Preferences } from '../../database/metadata/preferences.ts'
import { messagesFor } from '../../messages/messages.ts'
import { AppError } from '../../server/app-error.ts'
import type { Catalog } from '../../table/catalog.ts'
import type { createListComponent } from '../../table/list/component.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import { tableBreadcrumbs } from './breadcrumbs.ts'
import { mostInteresting } from './most-interesting.ts'
import { page, redirectTo } from './page.ts'
import { rememberTable } from './preferences.ts'

export type ListPageServices = {
  catalog(): Catalog
  readonly addresses: Addresses
  readonly preferences: Preferences
  readonly list: ReturnType<typeof createListComponent>
  /** Where failures are written. Default: nowhere. */
  log?(line: string, error: unknown): void
}

/** The start page: redirects to the most interesting table, or says that there is none. */
export const createStartPage = ({
  catalog,
  addresses,
}: Pick<ListPageServices, 'catalog' | 'addresses'>) =>
  page(PATHS.start, {
    name: 'no-tables',
    open({ actor }) {
      const first = mostInteresting(catalog().readable(actor))
      return first && redirectTo(addresses.list(first.table.name))
    },
    title: ({ language }) => messagesFor(language).titles.noTables,
    breadcrumbs: [],
  })

export const createListPage = ({ catalog, addresses, preferences, list, log }: ListPageServices) =>
  page(PATHS.list, {
    name: 'list',
    open({ actor, params, url }) {
      const { definition } = catalog().open(actor, params.table)
      checkLength(url)
      return definition
    },
    components: ({ params }) => ({ list: list.with({ table: params.table }) }),
    title: ({ opened }) => opened.label,
    current: ({ params }) => params.table,
    breadcrumbs: ({ opened }) => tableBreadcrumbs(opened, addresses.list(opened.table.name)),
    // A GET that writes: only a convenience for the person who asks, so no page fails for it.
    visited: ({ actor, params }) =>
      rememberTable(preferences, actor.id, params.table).catch((error: unknown) =>
        log?.('A table that was opened was not kept among the recent ones.', error),
      ),
  })

/** Longest address that is accepted, characters. */
const URL_MAX = 8000

/** Throws `TABLE_BAD_PARAMETER` if the address is too long. */
export function checkLength(url: string): void {
  if (url.length > URL_MAX)
    throw new AppError('TABLE_BAD_PARAMETER', { detail: ({ address }) => address.tooLong })
}
