/** Routes for signing in (by password or one-time link) and out. */

import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import { addPublicRoute, parseForm } from '../../server/http/guarded-routes.ts'
import { sayRetryAfter } from '../../server/http/http.ts'
import { readerOf } from '../../server/http/locale.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { NewPerson } from '../accounts/person.ts'
import { clientInfo } from './client-info.ts'
import { addPublicPages, sendPage } from '../pages/page-routes.ts'
import { addOidcRoutes } from './oidc-routes.ts'
import {
  anonymously,
  type Asked,
  type Desk,
  enter,
  goOn,
  sendSignIn,
  type SignInRoutes,
} from './sign-in-desk.ts'
import { type AskedSecond, createLinkPage, createSignInPage } from './sign-in-pages.ts'

/** The router's parameters of a link's address. */
const linkParams = v.object({ token: v.string() })

const text = v.optional(v.string(), '')
const formSchema = v.object({
  ...{ email: text, password: text, name: text, next: text },
  ...{ step: text, code: text, sealed: text, passkey: text },
})

type Form = v.InferOutput<typeof formSchema>

export function addSignInRoutes(app: FastifyInstance, services: SignInRoutes): void {
  const { accounts, addresses, guard, cookies, browsers, refusals } = services
  const signInPage = createSignInPage(services)
  addPublicPages(app, services, [signInPage])
  const desk = { ...services, signInPage }

  addPublicRoute(app, guard, {
    ...{ ...FORM, path: addresses.signIn, holderOf: cookies.knownVisitor },
    async handle({ request, reply, body }) {
      const next = addresses.safeNext(body.next)
      if (body.passkey !== '') {
        const client = clientInfo(request)
        const signedIn = await accounts.enterByPasskey(body.step, body.passkey, client)
        await enter(desk, request, reply, signedIn)
        return reply.redirect(next, 303)
      }
      if (body.step !== '') return secondStep(desk, { request, reply, body }, next)
      const { email, password } = body
      const browser = browsers.find(request)
      const entered = await accounts.enterByPassword({
        email,
        password,
        ...(browser?.isOf(email) && { browser: browser.id }),
        ...clientInfo(request),
      })
      return goOn(desk, { request, reply }, entered, next)
    },
    async refused(error, { request, reply, body }) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      sayRetryAfter(reply, error)
      refusals.note(error, `POST ${addresses.signIn}`)
      const second = error.code === 'PAGE_EXPIRED' ? undefined : await askedAgain(accounts, body)
      return sendSignIn(desk, { request, reply }, error.status, {
        ...{ email: body.email, next: addresses.safeNext(body.next), second },
        error: error.messageFor(readerOf(request)),
      })
    },
  })

  addPublicRoute(app, guard, {
    ...{ ...FORM, path: addresses.signOut },
    // Nobody can be signed out who is not signed in.
    holderOf: (_request, visitor) => visitor?.session.lineage,
    async handle({ request, reply, visitor }) {
      const session = cookies.session(request)
      if (visitor && session !== undefined) await accounts.signOut(session)
      cookies.clearSession(reply)
      // Removes the pages that the browser keeps for its back button.
      return reply.header('clear-site-data', '"cache"').redirect(addresses.signIn, 303)
    },
  })

  addLinkRoutes(app, desk)
  if (services.oidc) addOidcRoutes(app, desk, services.oidc)
}

async function secondStep(
  desk: Desk,
  { request, reply, body: { step, code, sealed } }: Asked & { readonly body: Form },
  next: string,
): Promise<unknown> {
  const { accounts } = desk
  const client = clientInfo(request)
  if (sealed === '') {
    await enter(desk, request, reply, await accounts.enterByCode(step, code, client))
    return reply.redirect(next, 303)
  }
  const { signedIn, recovery } = await accounts.enterBySetUp(step, { sealed, code }, client)
  await enter(desk, request, reply, signedIn)
  const second = { token: '', email: '', recovery }
  // A form that is posted twice: its first answer, which the browser has dropped, held the recovery codes.
  return recovery.length === 0
    ? reply.redirect(`${desk.addresses.you}?done=codesOn`, 303)
    : sendSignIn(desk, { request, reply }, 200, { email: '', next, error: null, second })
}

/** What the second step asked, for who has to answer it once more. */
async function askedAgain(
  { secondFactors }: Accounts,
  { step, sealed }: Form,
): Promise<AskedSecond | undefined> {
  if (step === '') return undefined
  const { user } = await secondFactors.openStep(step)
  const draft = sealed === '' ? undefined : secondFactors.reopen(user, sealed)
  return { token: step, email: user.email, userId: user.id, draft }
}

/** All of these forms are small, and anybody may send them. */
const FORM = {
  sends: 'form',
  bodyBytes: 16 * 1024,
  read: (body: unknown): Form => parseForm(formSchema, body),
} as const

function addLinkRoutes(app: FastifyInstance, services: Desk): void {
  const { accounts, addresses, guard, cookies, pages } = services
  const linkPage = createLinkPage(services)
  // A GET does not spend the link: browsers and chat programs prefetch links.
  addPublicPages(app, services, [linkPage])

  addPublicRoute(app, guard, {
    ...{ ...FORM, path: addresses.link(':token'), holderOf: cookies.knownVisitor },
    async handle({ request, reply, body: { name, email, password } }) {
      const { token } = v.parse(linkParams, request.params)
      const link = await accounts.inspectLink(token)
      const enters = link && (!link.person || link.setsPassword)
      const entry: NewPerson | null = enters ? { name, email, password } : null
      try {
        const entered = await accounts.enterByLink(token, entry, clientInfo(request))
        return await goOn(services, { request, reply }, entered, addresses.start)
      } catch (error) {
        const field = error instanceof AppError ? FIELDS[error.code] : undefined
        if (!(error instanceof AppError) || field === undefined) throw error
        if (!link) throw new AppError('LINK_SPENT')
        const errors = { [field]: error.messageFor(readerOf(request)) }
        const again = { ...anonymously(request, reply), about: { link, name, email, errors } }
        return sendPage(pages, linkPage, again, { status: 422 })
      }
    },
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
