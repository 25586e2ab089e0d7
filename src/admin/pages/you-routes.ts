/** Changes what people decide about their own account, by the forms of its page. */

import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { YouDone } from '../../protocol/you-view.ts'
import type { Actor } from '../../server/actor.ts'
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
import type { Self } from '../accounts/own-account.ts'
import type { Passkeys } from '../accounts/passkeys.ts'
import type { SecondFactors } from '../accounts/second-factors.ts'
import type { Cookies } from '../sign-in/cookies.ts'
import type { KnownBrowsers } from '../sign-in/known-browser.ts'
import { clientInfo } from '../sign-in/client-info.ts'
import { requestOf, sendPage } from './page-routes.ts'
import type { PageSender } from './page-sender.ts'
import { lookSchema, setPreference } from './preferences.ts'
import type { Answered, YouPage, YouPages } from './you-page.ts'

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
  v.object({ do: v.picklist(['codesBegin', 'codesOff', 'recovery']), password: text }),
  v.object({ do: v.literal('codesFinish'), sealed: text, code: text }),
  v.object({ do: v.literal('passkeyBegin'), name: text, password: text }),
  v.object({ do: v.literal('passkeyFinish'), name: text, passkey: v.string() }),
  v.object({ do: v.literal('passkeyRemove'), id: text, password: text }),
])

type Form = v.InferOutput<typeof formSchema>

export function addYouRoutes(app: FastifyInstance, services: YouRoutes): void {
  const { addresses, guard, refusals } = services
  addGuardedRoute(app, guard, {
    ...{ path: addresses.you, sends: 'form', bodyBytes: 64 * 1024, stranger: 'SIGN_IN_REQUIRED' },
    read: (body) => parseForm(formSchema, body),
    async handle(guarded) {
      const done = await change(services, guarded)
      return typeof done === 'string'
        ? guarded.reply.redirect(`${addresses.you}?done=${done}`, 303)
        : send(services, guarded, { errors: {}, ...done }, 200)
    },
    refused(error, guarded) {
      const { request, reply, body } = guarded
      const field = error instanceof AppError ? fieldOf(error, body) : undefined
      if (!(error instanceof AppError) || field === undefined) throw error
      sayRetryAfter(reply, error)
      refusals.note(error, `POST ${addresses.you}`)
      const reader = readerOf(request)
      const said = [error.messageFor(reader), error.detailFor(reader)].filter(Boolean).join(' ')
      const answered = { errors: { [field]: said }, ...enteredIn(services, guarded) }
      return send(services, guarded, answered, error.status)
    },
  })
}

const send = (
  { pages, youPage }: YouRoutes,
  { request, reply, visitor }: Guarded<Form>,
  about: Answered,
  status: number,
): Promise<unknown> => {
  const routed = requestOf(request, reply, visitor)
  return sendPage(pages, youPage, { request, reply, routed, about, visitor }, { status })
}

/** What stands in a form that is drawn again. */
function enteredIn(
  services: YouRoutes,
  { body, visitor }: Guarded<Form>,
): Pick<Answered, 'entered' | 'draft'> {
  if (body.do === 'identity') return { entered: { name: body.name, email: body.email } }
  if (body.do !== 'codesFinish') return {}
  return { draft: ownAccounts(services).secondFactors.reopen(visitor.actor, body.sealed) }
}

/** What was done, or what the page shows next. */
type Outcome = YouDone | Pick<Answered, 'draft' | 'recovery' | 'passkey'>

async function change(services: YouRoutes, guarded: Guarded<Form>): Promise<Outcome> {
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
      // Signing out ends the current one. Another may have ended since the page was drawn.
      if (body.session === session.id) throw new AppError('NOT_FOUND')
      await accounts.revoke(actor.id, body.session)
      return 'ended'
    case 'endOthers':
      await accounts.revokeOthers(actor.id, session.id)
      return 'endedOthers'
    case 'passkeyBegin':
    case 'passkeyFinish':
    case 'passkeyRemove':
      return changePasskeys(accounts.passkeys, self, body)
    default:
      return changeCodes(accounts.secondFactors, self, body)
  }
}

async function changeCodes(
  secondFactors: SecondFactors,
  self: Self & { readonly actor: Actor },
  body: Extract<Form, { do: 'codesBegin' | 'codesFinish' | 'codesOff' | 'recovery' }>,
): Promise<Outcome> {
  const { actor, client } = self
  switch (body.do) {
    case 'codesBegin':
      return { draft: await secondFactors.begin(self, body.password) }
    case 'codesFinish': {
      const recovery = await secondFactors.finish(actor, body, client.address)
      return recovery.length > 0 ? { recovery } : 'codesOn'
    }
    case 'recovery':
      return { recovery: await secondFactors.renewRecovery(self, body.password) }
    case 'codesOff':
      await secondFactors.removeCodes(self, body.password)
      return 'codesOff'
  }
}

async function changePasskeys(
  passkeys: Passkeys,
  self: Self & { readonly actor: Actor },
  body: Extract<Form, { do: 'passkeyBegin' | 'passkeyFinish' | 'passkeyRemove' }>,
): Promise<Outcome> {
  switch (body.do) {
    case 'passkeyBegin': {
      const { name, password } = body
      return { passkey: { name, question: await passkeys.begin(self, password, name) } }
    }
    case 'passkeyFinish': {
      const recovery = await passkeys.add(self.actor, body.passkey, body.name)
      return recovery.length > 0 ? { recovery } : 'passkey'
    }
    case 'passkeyRemove':
      await passkeys.remove(self, body.password, body.id)
      return 'passkeyRemoved'
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
  CODE_WRONG: 'code',
  PASSKEY_REFUSED: 'passkey',
}

/** Where the form asks for the password that the person has. */
const CURRENT: { readonly [form in Form['do']]?: string } = {
  identity: 'password',
  password: 'current',
  codesBegin: 'codesBegin',
  codesOff: 'codesOff',
  codesFinish: 'code',
  recovery: 'recovery',
  passkeyBegin: 'passkeyBegin',
}

const ABOUT_CURRENT: ReadonlySet<string> = new Set(['PASSWORD_WRONG', 'TOO_MANY_REQUESTS', 'BUSY'])

function fieldOf({ code }: AppError, body: Form): string | undefined {
  if (body.do === 'passkeyBegin' && code === 'NAME_INVALID') return 'passkey'
  if (!ABOUT_CURRENT.has(code)) return FIELDS[code]
  return body.do === 'passkeyRemove' ? `remove ${body.id}` : CURRENT[body.do]
}
