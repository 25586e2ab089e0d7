/** Sends pages: as an HTML document, or as data to a client that navigates in place. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metadata } from '../../database/metadata/metadata.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { Crumb, PageComponent, PageContent, PageData } from '../../protocol/page.ts'
import { HEADERS } from '../../protocol/wire.ts'
import type { Mounted } from '../../server/component/define.ts'
import type { LoadedClient } from '../../server/http/client-files.ts'
import { issueCsrfToken } from '../../server/http/csrf.ts'
import { type Renderer, renderDocument } from '../../server/http/document.ts'
import { readerOf } from '../../server/http/locale.ts'
import { scopeOf, type SharedScope } from '../../server/http/scope-of.ts'
import { mountComponent } from '../../server/lifecycle/mount.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { Addresses } from '../addresses.ts'
import { DEFAULT_PREFERENCES, readPreferences } from './preferences.ts'

export type PageServices = {
  readonly shared: SharedScope
  readonly client: LoadedClient
  readonly render: Renderer
  readonly metadata: Metadata
  /** The shell around a page; its sidebar marks the entry called `current`. */
  shell(current: string | null): Mounted
  readonly addresses: Addresses
  /** CSRF binding for anonymous visitors. */
  anonymous(request: FastifyRequest, reply: FastifyReply): string
  /** Name of the database, for titles and breadcrumbs. */
  readonly database: string
}

/** What differs from page to page. */
export type PagePlan = {
  readonly title: string
  readonly content: PageContent
  readonly components?: readonly PageComponent[]
  readonly status?: number
  /** Name of the sidebar's entry that the page belongs to. */
  readonly current?: string | null
  /** Breadcrumbs; the sender puts the database before them. Empty: none. */
  readonly breadcrumbs: readonly Crumb[]
  /** Address to show for the page. Default: the requested one. */
  readonly url?: string
}

export type PageSender = {
  /** Mounts a component of a page. */
  mount(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor,
    part: Mounted & { readonly id: string },
  ): Promise<PageComponent>
  /** Without a visitor, the page has no shell. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor | undefined,
    plan: PagePlan,
  ): Promise<unknown>
}

/** Id of the shell component on a page. */
export const SHELL_ID = 'shell'

export function createPageSender(services: PageServices): PageSender {
  const { shared, client, metadata, addresses } = services
  const { keys, components } = shared

  const mount: PageSender['mount'] = (request, reply, visitor, { id, ...mounted }) => {
    const { component } = mounted
    if (components.get(component.name) !== component)
      throw new Error(
        `The page at ${pathOf(request)} mounts a component called [${component.name}] that the admin does not know. List it in \`components\`, so that its updates find it.`,
      )
    const query = queryOf(request.url)
    return mountComponent(scopeOf(shared, visitor, request, reply), mounted, {
      id,
      path: pathOf(request),
      query,
    })
  }

  async function pageData(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor | undefined,
    plan: PagePlan,
  ): Promise<PageData> {
    const around = services.shell(plan.current ?? null)
    const shell = visitor && (await mount(request, reply, visitor, { ...around, id: SHELL_ID }))
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
      breadcrumbs:
        plan.breadcrumbs.length > 0
          ? [{ label: services.database, href: addresses.start }, ...plan.breadcrumbs]
          : [],
      content: plan.content,
      components: [...(shell ? [shell] : []), ...(plan.components ?? [])],
    }
  }

  return {
    mount,
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

/** The query of an address: everything after the first question mark. */
export function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}
