/** The page of one row. */

import type { TypesOf } from '../../protocol/component-types.ts'
import type { RecordComponent } from '../../protocol/record-view.ts'
import type { RecordParams } from '../../table/record/component.ts'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../server/app-error.ts'
import type { Component } from '../../server/component/define.ts'
import { mountComponent } from '../../server/lifecycle/mount.ts'
import type { Catalog } from '../../table/catalog.ts'
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
  readonly record: Component<RecordParams, TypesOf<RecordComponent>>
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
        record.with({ table, key }),
        { path: pathOf(request), query: queryOf(request) },
      )
      const { label, listHref } = component.view
      if (label === null) throw new AppError('NOT_FOUND')
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
