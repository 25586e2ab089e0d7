/** What all ways of signing in share: the page that is drawn again, and how somebody comes in at last. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Preferences } from '../../database/metadata/preferences.ts'
import type { Guard } from '../../server/http/guarded-routes.ts'
import type { RefusalLog } from '../../server/http/refusal-log.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Entered, SignedIn } from '../accounts/sign-in-sessions.ts'
import type { Addresses } from '../addresses.ts'
import { requestOf, sendPage } from '../pages/page-routes.ts'
import type { PageSender } from '../pages/page-sender.ts'
import { readPreferences } from '../pages/preferences.ts'
import type { Cookies } from './cookies.ts'
import type { KnownBrowsers } from './known-browser.ts'
import type { OidcSignIn } from './oidc-sign-in.ts'
import type { createSignInPage, Facts, SignInEntry } from './sign-in-pages.ts'
import type { Visitors } from './visitors.ts'

export type SignInRoutes = {
  readonly accounts: Accounts
  readonly addresses: Addresses
  readonly guard: Guard
  readonly cookies: Cookies
  readonly browsers: KnownBrowsers
  readonly visitors: Visitors
  readonly pages: PageSender
  readonly refusals: RefusalLog
  readonly facts: Facts
  readonly preferences: Preferences
  /** Where people come in through an OpenID provider. */
  readonly oidc: OidcSignIn | undefined
}

export type Desk = SignInRoutes & { readonly signInPage: ReturnType<typeof createSignInPage> }
export type Asked = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** Draws the page of signing in as for an anonymous visitor. */
export function sendSignIn(
  { pages, signInPage }: Desk,
  { request, reply }: Asked,
  status: number,
  about: SignInEntry,
): Promise<unknown> {
  return sendPage(pages, signInPage, { ...anonymously(request, reply), about }, { status })
}

/** Lets somebody in, or asks for the second step. */
export async function goOn(
  desk: Desk,
  { request, reply }: Asked,
  entered: Entered,
  next: string,
): Promise<unknown> {
  if (!('asks' in entered)) {
    await enter(desk, request, reply, entered)
    return reply.redirect(next, 303)
  }
  const { asks, step, user } = entered
  const draft = asks === 'setUp' ? desk.accounts.secondFactors.draft(user) : undefined
  const second = { token: step, email: user.email, userId: user.id, draft }
  return sendSignIn(desk, { request, reply }, 200, { email: user.email, next, error: null, second })
}

/** Draws a form again as for an anonymous visitor. */
export const anonymously = (request: FastifyRequest, reply: FastifyReply) => ({
  request,
  reply,
  routed: requestOf(request, reply, {}),
  visitor: undefined,
})

/** Replaces the browser's earlier session with the new one, and remembers the browser. */
export async function enter(
  { accounts, browsers, cookies, preferences }: SignInRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, actor }: SignedIn,
): Promise<void> {
  const before = cookies.session(request)
  if (before !== undefined) await accounts.signOut(before)
  cookies.setSession(reply, token)
  browsers.remember(reply, actor.email)
  cookies.setReader(request, reply, await readPreferences(preferences, actor))
}
