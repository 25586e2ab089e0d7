/** Routes for signing in (by password or one-time link) and out. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import { isCsrfToken, isSameOrigin } from '../../server/http/csrf.ts'
import { NOT_EMBEDDED } from '../../server/http/embedding.ts'
import { sayRetryAfter } from '../../server/http/http.ts'
import type { RefusalLog } from '../../server/http/refusal-log.ts'
import type { KeyRing } from '../../server/keys.ts'
import { readerOf } from '../../server/http/locale.ts'
import { originOf } from '../../server/update/update-route.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { NewPerson } from '../accounts/person.ts'
import type { SignedIn } from '../accounts/sign-in-sessions.ts'
import type { Addresses } from '../addresses.ts'
import type { Cookies } from './cookies.ts'
import type { KnownBrowsers } from './known-browser.ts'
import { addPublicPages, requestOf, sendPage } from '../pages/page-routes.ts'
import type { PageSender } from '../pages/page-sender.ts'
import { createLinkPage, createSignInPage, type Facts } from './sign-in-pages.ts'
import type { Visitors } from './visitors.ts'

/** The router's parameters of a link's address. */
const linkParams = v.object({ token: v.string() })

export type SignInRoutes = {
  readonly accounts: Accounts
  readonly addresses: Addresses
  readonly keys: KeyRing
  readonly cookies: Cookies
  readonly browsers: KnownBrowsers
  readonly visitors: Visitors
  readonly pages: PageSender
  /** Origin where browsers reach the admin, if configured. */
  readonly origin: string | undefined
  readonly refusals: RefusalLog
  readonly facts: Facts
}

const text = v.optional(v.string(), '')
const formSchema = v.object({ _token: text, email: text, password: text, name: text, next: text })

export function addSignInRoutes(app: FastifyInstance, services: SignInRoutes): void {
  const { accounts, addresses, cookies, browsers, visitors, pages, refusals } = services
  const signInPage = createSignInPage(services)
  addPublicPages(app, services, [signInPage])

  app.post(addresses.signIn, NOT_EMBEDDED, async (request, reply) => {
    const { _token, email, password, next } = readForm(request)
    const to = addresses.safeNext(next)
    try {
      checkForm(services, request, cookies.knownVisitor(request), _token)
      const browser = browsers.find(request)
      const signedIn = await accounts.signInWithPassword({
        email,
        password,
        ...(browser?.isOf(email) && { browser: browser.id }),
        ...clientInfo(request),
      })
      await enter(services, request, reply, signedIn)
      return reply.redirect(to, 303)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      sayRetryAfter(reply, error)
      refusals.note(error, `POST ${addresses.signIn}`)
      const about = { email, next: to, error: error.messageFor(readerOf(request)) }
      const again = { ...anonymously(request, reply), about }
      return sendPage(pages, signInPage, again, { status: error.status })
    }
  })

  app.post(addresses.signOut, NOT_EMBEDDED, async (request, reply) => {
    const visitor = await visitors.find(request)
    const session = cookies.session(request)
    if (visitor && session !== undefined) {
      checkForm(services, request, visitor.session.lineage, readForm(request)._token)
      await accounts.signOut(session)
    }
    cookies.clearSession(reply)
    // Removes the pages that the browser keeps for its back button.
    return reply.header('clear-site-data', '"cache"').redirect(addresses.signIn, 303)
  })

  addLinkRoutes(app, services)
}

function addLinkRoutes(app: FastifyInstance, services: SignInRoutes): void {
  const { accounts, addresses, cookies, pages } = services
  const linkPage = createLinkPage(services)
  // A GET does not spend the link: browsers and chat programs prefetch links.
  addPublicPages(app, services, [linkPage])

  app.post(addresses.link(':token'), NOT_EMBEDDED, async (request, reply) => {
    const { token } = v.parse(linkParams, request.params)
    const { _token, name, email, password } = readForm(request)
    checkForm(services, request, cookies.knownVisitor(request), _token)
    const link = await accounts.inspectLink(token)
    const entry: NewPerson | null = link && !link.person ? { name, email, password } : null
    try {
      const signedIn = await accounts.redeemLink(token, entry, clientInfo(request))
      await enter(services, request, reply, signedIn)
      return reply.redirect(addresses.start, 303)
    } catch (error) {
      const field = error instanceof AppError ? FIELDS[error.code] : undefined
      if (!(error instanceof AppError) || field === undefined) throw error
      if (!link) throw new AppError('LINK_SPENT')
      const errors = { [field]: error.messageFor(readerOf(request)) }
      const again = { ...anonymously(request, reply), about: { link, name, email, errors } }
      return sendPage(pages, linkPage, again, { status: 422 })
    }
  })
}

/** The form field that shows each error. */
const FIELDS: { readonly [code: string]: string } = {
  EMAIL_INVALID: 'email',
  EMAIL_TAKEN: 'email',
  PASSWORD_TOO_SHORT: 'password',
  PASSWORD_TOO_LONG: 'password',
  NAME_INVALID: 'name',
}

/** Draws a form again as for an anonymous visitor. */
const anonymously = (request: FastifyRequest, reply: FastifyReply) => ({
  request,
  reply,
  routed: requestOf(request, reply, {}),
  visitor: undefined,
})

/** Replaces the browser's earlier session with the new one, and remembers the browser. */
async function enter(
  { accounts, browsers, cookies }: SignInRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, actor }: SignedIn,
): Promise<void> {
  const before = cookies.session(request)
  if (before !== undefined) await accounts.signOut(before)
  cookies.setSession(reply, token)
  browsers.remember(reply, actor.email)
}

function readForm(request: FastifyRequest): v.InferOutput<typeof formSchema> {
  const parsed = v.safeParse(formSchema, request.body)
  if (!parsed.success) throw new AppError('REQUEST_INVALID')
  return parsed.output
}

function checkForm(
  { keys, origin }: SignInRoutes,
  request: FastifyRequest,
  holder: string,
  token: string,
): void {
  if (
    holder === '' ||
    !isSameOrigin(originOf(request, origin)) ||
    !isCsrfToken(keys, holder, token)
  )
    throw new AppError('PAGE_EXPIRED')
}

const clientInfo = (request: FastifyRequest) => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
})
