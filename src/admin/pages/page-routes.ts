/** Serves pages: authorizes the visitor, opens the page, mounts its components and sends it. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PageComponent } from '../../protocol/page.ts'
import { AppError } from '../../server/app-error.ts'
import { NOT_EMBEDDED } from '../../server/http/embedding.ts'
import { readerOf } from '../../server/http/locale.ts'
import { isShown, isVisit } from '../../server/http/navigation.ts'
import { abortOnClose } from '../../server/http/end-of-request.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { Addresses } from '../addresses.ts'
import type { Visitors } from '../sign-in/visitors.ts'
import { type Page, Redirect, type RoutedRequest } from './page.ts'
import { type PagePlan, type PageSender, queryOf, SHELL_ID } from './page-sender.ts'

export type PageRoutes = {
  readonly addresses: Addresses
  readonly visitors: Visitors
  readonly pages: PageSender
}

/** Adds the pages for people who are signed in. */
export function addPages(app: FastifyInstance, services: PageRoutes, pages: readonly Page[]): void {
  for (const page of pages)
    addPage(app, services, page, async (request, reply) => {
      const visitor = await services.visitors.require(request, reply)
      return visitor && { who: visitor, visitor }
    })
}

/** Adds the pages for everybody; they have no shell. */
export function addPublicPages(
  app: FastifyInstance,
  services: PageRoutes,
  pages: readonly Page<Partial<Visitor>>[],
): void {
  for (const page of pages)
    addPage(app, services, page, async (request) => ({
      who: { ...(await services.visitors.find(request)) },
      visitor: undefined,
    }))
}

/** Who asks, and who the page is drawn for; `undefined` once the request has been answered. */
type Admitted<Who> = { readonly who: Who; readonly visitor: Visitor | undefined } | undefined

function addPage<Who>(
  app: FastifyInstance,
  services: PageRoutes,
  page: Page<Who>,
  admit: (request: FastifyRequest, reply: FastifyReply) => Promise<Admitted<Who>>,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const admitted = await admit(request, reply)
    if (!admitted) return reply
    const { who, visitor } = admitted
    if (visitor && !(await page.authorize(visitor))) throw new AppError('FORBIDDEN')
    const routed = requestOf(request, reply, who)
    const about = await page.open(routed)
    if (about instanceof Redirect) return reply.redirect(about.href, 303)
    if (visitor && isShown(request)) {
      await visit(page, routed, about, visitor)
      return services.pages.sendShown(request, reply, visitor)
    }
    return sendPage(services.pages, page, { request, reply, routed, about, visitor })
  }
  const { prefix } = services.addresses
  app.get(prefix + page.path, NOT_EMBEDDED, handler)
  // The start is the prefix with a slash at its end, and without one.
  if (page.path === ROOT && prefix !== '') app.get(prefix, NOT_EMBEDDED, handler)
}

/** What a page remembers of a visit, it does not of somebody who only looks at what a role sees. */
async function visit<Who, About>(
  page: Page<Who, About>,
  routed: RoutedRequest<Who>,
  about: About,
  visitor: Visitor | undefined,
): Promise<void> {
  if (!visitor?.actor.isLooking) await page.visited(routed, about)
}

const ROOT = '/'

/** A request for a page, and what the page's `open` returned. */
export type OpenedPage<Who, About> = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly routed: RoutedRequest<Who>
  readonly about: About
  readonly visitor: Visitor | undefined
}

/** Draws and sends a page that has been opened. Default status: 200. */
export async function sendPage<Who, About>(
  pages: PageSender,
  page: Page<Who, About>,
  { request, reply, routed, about, visitor }: OpenedPage<Who, About>,
  more: Pick<PagePlan, 'status' | 'error'> = {},
): Promise<unknown> {
  const mounting: Promise<PageComponent>[] = []
  const drawn = await page.draw(routed, about, async (slot, mounted) => {
    // A snapshot is sealed for one visitor, so a public page has no components.
    if (!visitor) throw new AppError('FORBIDDEN')
    if (slot === SHELL_ID)
      throw new Error(`The slot [${slot}] is that of what stands around pages.`)
    const component = pages.mount(request, reply, visitor, { ...mounted, id: slot })
    mounting.push(component)
    return (await component).view
  })
  const components = await Promise.all(mounting)
  if (isVisit(request)) await visit(page, routed, about, visitor)
  const { title, data, breadcrumbs, current, url } = drawn
  const ids = Object.fromEntries(components.map(({ id }) => [id, id]))
  return pages.send(request, reply, visitor, {
    title,
    content: { page: page.name, data, components: ids },
    components,
    current,
    breadcrumbs,
    url,
    ...more,
  })
}

/** The request as pages receive it. */
export const requestOf = <Who>(
  request: FastifyRequest,
  reply: FastifyReply,
  who: Who,
): RoutedRequest<Who> => ({
  ...who,
  // The router gives every `:name` of the path a text.
  params: request.params as { readonly [name: string]: string },
  url: request.url,
  query: queryOf(request.url),
  ...readerOf(request),
  signal: abortOnClose(reply),
})
