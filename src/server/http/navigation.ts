/** Requests of a client that navigates in place: for a page as data, ahead of time or not. */

import type { FastifyRequest } from 'fastify'
import { HEADERS, NAVIGATE } from '../../protocol/wire.ts'

type Asked = Pick<FastifyRequest, 'method' | 'headers'>

const navigateOf = ({ headers }: Asked) => headers[HEADERS.navigate.toLowerCase()]

/** Whether the page is to be sent as data. */
export const isNavigation = (request: Asked): boolean => navigateOf(request) !== undefined

/** Whether the client says that a page that it has prefetched is shown now. */
export const isShown = (request: Asked): boolean => navigateOf(request) === NAVIGATE.shown

/** Whether the page is fetched ahead: by the client, or by the browser, which says `Sec-Purpose`. */
export const isPrefetch = (request: Asked): boolean =>
  navigateOf(request) === NAVIGATE.prefetch ||
  /^prefetch\b/.test(String(request.headers['sec-purpose'] ?? request.headers['purpose'] ?? ''))

/** Whether somebody will see the page: not for a HEAD or a prefetch. */
export const isVisit = (request: Asked): boolean => request.method === 'GET' && !isPrefetch(request)
