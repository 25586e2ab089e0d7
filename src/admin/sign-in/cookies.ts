/** The two cookies: the session of a person, and the id of an anonymous visitor. */

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
  /** The anonymous visitor's id; sets a new one if there is none. */
  visitor(request: FastifyRequest, reply: FastifyReply): string
  /** The visitor's id from the request, or `''`. */
  knownVisitor(request: FastifyRequest): string
}

/**
 * `instance` keeps several Tablewires on one host apart, since cookies ignore ports. With `secure`,
 * the cookies are `__Host-` cookies: the browser takes them only over TLS and from this host, and
 * requires the path `/`. Otherwise their path is `path`.
 */
export function createCookies(instance: string, secure: boolean, path = '/'): Cookies {
  const prefix = secure ? '__Host-' : ''
  const [sessionName, visitorName] = [
    `${prefix}tablewire_${instance}`,
    `${prefix}tablewire_${instance}_visitor`,
  ]
  const options = { path: secure ? '/' : path, httpOnly: true, sameSite: 'lax', secure } as const
  const readVisitor = (request: FastifyRequest) => {
    const id = request.cookies[visitorName] ?? ''
    return VISITOR.test(id) ? id : ''
  }
  return {
    sessionName,
    session: (request) => request.cookies[sessionName],
    setSession: (reply, token) =>
      void reply.setCookie(sessionName, token, { ...options, maxAge: SESSION_SECONDS }),
    clearSession: (reply) => void reply.clearCookie(sessionName, options),
    knownVisitor: readVisitor,
    visitor(request, reply) {
      const id = readVisitor(request) || randomBytes(16).toString('base64url')
      reply.setCookie(visitorName, id, options)
      return id
    },
  }
}
