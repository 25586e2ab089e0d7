/** Sends pages: as an HTML document, or as data to a client that asks for it in place. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { messagesFor } from '../../messages/messages.ts'
import type { Crumb, PageComponent, PageContent, PageData } from '../../protocol/page.ts'
import { HEADERS } from '../../protocol/wire.ts'
import type { LoadedClient } from '../../server/http/client-files.ts'
import type { AnyComponent, Component } from '../../server/component/define.ts'
import { issueCsrfToken } from '../../server/http/csrf.ts'
import { type Renderer, renderDocument } from '../../server/http/document.ts'
import type { IdempotencyStore } from '../../server/lifecycle/idempotency.ts'
import type { KeyRing } from '../../server/keys.ts'
import type { Life } from '../../server/lifecycle/life.ts'
import { mountComponent } from '../../server/lifecycle/mount.ts'
import { readerOf } from '../../server/http/locale.ts'
import { abandoned } from '../../server/update/update-route.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { Metadata } from '../../database/metadata/metadata.ts'
import type { Addresses } from '../addresses.ts'
import { DEFAULT_PREFERENCES, readPreferences } from './preferences.ts'
import type { ShellParams } from './shell-component.ts'

export type PageServices = {
  readonly keys: KeyRing
  readonly client: LoadedClient
  readonly render: Renderer
  readonly metadata: Metadata
  readonly writes: IdempotencyStore
  readonly running: Life['running']
  readonly components: ReadonlyMap<string, AnyComponent>
  readonly shell: Component<ShellParams>
  readonly addresses: Addresses
  /** What the token of a visitor is bound to who is not signed in. */
  anonymous(request: FastifyRequest, reply: FastifyReply): string
  /** Name of the database, for titles and breadcrumbs. */
  readonly database: string
}

/** What a route makes of a request; the rest of the page is the same everywhere. */
export type PagePlan = {
  readonly title: string
  readonly content: PageContent
  readonly status?: number
  /** Table that the page is about. */
  readonly current?: string
  /** The way to the page from the database, which is put before it; the page itself stands last. */
  readonly breadcrumbs?: readonly Crumb[]
  readonly components?: readonly PageComponent[]
  /** Address that the page answers, where it is not the one asked for. */
  readonly url?: string
}

export type PageSender = {
  /** What a component is mounted with, for whoever is signed in. */
  life(request: FastifyRequest, reply: FastifyReply, visitor: Visitor): Life
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor | undefined,
    plan: PagePlan,
  ): Promise<unknown>
}

export function createPageSender(services: PageServices): PageSender {
  const { keys, client, metadata, addresses } = services

  const life: PageSender['life'] = (request, reply, { actor, session }) => ({
    keys,
    components: services.components,
    writes: services.writes,
    running: services.running,
    binding: { build: client.version, user: actor.id, lineage: session.lineage },
    actor: { ...actor },
    ...readerOf(request),
    signal: abandoned(reply),
  })

  const shellOf = async (
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor,
    plan: PagePlan,
  ) =>
    mountComponent(
      life(request, reply, visitor),
      services.shell.with({ current: plan.current ?? null }),
      { path: pathOf(request) },
    )

  async function pageData(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor | undefined,
    plan: PagePlan,
  ): Promise<PageData> {
    const shell = visitor && (await shellOf(request, reply, visitor, plan))
    const holder = visitor ? visitor.session.lineage : services.anonymous(request, reply)
    const { language, locale } = readerOf(request)
    const { titles, direction } = messagesFor(language)
    const preferences = visitor
      ? await readPreferences(metadata.preferences, visitor.actor.id)
      : DEFAULT_PREFERENCES
    const { theme, density, railCollapsed } = preferences
    return {
      title: titles.page(plan.title, services.database),
      url: plan.url ?? request.url,
      language,
      locale,
      direction,
      csrf: issueCsrfToken(keys, holder),
      updateUrl: addresses.update,
      assets: { version: client.version },
      preferences: { theme, density, railCollapsed },
      shell: shell ? shell.id : null,
      breadcrumbs: plan.breadcrumbs
        ? [{ label: services.database, href: addresses.start }, ...plan.breadcrumbs]
        : [],
      content: plan.content,
      components: [...(shell ? [shell] : []), ...(plan.components ?? [])],
    }
  }

  return {
    life,
    async send(request, reply, visitor, plan) {
      const page = await pageData(request, reply, visitor, plan)
      reply.code(plan.status ?? 200).header('vary', `${HEADERS.navigate}, Accept-Language`)
      if (request.headers[HEADERS.navigate.toLowerCase()] !== undefined)
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(page))
      const html = renderDocument(page, client.files, services.render, reply.cspNonce.script)
      return reply.type('text/html; charset=utf-8').send(html)
    },
  }
}

/** Path of a request without its query. */
export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!
