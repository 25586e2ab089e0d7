/** Keeps pages from being loaded as parts of others, such as pictures whose addresses are in data. */

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest, RouteShorthandOptions } from 'fastify'
import { AppError } from '../app-error.ts'

/** What a browser wants a page for: to show it, or its data for a script. */
const DESTINATIONS: ReadonlySet<unknown> = new Set(['document', 'empty'])

/** Whether the browser says that it loads a part of another page, such as a picture or a frame. */
export const isEmbedded = ({ 'sec-fetch-dest': destination }: IncomingHttpHeaders): boolean =>
  destination !== undefined && !DESTINATIONS.has(destination)

/** The options of every route of a page. */
export const NOT_EMBEDDED: RouteShorthandOptions = {
  onRequest(request: FastifyRequest, _reply, done) {
    done(isEmbedded(request.headers) ? new AppError('NOT_EMBEDDABLE') : undefined)
  },
}
