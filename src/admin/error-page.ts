/** The page for what went wrong, and the way on from there. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../server/app-error.ts'
import { SIGN_IN_PATH } from './addresses.ts'
import { copyOf } from './list-routes.ts'
import { type PageSender, pathOf } from './page-sender.ts'
import type { Visitors } from './visitors.ts'

/** Draws a failure as a page; the shell stands around it where there is somebody to see it. */
export function createErrorPage(pages: PageSender, visitors: Visitors) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    error: AppError,
    reference: string,
  ) => {
    const visitor = await visitors.find(request).catch(() => undefined)
    const { titles } = copyOf(request)
    const isServerError = error.status >= 500
    // Whoever asks too much is not given the tables and preferences around it as well.
    const seen = error.status === 429 ? undefined : visitor
    return pages
      .send(request, reply, seen, {
        title: titles.error,
        status: error.status,
        content: {
          page: 'error',
          status: error.status,
          code: error.code,
          message: error.message,
          detail: isServerError ? null : (error.detail ?? null),
          ...wayOn(request, error, visitor !== undefined),
          reference: isServerError ? reference : null,
        },
      })
      .catch(() => reply.type('text/plain; charset=utf-8').send(`${error.message} ${reference}`))
  }
}

/** A listing that cannot be shown as asked leads to the listing without what was asked. */
function wayOn(
  request: FastifyRequest,
  error: AppError,
  signedIn: boolean,
): { href: string; linkText: string } {
  const { errorPage } = copyOf(request)
  if (!signedIn) return { href: SIGN_IN_PATH, linkText: errorPage.toSignIn }
  const path = pathOf(request)
  if (error.status === 422 && path.startsWith('/tables/'))
    return { href: path, linkText: errorPage.toList }
  return { href: '/', linkText: errorPage.toStart }
}
