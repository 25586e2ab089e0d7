/** Routes that lead to the OpenID provider and back. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../server/app-error.ts'
import { NOT_EMBEDDED } from '../../server/http/embedding.ts'
import { sayRetryAfter } from '../../server/http/http.ts'
import { readerOf } from '../../server/http/locale.ts'
import { queryOf } from '../pages/page-sender.ts'
import { clientInfo } from './client-info.ts'
import type { OidcSignIn } from './oidc-sign-in.ts'
import { type Desk, goOn, sendSignIn } from './sign-in-desk.ts'

export function addOidcRoutes(app: FastifyInstance, desk: Desk, oidc: OidcSignIn): void {
  const { addresses, cookies, accounts } = desk

  app.get(addresses.oidc, NOT_EMBEDDED, async (request, reply) => {
    const next = addresses.safeNext(queryOf(request.url).get('next'))
    // Another site may send people to the page, where they decide, but not to the provider.
    if (request.headers['sec-fetch-site'] === 'cross-site')
      return reply.redirect(signInTo(desk, next), 303)
    try {
      const { href, kept } = await oidc.begin(next)
      cookies.setBegun(reply, kept)
      return reply.redirect(href, 303)
    } catch (error) {
      return again(desk, { request, reply }, error, next)
    }
  })

  app.get(addresses.oidcBack, NOT_EMBEDDED, async (request, reply) => {
    const kept = cookies.begun(request) ?? ''
    cookies.clearBegun(reply)
    const next = addresses.safeNext(oidc.nextOf(kept))
    try {
      const person = await oidc.finish(new URL(request.url, 'http://tablewire.invalid'), kept)
      const entered = await accounts.enterByProvider(person, oidc.name, clientInfo(request))
      return await goOn(desk, { request, reply }, entered, next)
    } catch (error) {
      return again(desk, { request, reply }, error, next)
    }
  })
}

/** The page of signing in, which says what went wrong: a password still works. */
function again(
  desk: Desk,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  error: unknown,
  next: string,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.status === 500) throw error
  sayRetryAfter(reply, error)
  desk.refusals.note(error, `GET ${desk.addresses.oidc}`)
  const reader = readerOf(request)
  const said = [error.messageFor(reader), error.detailFor(reader)].filter(Boolean).join(' ')
  return sendSignIn(desk, { request, reply }, error.status, { email: '', next, error: said })
}

const signInTo = ({ addresses }: Desk, next: string): string =>
  next === addresses.start
    ? addresses.signIn
    : `${addresses.signIn}?next=${encodeURIComponent(next)}`
