/** Signing in and out: by password, and by the one-time link that the terminal printed. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Fact } from '../../protocol/page.ts'
import { AppError } from '../../server/app-error.ts'
import { isCsrfToken, isSameOrigin } from '../../server/http/csrf.ts'
import { sayRetryAfter } from '../../server/http/http.ts'
import type { KeyRing } from '../../server/keys.ts'
import { copyOf, readerOf } from '../../server/http/locale.ts'
import { originOf } from '../../server/update/update-route.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { NewPerson } from '../accounts/person.ts'
import type { Addresses } from '../addresses.ts'
import type { Cookies } from './cookies.ts'
import type { PageSender } from '../pages/page-sender.ts'
import type { Visitors } from './visitors.ts'

export type SignInRoutes = {
  readonly accounts: Accounts
  readonly addresses: Addresses
  readonly keys: KeyRing
  readonly cookies: Cookies
  readonly visitors: Visitors
  readonly pages: PageSender
  /** Host that browsers know us by, where it is known. */
  readonly host: string | undefined
  /** What stands beside the form about the database. */
  facts(request: FastifyRequest): Fact[]
}

const text = v.optional(v.string(), '')
const formSchema = v.object({ _token: text, email: text, password: text, name: text, next: text })

export function addSignInRoutes(app: FastifyInstance, services: SignInRoutes): void {
  const { accounts, addresses, cookies, visitors, pages, facts } = services

  type Entered = { email: string; next: string; error: string | null; status: number }
  const form = (request: FastifyRequest, reply: FastifyReply, { status, ...entered }: Entered) =>
    pages.send(request, reply, undefined, {
      title: copyOf(request).titles.signIn,
      status,
      url: addresses.signIn,
      content: { page: 'sign-in', facts: facts(request), action: addresses.signIn, ...entered },
    })

  app.get(addresses.signIn, async (request, reply) => {
    const next = addresses.safeNext((request.query as { next?: unknown }).next)
    if (await visitors.find(request)) return reply.redirect(next, 303)
    return form(request, reply, { email: '', next, error: null, status: 200 })
  })

  app.post(addresses.signIn, async (request, reply) => {
    const { _token, email, password, next } = readForm(request)
    const to = addresses.safeNext(next)
    try {
      checkForm(services, request, cookies.knownVisitor(request), _token)
      const { token } = await accounts.signInWithPassword({
        email,
        password,
        ...clientInfo(request),
      })
      await enter(services, request, reply, token)
      return reply.redirect(to, 303)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      sayRetryAfter(reply, error)
      const told = error.messageFor(readerOf(request))
      return form(request, reply, { email, next: to, error: told, status: error.status })
    }
  })

  app.post(addresses.signOut, async (request, reply) => {
    const visitor = await visitors.find(request)
    const session = cookies.session(request)
    if (visitor && session !== undefined) {
      checkForm(services, request, visitor.session.lineage, readForm(request)._token)
      await accounts.signOut(session)
    }
    cookies.clearSession(reply)
    // Pages that the browser keeps for its back button go with the session.
    return reply.header('clear-site-data', '"cache"').redirect(addresses.signIn, 303)
  })

  addLinkRoutes(app, services)
}

function addLinkRoutes(app: FastifyInstance, services: SignInRoutes): void {
  const { accounts, addresses, cookies, pages, facts } = services
  const path = addresses.link(':token')

  type Answer = {
    status?: number
    name?: string
    email?: string
    errors?: { [field: string]: string }
  }
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { status = 200, ...answer }: Answer,
  ) => {
    const { token } = request.params as { token: string }
    const link = await accounts.inspectLink(token)
    if (!link) throw new AppError('LINK_SPENT')
    const { name = '', email = link.person?.email ?? '', errors = {} } = answer
    return pages.send(request, reply, undefined, {
      title: copyOf(request).titles.link,
      status,
      content: {
        page: 'link',
        facts: facts(request),
        action: addresses.link(token),
        newAdministrator: link.newAdministrator,
        name,
        email,
        errors,
      },
    })
  }

  // Looking at a link does not spend it: browsers and chat programs fetch links ahead.
  app.get(path, (request, reply) => show(request, reply, {}))

  app.post(path, async (request, reply) => {
    const { token } = request.params as { token: string }
    const { _token, name, email, password } = readForm(request)
    checkForm(services, request, cookies.knownVisitor(request), _token)
    const link = await accounts.inspectLink(token)
    const entry: NewPerson | null = link && !link.person ? { name, email, password } : null
    try {
      const signedIn = await accounts.redeemLink(token, entry, clientInfo(request))
      await enter(services, request, reply, signedIn.token)
      return reply.redirect(addresses.start, 303)
    } catch (error) {
      const field = error instanceof AppError ? FIELDS[error.code] : undefined
      if (!(error instanceof AppError) || field === undefined) throw error
      const told = error.messageFor(readerOf(request))
      return show(request, reply, { status: 422, name, email, errors: { [field]: told } })
    }
  })
}

/** Fields that a refused entry is shown at. */
const FIELDS: { readonly [code: string]: string } = {
  EMAIL_INVALID: 'email',
  EMAIL_TAKEN: 'email',
  PASSWORD_TOO_SHORT: 'password',
  PASSWORD_TOO_LONG: 'password',
  NAME_INVALID: 'name',
}

/** A new session takes the place of the one the browser had. */
async function enter(
  { accounts, cookies }: SignInRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<void> {
  const before = cookies.session(request)
  if (before !== undefined) await accounts.signOut(before)
  cookies.setSession(reply, token)
}

function readForm(request: FastifyRequest): v.InferOutput<typeof formSchema> {
  const parsed = v.safeParse(formSchema, request.body)
  if (!parsed.success) throw new AppError('REQUEST_INVALID')
  return parsed.output
}

function checkForm(
  { keys, host }: SignInRoutes,
  request: FastifyRequest,
  holder: string,
  token: string,
): void {
  if (holder === '' || !isSameOrigin(originOf(request, host)) || !isCsrfToken(keys, holder, token))
    throw new AppError('PAGE_EXPIRED')
}

const clientInfo = (request: FastifyRequest) => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
})
