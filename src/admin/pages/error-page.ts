/** The page for what went wrong, and the way on from there. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../../server/app-error.ts'
import { copyOf, readerOf } from '../../server/http/locale.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { Addresses } from '../addresses.ts'
import { type PageSender, pathOf } from './page-sender.ts'
import type { Visitors } from '../sign-in/visitors.ts'

/** Draws a failure as a page; the shell stands around it where there is somebody to see it. */
export function createErrorPage(pages: PageSender, visitors: Visitors, addresses: Addresses) {
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    error: AppError,
    reference: string,
  ): Promise<unknown> {
    const visitor = await visitors.find(request).catch(() => undefined)
    const { titles } = copyOf(request)
    const reader = readerOf(request)
    const isServerError = error.status >= 500
    // Whoever asks too much is not given the tables and preferences around it as well.
    const seen = error.status === 429 ? undefined : visitor
    return pages.send(request, reply, seen, {
      title: titles.error,
      status: error.status,
      content: {
        page: 'error',
        status: error.status,
        code: error.code,
        message: error.messageFor(reader),
        detail: isTold(error, visitor) ? error.detailFor(reader) : null,
        ...(await wayOn(request, error, visitor !== undefined)),
        reference: isServerError ? reference : null,
      },
    })
  }

  /** A listing that cannot be shown as asked leads to the listing without what was asked. */
  async function wayOn(
    request: FastifyRequest,
    error: AppError,
    signedIn: boolean,
  ): Promise<{ href: string; linkText: string }> {
    const { errorPage } = copyOf(request)
    const { start, lists, isRecord } = addresses
    if (!signedIn) return { href: await visitors.signInHref(start), linkText: errorPage.toSignIn }
    const path = pathOf(request)
    if (error.status === 422 && path.startsWith(lists))
      return {
        href: path,
        linkText: isRecord(path) ? errorPage.toRecord : errorPage.toList,
      }
    return { href: start, linkText: errorPage.toStart }
  }

  return (request: FastifyRequest, reply: FastifyReply, error: AppError, reference: string) =>
    send(request, reply, error, reference).catch(() => {
      const message = error.messageFor(readerOf(request))
      return reply.type('text/plain; charset=utf-8').send(`${message} ${reference}`)
    })
}

/** Who runs the database learns why it does not answer; where it is, is for nobody else to know. */
const isTold = ({ status }: AppError, visitor: Visitor | undefined): boolean =>
  status < 500 || (status === 503 && visitor?.actor.role === 'admin')
