/** The page of one row. */

import type { FastifyInstance } from 'fastify'
import { isJsonObject } from '../../protocol/json.ts'
import { AppError } from '../../server/app-error.ts'
import type { Component } from '../../server/component/component.ts'
import { mountComponent } from '../../server/lifecycle/lifecycle.ts'
import type { Catalog } from '../../table/catalog.ts'
import { parseRecordUrl, type RecordState } from '../../table/record/state.ts'
import type { Addresses } from '../addresses.ts'
import { queryOf } from './list-routes.ts'
import { type PageSender, pathOf } from './page-sender.ts'
import { tableBreadcrumbs } from './breadcrumbs.ts'
import type { Visitors } from '../sign-in/visitors.ts'

export type RecordRoutes = {
  catalog(): Catalog
  readonly addresses: Addresses
  readonly visitors: Visitors
  readonly pages: PageSender
  readonly record: Component<RecordState>
}

/** What is not there and what may not be seen are answered alike: `NOT_FOUND`, and nothing else. */
export function addRecordRoutes(app: FastifyInstance, services: RecordRoutes): void {
  const { catalog, addresses, visitors, pages, record } = services
  app.get<{ Params: { table: string; key: string } }>(
    `${addresses.lists}:table/records/:key`,
    async (request, reply) => {
      const visitor = await visitors.require(request, reply)
      if (!visitor) return reply
      const { table, key } = request.params
      const { definition } = catalog().open(visitor.actor, table)
      const component = await mountComponent(
        pages.life(request, reply, visitor),
        record,
        pathOf(request),
        parseRecordUrl(table, key, queryOf(request)),
      )
      const { label, listHref } = isJsonObject(component.view) ? component.view : {}
      // Without a label there is no such row; the type only says that both are JSON.
      if (typeof label !== 'string' || typeof listHref !== 'string') throw new AppError('NOT_FOUND')
      return pages.send(request, reply, visitor, {
        title: label,
        current: table,
        // The list before the row is the one that they came from.
        breadcrumbs: [...tableBreadcrumbs(definition, listHref), { label }],
        content: { page: 'record', component: component.id },
        components: [component],
      })
    },
  )
}
