/** Changes what people decide about their own account, by the forms of its page. */

import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { YouDone } from '../../protocol/you-view.ts'
import { AppError } from '../../server/app-error.ts'
import {
  addGuardedRoute,
  type Guard,
  type Guarded,
  parseForm,
} from '../../server/http/guarded-routes.ts'
import { sayRetryAfter } from '../../server/http/http.ts'
import { readerOf } from '../../server/http/locale.ts'
import type { RefusalLog } from '../../server/http/refusal-log.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Cookies } from '../sign-in/cookies.ts'
import type { KnownBrowsers } from '../sign-in/known-browser.ts'
import { clientInfo } from '../sign-in/client-info.ts'
import { requestOf, sendPage } from './page-routes.ts'
import type { PageSender } from './page-sender.ts'
import { lookSchema, setPreference } from './preferences.ts'
import type { YouPage, YouPages } from './you-page.ts'

export type YouRoutes = YouPages & {
  readonly youPage: YouPage
  readonly guard: Guard
  readonly pages: PageSender
  readonly cookies: Cookies
  readonly browsers: KnownBrowsers
  readonly refusals: RefusalLog
}

const text = v.pipe(v.string(), v.maxLength(2000))

const formSchema = v.variant('do', [
  v.object({ do: v.literal('identity'), name: text, email: text, password: text }),
  v.object({ do: v.literal('password'), current: text, next: text }),
  v.object({ do: v.literal('end'), session: text }),
  v.object({ do: v.literal('endOthers') }),
  v.object({ do: v.literal('look'), ...lookSchema.entries }),
])

type Form = v.InferOutput<typeof formSchema>

export function addYouRoutes(app: FastifyInstance, services: YouRoutes): void {
  const { addresses, guard, pages, youPage, refusals } = services
  addGuardedRoute(app, guard, {
    ...{ path: addresses.you, sends: 'form', bodyBytes: 16 * 1024, stranger: 'SIGN_IN_REQUIRED' },
    read: (body) => parseForm(formSchema, body),
    async handle(guarded) {
      const done = await change(services, guarded)
      return guarded.reply.redirect(`${addresses.you}?done=${done}`, 303)
    },
    refused(error, { request, reply, visitor, body }) {
      const field = error instanceof AppError ? fieldOf(error, body) : undefined
      if (!(error instanceof AppError) || field === undefined) throw error
      sayRetryAfter(reply, error)
      refusals.note(error, `POST ${addresses.you}`)
      const reader = readerOf(request)
      const detail = error.detailFor(reader)
      const about = {
        errors: { [field]: [error.messageFor(reader), detail].filter(Boolean).join(' ') },
        ...(body.do === 'identity' && { entered: { name: body.name, email: body.email } }),
      }
      const again = { request, reply, routed: requestOf(request, reply, visitor), about, visitor }
      return sendPage(pages, youPage, again, { status: error.status })
    },
  })
}

async function change(services: YouRoutes, guarded: Guarded<Form>): Promise<YouDone> {
  const { body, visitor, request, reply } = guarded
  if (body.do === 'look') return changeLook(services, guarded, body)
  const accounts = ownAccounts(services)
  const { actor, session } = visitor
  const self = { actor, client: clientInfo(request) }
  switch (body.do) {
    case 'identity': {
      const { email } = await accounts.own.changeIdentity(self, body, body.password)
      // The browser is known by the address of its account.
      services.browsers.remember(reply, email)
      return 'saved'
    }
    case 'password':
      await accounts.own.changePassword(self, body.current, body.next, session.id)
      return 'password'
    case 'end':
      if (body.session === session.id || !(await accounts.revoke(actor.id, body.session)))
        throw new AppError('NOT_FOUND')
      return 'ended'
    case 'endOthers':
      await accounts.revokeOthers(actor.id, session.id)
      return 'endedOthers'
  }
}

async function changeLook(
  { preferences, cookies }: YouRoutes,
  { request, reply, visitor: { actor } }: Guarded<Form>,
  chosen: Extract<Form, { do: 'look' }>,
): Promise<YouDone> {
  await setPreference(preferences, actor, ['theme', chosen.theme])
  await setPreference(preferences, actor, ['density', chosen.density])
  await setPreference(preferences, actor, ['timeZone', chosen.timeZone])
  await setPreference(preferences, actor, ['language', chosen.language])
  cookies.setReader(request, reply, chosen)
  return 'saved'
}

function ownAccounts({ accounts }: YouRoutes): Accounts {
  if (!accounts) throw new AppError('NOT_FOUND')
  return accounts
}

/** The field of a form that shows each error. */
const FIELDS: { readonly [code: string]: string } = {
  NAME_INVALID: 'name',
  EMAIL_INVALID: 'email',
  EMAIL_TAKEN: 'email',
  PASSWORD_TOO_SHORT: 'next',
  PASSWORD_TOO_LONG: 'next',
}

/** Where the form asks for the password that the person has. */
const CURRENT: { readonly [form in Form['do']]?: string } = {
  identity: 'password',
  password: 'current',
}

const ABOUT_CURRENT: ReadonlySet<string> = new Set(['PASSWORD_WRONG', 'TOO_MANY_REQUESTS', 'BUSY'])

const fieldOf = ({ code }: AppError, { do: form }: Form): string | undefined =>
  ABOUT_CURRENT.has(code) ? CURRENT[form] : FIELDS[code]
