/** The page for an error, with a link to continue from there. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { messagesFor } from '../../messages/messages.ts'
import type { ErrorView } from '../../protocol/admin-view.ts'
import type { AppError } from '../../server/app-error.ts'
import { BARE_HEADERS, isLogged, refusalPage, TYPES } from '../../server/http/bare-refusal.ts'
import { copyOf, readerOf } from '../../server/http/locale.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { Addresses } from '../addresses.ts'
import type { Visitors } from '../sign-in/visitors.ts'
import { publicPage } from './page.ts'
import { requestOf, sendPage } from './page-routes.ts'
import { type PageSender, pathOf } from './page-sender.ts'

/** Drawn at the address where the failure happened, so it has no path of its own. */
const errorPage = publicPage<'', ErrorView, ErrorView>('', {
  name: 'error',
  data: ({ opened }) => opened,
  title: ({ language }) => messagesFor(language).titles.error,
  breadcrumbs: [],
})

/** Draws a failure as a page, inside the shell for people who are signed in. */
export function createErrorPage(pages: PageSender, visitors: Visitors, addresses: Addresses) {
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    error: AppError,
    reference: string,
  ): Promise<unknown> {
    const visitor = await visitors.find(request).catch(() => undefined)
    const reader = readerOf(request)
    const about: ErrorView = {
      status: error.status,
      code: error.code,
      message: error.messageFor(reader),
      detail: showsDetail(error, visitor) ? error.detailFor(reader) : null,
      ...(await nextLink(request, error, visitor !== undefined)),
      reference: isLogged(error) ? reference : null,
    }
    // Over the rate limit, the shell is left out: it would read tables and preferences.
    const shellVisitor = error.status === 429 ? undefined : visitor
    const routed = requestOf(request, reply, { ...shellVisitor })
    const shown = { request, reply, routed, about, visitor: shellVisitor }
    const { code, message } = about
    const data = { code, message, ...(about.reference !== null && { reference }) }
    return sendPage(pages, errorPage, shown, { status: error.status, error: data })
  }

  /** A listing or record with bad parameters links to itself without them. */
  async function nextLink(
    request: FastifyRequest,
    error: AppError,
    signedIn: boolean,
  ): Promise<{ href: string; linkText: string }> {
    const copy = copyOf(request).errorPage
    const { start, lists, isRecord } = addresses
    if (!signedIn) return { href: await visitors.signInHref(start), linkText: copy.toSignIn }
    const path = pathOf(request)
    if (error.status === 422 && path.startsWith(lists))
      return { href: path, linkText: isRecord(path) ? copy.toRecord : copy.toList }
    return { href: start, linkText: copy.toStart }
  }

  return (request: FastifyRequest, reply: FastifyReply, error: AppError, reference: string) =>
    send(request, reply, error, reference).catch(() =>
      reply
        .headers(BARE_HEADERS)
        .type(TYPES.page)
        .send(refusalPage(error, readerOf(request), reference)),
    )
}

/** Only administrators learn why the database does not answer: the reason may name its address. */
const showsDetail = ({ status, code }: AppError, visitor: Visitor | undefined): boolean =>
  status < 500 ||
  (visitor?.actor.role === 'admin' && (status === 503 || code === 'DATABASE_REFUSED'))
