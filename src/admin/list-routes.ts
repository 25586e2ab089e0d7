/** The pages of whoever is signed in: the start, each table's listing, and the account. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Preferences } from '../database/metadata/preferences.ts'
import { messagesFor } from '../messages/messages.ts'
import { AppError } from '../server/app-error.ts'
import type { Component } from '../server/component.ts'
import { mountComponent } from '../server/lifecycle.ts'
import { readLocale } from '../server/locale.ts'
import type { Visitor } from '../server/visitor.ts'
import type { Catalog } from '../table/catalog.ts'
import { type ListState, parseListUrl } from '../table/list-state.ts'
import type { AccountParams } from './account-component.ts'
import { ACCOUNT_PATH, listPath } from './addresses.ts'
import { type PageSender, pathOf } from './page-sender.ts'
import { rememberTable } from './preferences.ts'
import { mostInteresting } from './shell-component.ts'
import type { Visitors } from './visitors.ts'

export type ListRoutes = {
  catalog(): Catalog
  readonly visitors: Visitors
  readonly pages: PageSender
  readonly preferences: Preferences
  readonly list: Component<ListState>
  readonly account: Component<AccountParams>
}

type Handler = (request: FastifyRequest, reply: FastifyReply, visitor: Visitor) => Promise<unknown>

export function addListRoutes(app: FastifyInstance, services: ListRoutes): void {
  const { catalog, visitors, pages, list, account } = services
  const signedIn = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await visitors.require(request, reply)
    return visitor ? handler(request, reply, visitor) : reply
  }

  app.get(
    '/',
    signedIn(async (request, reply, visitor) => {
      const first = mostInteresting(catalog().readable(visitor.actor))
      if (first) return reply.redirect(listPath(first.table.name), 303)
      const title = copyOf(request).titles.noTables
      return pages.send(request, reply, visitor, { title, content: { page: 'no-tables' } })
    }),
  )

  app.get<{ Params: { table: string } }>(
    '/tables/:table',
    signedIn(async (request, reply, visitor) => {
      const { table } = request.params as { table: string }
      const { definition, access } = catalog().open(visitor.actor, table)
      const state = parseListUrl(queryOf(request), definition, access)
      const component = await mountComponent(
        pages.life(request, reply, visitor),
        list,
        pathOf(request),
        state,
      )
      // The one thing that a GET writes: a preference of the very person who asks.
      await rememberTable(services.preferences, visitor.actor.id, table)
      return pages.send(request, reply, visitor, {
        title: definition.label,
        current: table,
        content: { page: 'list', component: component.id },
        components: [component],
      })
    }),
  )

  app.get(
    ACCOUNT_PATH,
    signedIn(async (request, reply, visitor) => {
      const life = pages.life(request, reply, visitor)
      const component = await mountComponent(life, account, pathOf(request), {
        session: visitor.session.id,
      })
      return pages.send(request, reply, visitor, {
        title: copyOf(request).titles.account,
        content: { page: 'account', component: component.id },
        components: [component],
      })
    }),
  )
}

export const copyOf = (request: FastifyRequest) =>
  messagesFor(readLocale(request.headers['accept-language']))

/** Longest address that is read, characters. */
const URL_MAX = 8000

function queryOf(request: FastifyRequest): URLSearchParams {
  if (request.url.length > URL_MAX)
    throw new AppError('TABLE_BAD_PARAMETER', { detail: 'The address is too long.' })
  // Only the first question mark begins the query; those after it are part of it.
  const at = request.url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1))
}
