/** The pages of whoever is signed in: the start, each table's listing, and the account. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Preferences } from '../../database/metadata/preferences.ts'
import { AppError } from '../../server/app-error.ts'
import type { Component } from '../../server/component/define.ts'
import { mountComponent } from '../../server/lifecycle/mount.ts'
import { copyOf } from '../../server/http/locale.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { Catalog } from '../../table/catalog.ts'
import type { ListComponent } from '../../table/list/component.ts'
import type { AccountParams } from './account-component.ts'
import type { Addresses } from '../addresses.ts'
import { type PageSender, pathOf } from './page-sender.ts'
import { rememberTable } from './preferences.ts'
import { mostInteresting } from './shell-component.ts'
import { tableBreadcrumbs } from './breadcrumbs.ts'
import type { Visitors } from '../sign-in/visitors.ts'

export type ListRoutes = {
  catalog(): Catalog
  readonly addresses: Addresses
  readonly visitors: Visitors
  readonly pages: PageSender
  readonly preferences: Preferences
  readonly list: ListComponent
  /** Only where the admin keeps accounts itself. */
  readonly account?: Component<AccountParams>
  /** Where failures are written. Default: nowhere. */
  log?: (line: string, error: unknown) => void
}

type Handler = (request: FastifyRequest, reply: FastifyReply, visitor: Visitor) => Promise<unknown>

export function addListRoutes(app: FastifyInstance, services: ListRoutes): void {
  const { catalog, addresses, visitors, pages, list, account } = services
  const signedIn = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await visitors.require(request, reply)
    return visitor ? handler(request, reply, visitor) : reply
  }

  const start = signedIn(async (request, reply, visitor) => {
    const first = mostInteresting(catalog().readable(visitor.actor))
    if (first) return reply.redirect(addresses.list(first.table.name), 303)
    const title = copyOf(request).titles.noTables
    return pages.send(request, reply, visitor, { title, content: { page: 'no-tables' } })
  })
  app.get(addresses.start, start)
  if (addresses.prefix !== '') app.get(addresses.prefix, start)

  app.get<{ Params: { table: string } }>(
    `${addresses.lists}:table`,
    signedIn(async (request, reply, visitor) => {
      const { table } = request.params as { table: string }
      const { definition } = catalog().open(visitor.actor, table)
      const component = await mountComponent(
        pages.life(request, reply, visitor),
        list.with({ table }),
        { path: pathOf(request), query: queryOf(request) },
      )
      if (isVisit(request)) await rememberVisit(services, visitor, table)
      return pages.send(request, reply, visitor, {
        title: definition.label,
        current: table,
        breadcrumbs: tableBreadcrumbs(definition, addresses.list(table)),
        content: { page: 'list', component: component.id },
        components: [component],
      })
    }),
  )

  if (!account) return
  app.get(
    addresses.account,
    signedIn(async (request, reply, visitor) => {
      const life = pages.life(request, reply, visitor)
      const mounted = account.with({ session: visitor.session.id })
      const component = await mountComponent(life, mounted, { path: pathOf(request) })
      const title = copyOf(request).titles.account
      return pages.send(request, reply, visitor, {
        title,
        breadcrumbs: [{ label: title }],
        content: { page: 'account', component: component.id },
        components: [component],
      })
    }),
  )
}

/**
 * Whether somebody is to see the answer: nobody sees that of a HEAD, or what is fetched ahead.
 * Browsers say so in `Sec-Purpose`, which scripts may not set; they have the older `Purpose`.
 */
const isVisit = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  !/^prefetch\b/.test(String(headers['sec-purpose'] ?? headers['purpose'] ?? ''))

/** A GET that writes: a convenience of the very person who asks, which no page may fail for. */
const rememberVisit = ({ preferences, log }: ListRoutes, { actor }: Visitor, table: string) =>
  rememberTable(preferences, actor.id, table).catch((error: unknown) =>
    log?.('A table that was opened was not kept among the recent ones.', error),
  )

/** Longest address that is read, characters. */
const URL_MAX = 8000

/** The query of an address. Throws `TABLE_BAD_PARAMETER` where the address is too long. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  if (request.url.length > URL_MAX)
    throw new AppError('TABLE_BAD_PARAMETER', { detail: ({ address }) => address.tooLong })
  // Only the first question mark begins the query; those after it are part of it.
  const at = request.url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1))
}
