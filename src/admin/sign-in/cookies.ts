/** The two cookies: one for who is signed in, one for a visitor who is not yet. */

import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCOUNT_LIMITS } from '../accounts/accounts.ts'

/** Seconds that the browser keeps a session's cookie; the server may end it earlier. */
const SESSION_SECONDS = ACCOUNT_LIMITS.absoluteMs / 1000
const VISITOR = /^[\w-]{22}$/

export type Cookies = {
  readonly sessionName: string
  session(request: FastifyRequest): string | undefined
  setSession(reply: FastifyReply, token: string): void
  clearSession(reply: FastifyReply): void
  /** The anonymous visitor's id, given out where there is none. */
  visitor(request: FastifyRequest, reply: FastifyReply): string
  /** The visitor's id as it came, or `''`. */
  knownVisitor(request: FastifyRequest): string
}

/**
 * `instance` keeps several Tablewires on one host apart, since cookies do not know about ports.
 * With `secure` the browser accepts them over TLS only, and from this very host: it then sends them
 * to all of the host, since that promise (`__Host-`) goes with the path `/`. Without, to `path`.
 */
export function createCookies(instance: string, secure: boolean, path = '/'): Cookies {
  const prefix = secure ? '__Host-' : ''
  const [sessionName, visitorName] = [
    `${prefix}tablewire_${instance}`,
    `${prefix}tablewire_${instance}_visitor`,
  ]
  const options = { path: secure ? '/' : path, httpOnly: true, sameSite: 'lax', secure } as const
  const known = (request: FastifyRequest) => {
    const id = request.cookies[visitorName] ?? ''
    return VISITOR.test(id) ? id : ''
  }
  return {
    sessionName,
    session: (request) => request.cookies[sessionName],
    setSession: (reply, token) =>
      void reply.setCookie(sessionName, token, { ...options, maxAge: SESSION_SECONDS }),
    clearSession: (reply) => void reply.clearCookie(sessionName, options),
    knownVisitor: known,
    visitor(request, reply) {
      const id = known(request) || randomBytes(16).toString('base64url')
      reply.setCookie(visitorName, id, options)
      return id
    },
  }
}
