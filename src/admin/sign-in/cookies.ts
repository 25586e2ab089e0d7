/** The cookies: a person's session, an anonymous visitor's id, what a browser is known by and read in, a notice. */

import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCOUNT_LIMITS } from '../accounts/accounts.ts'
import type { ChosenReader } from '../pages/preferences.ts'

/** Seconds that the browser keeps a session's cookie; the server may end it earlier. */
const SESSION_SECONDS = ACCOUNT_LIMITS.absoluteMs / 1000
/** As long as browsers keep a cookie at most: 400 days. */
const BROWSER_SECONDS = 400 * 24 * 60 * 60
const VISITOR = /^[\w-]{22}$/

/** What became of a form that was posted without script, told by the next page. */
export const NOTICES = ['saved', 'removed', 'unchanged'] as const
export type Notice = (typeof NOTICES)[number]
const NOTHING_CHOSEN = '~'

/** How long a notice waits for the next page, seconds. */
const NOTICE_SECONDS = 60

/** How long somebody may be at the OpenID provider, seconds; the server may end it earlier. */
const BEGUN_SECONDS = 600

export type Cookies = {
  readonly sessionName: string
  /** The cookie that `setReader` sets, which holds a zone and a language, such as `Europe/Vienna~de`. */
  readonly readerName: string
  session(request: FastifyRequest): string | undefined
  setSession(reply: FastifyReply, token: string): void
  clearSession(reply: FastifyReply): void
  /** The anonymous visitor's id; sets a new one if there is none. */
  visitor(request: FastifyRequest, reply: FastifyReply): string
  /** The visitor's id from the request, or `''`. */
  knownVisitor(request: FastifyRequest): string
  /** The mark that somebody has signed in from this browser before, unchecked. */
  browser(request: FastifyRequest): string | undefined
  setBrowser(reply: FastifyReply, value: string): void
  /** Keeps in the browser what its person reads in, so that all that it asks for is answered so. */
  setReader(request: FastifyRequest, reply: FastifyReply, chosen: ChosenReader): void
  /** As which role an administrator looks, unchecked. */
  looking(request: FastifyRequest): string | undefined
  setLooking(reply: FastifyReply, value: string): void
  clearLooking(reply: FastifyReply): void
  /** What a browser keeps whose person is at the OpenID provider. */
  begun(request: FastifyRequest): string | undefined
  setBegun(reply: FastifyReply, value: string): void
  clearBegun(reply: FastifyReply): void
  setNotice(reply: FastifyReply, notice: Notice): void
  /** The notice that the next page is to show, which is then forgotten. */
  takeNotice(request: FastifyRequest, reply: FastifyReply): Notice | undefined
}

/**
 * `instance` keeps several Tablewires on one host apart, since cookies ignore ports. With `secure`,
 * the cookies are `__Host-` cookies: the browser takes them only over TLS and from this host, and
 * requires the path `/`. Otherwise their path is `path`.
 */
export function createCookies(instance: string, secure: boolean, path = '/'): Cookies {
  const prefix = secure ? '__Host-' : ''
  const sessionName = `${prefix}tablewire_${instance}`
  const [visitorName, browserName] = [`${sessionName}_visitor`, `${sessionName}_browser`]
  const readerName = `${sessionName}_reader`
  const noticeName = `${sessionName}_notice`
  const lookingName = `${sessionName}_looking`
  const begunName = `${sessionName}_oidc`
  const options = { path: secure ? '/' : path, httpOnly: true, sameSite: 'lax', secure } as const
  const readVisitor = (request: FastifyRequest) => {
    const id = request.cookies[visitorName] ?? ''
    return VISITOR.test(id) ? id : ''
  }
  return {
    ...{ sessionName, readerName },
    session: (request) => request.cookies[sessionName],
    setSession: (reply, token) =>
      void reply.setCookie(sessionName, token, { ...options, maxAge: SESSION_SECONDS }),
    clearSession: (reply) => void reply.clearCookie(sessionName, options),
    knownVisitor: readVisitor,
    browser: (request) => request.cookies[browserName],
    setBrowser: (reply, value) =>
      void reply.setCookie(browserName, value, { ...options, maxAge: BROWSER_SECONDS }),
    setReader(request, reply, { timeZone, language }) {
      const value = `${timeZone ?? ''}~${language ?? ''}`
      const is = request.cookies[readerName] ?? NOTHING_CHOSEN
      if (value === is) return
      if (value === NOTHING_CHOSEN) reply.clearCookie(readerName, options)
      else
        reply.setCookie(readerName, value, {
          ...{ ...options, maxAge: BROWSER_SECONDS },
          encode: (text) => text,
        })
    },
    looking: (request) => request.cookies[lookingName],
    // It ends with the browser, and earlier by what it holds.
    setLooking: (reply, value) => void reply.setCookie(lookingName, value, options),
    clearLooking: (reply) => void reply.clearCookie(lookingName, options),
    begun: (request) => request.cookies[begunName],
    setBegun: (reply, value) =>
      void reply.setCookie(begunName, value, { ...options, maxAge: BEGUN_SECONDS }),
    clearBegun: (reply) => void reply.clearCookie(begunName, options),
    setNotice: (reply, notice) =>
      void reply.setCookie(noticeName, notice, { ...options, maxAge: NOTICE_SECONDS }),
    takeNotice(request, reply) {
      const sent = request.cookies[noticeName]
      if (sent === undefined) return undefined
      reply.clearCookie(noticeName, options)
      return NOTICES.find((notice) => notice === sent)
    },
    visitor(request, reply) {
      const id = readVisitor(request) || randomBytes(16).toString('base64url')
      reply.setCookie(visitorName, id, options)
      return id
    },
  }
}
