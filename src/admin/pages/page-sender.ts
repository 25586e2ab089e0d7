/** Sends pages: as an HTML document, or as data to a client that navigates in place. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metadata } from '../../database/metadata/metadata.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { RealtimeAddress } from '../../protocol/channels.ts'
import type { Crumb, PageComponent, PageContent, PageData, ShownPage } from '../../protocol/page.ts'
import { type ErrorBody, HEADERS } from '../../protocol/wire.ts'
import type { Mounted } from '../../server/component/define.ts'
import type { LoadedClient } from '../../server/http/client-files.ts'
import { issueCsrfToken } from '../../server/http/csrf.ts'
import { type Renderer, renderDocument } from '../../server/http/document.ts'
import { abortOnClose } from '../../server/http/end-of-request.ts'
import { readerOf } from '../../server/http/locale.ts'
import { scopeOf, type SharedScope } from '../../server/http/scope-of.ts'
import { mountComponent } from '../../server/lifecycle/mount.ts'
import { isNavigation } from '../../server/http/navigation.ts'
import { utf8 } from '../../server/http/utf8.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { Addresses } from '../addresses.ts'
import type { Notice } from '../sign-in/cookies.ts'
import { type ChosenReader, DEFAULT_PREFERENCES, readPreferences } from './preferences.ts'
import { spelled } from '../../protocol/signs.ts'

export type PageServices = {
  readonly shared: SharedScope
  readonly client: LoadedClient
  readonly render: Renderer
  readonly metadata: Metadata
  /** The shell around a page. */
  shell(): Mounted
  readonly addresses: Addresses
  /** CSRF binding for anonymous visitors. */
  anonymous(request: FastifyRequest, reply: FastifyReply): string
  /** What became of a form that was posted without script. */
  takeNotice(request: FastifyRequest, reply: FastifyReply): Notice | undefined
  /** Keeps in the browser what its person reads in. */
  setReader(request: FastifyRequest, reply: FastifyReply, chosen: ChosenReader): void
  /** Where signed-in people's browsers open sockets; `null` where none can be had. */
  realtime(request: FastifyRequest): RealtimeAddress | null
  /** Host where browsers reach the admin, if it is configured. */
  readonly host: string | undefined
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
  /** Why the requested page cannot be shown. */
  readonly error?: ErrorBody['error']
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
  /** Answers that a prefetched page is shown, with the shell as it is now. */
  sendShown(request: FastifyRequest, reply: FastifyReply, visitor: Visitor): Promise<unknown>
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

  const mountShell = (request: FastifyRequest, reply: FastifyReply, visitor: Visitor) =>
    mount(request, reply, visitor, { ...services.shell(), id: SHELL_ID })

  async function pageData(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor | undefined,
    plan: PagePlan,
  ): Promise<PageData> {
    const shell = visitor && (await mountShell(request, reply, visitor))
    const holder = visitor ? visitor.session.lineage : services.anonymous(request, reply)
    const { language, locale } = readerOf(request)
    const { titles, direction } = messagesFor(language)
    const chosen = visitor && (await readPreferences(metadata.preferences, visitor.actor))
    if (chosen) services.setReader(request, reply, chosen)
    const preferences = chosen ?? DEFAULT_PREFERENCES
    const { theme, density, railCollapsed } = preferences
    const realtime = visitor && services.realtime(request)
    const { url = request.url } = plan
    return {
      title: spelled(titles.page(plan.title, services.database)),
      url,
      // The address of a sign-in keeps where it leads, for when it is loaded again.
      ...(visitor && url !== request.url && { isElsewhere: true as const }),
      host: services.host ?? request.headers.host ?? '',
      language,
      locale,
      direction,
      csrf: issueCsrfToken(keys, holder),
      start: addresses.start,
      updateUrl: addresses.update,
      assets: { version: client.version },
      ...(realtime && { realtime }),
      preferences: { theme, density, railCollapsed },
      shell: shell ? shell.id : null,
      current: plan.current ?? null,
      breadcrumbs:
        plan.breadcrumbs.length > 0
          ? [{ label: services.database, href: addresses.start }, ...plan.breadcrumbs]
          : [],
      content: plan.content,
      components: [...(shell ? [shell] : []), ...(plan.components ?? [])],
      ...(plan.error && { error: plan.error }),
    }
  }

  return {
    mount,
    async send(request, reply, visitor, plan) {
      const page = await pageData(request, reply, visitor, plan)
      reply.code(plan.status ?? 200).header('vary', `${HEADERS.navigate}, Accept-Language`)
      if (isNavigation(request))
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(page))
      if (visitor) await shared.turns?.goOn(visitor.actor.id, abortOnClose(reply))
      const notice = services.takeNotice(request, reply)
      const told = notice && messagesFor(page.language).form.notices[notice]
      const html = renderDocument(page, client.files, services.render, reply.nonce, told)
      // As bytes, because Node would measure a long text first, and then join it with the headers.
      return reply.type('text/html; charset=utf-8').send(utf8(html))
    },
    async sendShown(request, reply, visitor) {
      const shown: ShownPage = { shell: await mountShell(request, reply, visitor) }
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(shown))
    },
  }
}

/** Path of a request without its query. */
export function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?', 1)
  return path
}

/** The query of an address: everything after the first question mark. */
export function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}
