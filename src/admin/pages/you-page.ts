/** The page of one's own account, whose forms work without script. */

import type { Preferences } from '../../database/metadata/preferences.ts'
import type { StoredPasskey } from '../../database/metadata/second-factors.ts'
import { languages, messagesFor } from '../../messages/messages.ts'
import type { Json } from '../../protocol/json.ts'
import {
  type LookView,
  type OwnAccountView,
  type OwnPasskeysView,
  type OwnSecondView,
  type PasskeyView,
  type SessionView,
  YOU_DONE,
  type YouView,
} from '../../protocol/you-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Visitor } from '../../server/visitor.ts'
import { formatterFor } from '../../table/format.ts'
import { timeOf } from '../../table/history/moments.ts'
import type { Roles } from '../../table/roles/role.ts'
import { templates } from '../../table/templates.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { deviceText } from '../accounts/device.ts'
import { roleLabel } from '../accounts/role-texts.ts'
import type { CodeDraft, SecondFactorState } from '../accounts/second-factors.ts'
import type { SessionSummary } from '../accounts/sign-in-sessions.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import { codeDraftView } from '../sign-in/code-draft-view.ts'
import { page } from './page.ts'
import { readPreferences } from './preferences.ts'

export type YouPages = {
  /** `undefined` where the application around signs people in. */
  readonly accounts: Accounts | undefined
  readonly addresses: Addresses
  readonly preferences: Preferences
  readonly roles: Roles
  /** The OpenID provider through which people come in. */
  readonly provider: string | undefined
}

/** What a form was answered with that does not lead to the page anew. */
export type Answered = {
  readonly errors: YouView['errors']
  /** What was entered and refused. */
  readonly entered?: OwnAccountView['entered'] | undefined
  /** What is set up next. */
  readonly draft?: CodeDraft | undefined
  /** Shown once. */
  readonly recovery?: readonly string[] | undefined
  /** What the browser is asked for. */
  readonly passkey?: OwnPasskeysView['draft'] | undefined
}

export type YouPage = ReturnType<typeof createYouPage>

export const createYouPage = ({ accounts, addresses, preferences, roles, provider }: YouPages) =>
  page(PATHS.you, {
    name: 'you',
    url: addresses.you,
    open: (): Answered => ({ errors: {} }),
    async data({ opened, actor, session, query, ...reader }) {
      const { you, secondFactor } = messagesFor(reader.language)
      const done = YOU_DONE.find((one) => one === query.get('done'))
      const view: YouView = {
        action: addresses.you,
        ...{ name: actor.name, email: actor.email },
        role: roleLabel(actor.role, roles, reader),
        done: done === undefined ? null : you.done[done],
        errors: opened.errors,
        account: accounts
          ? await accountOf({ accounts, provider }, { actor, session }, opened, reader)
          : null,
        look: lookOf(await readPreferences(preferences, actor)),
      }
      return {
        ...{ view, words: templates(you.words) },
        second: templates(secondFactor.words),
      } satisfies Json
    },
    title: ({ language }) => messagesFor(language).titles.account,
  })

async function accountOf(
  { accounts, provider }: { accounts: Accounts; provider: string | undefined },
  { actor, session }: Visitor,
  answered: Answered,
  reader: Reader,
): Promise<OwnAccountView> {
  const sessions = await accounts.sessions(actor.id)
  const { name, email } = actor
  const { providers } = messagesFor(reader.language)
  const isProvided = provider !== undefined && (await accounts.isProvided(actor.id))
  return {
    provider: isProvided ? providers.you(provider) : null,
    entered: answered.entered ?? { name, email },
    sessions: sessions.map((one) => sessionView(one, session.id, reader)),
    second: secondView(await accounts.secondFactors.stateOf(actor.id), answered, reader),
    passkeys: {
      isOffered: accounts.passkeys.isOffered,
      passkeys: (await accounts.passkeys.list(actor.id)).map((one) => passkeyView(one, reader)),
      draft: answered.passkey ?? null,
    },
  }
}

function passkeyView(
  { id, name, createdAt, lastUsedAt }: StoredPasskey,
  reader: Reader,
): PasskeyView {
  const { secondFactor } = messagesFor(reader.language)
  const used = [
    secondFactor.added(timeOf(createdAt, reader)),
    ...(lastUsedAt === null ? [] : [secondFactor.lastUsed(timeOf(lastUsedAt, reader))]),
  ]
  return { id, name, used: used.join(', ') }
}

function secondView(
  { isUsed, codesSince, recoveryLeft }: SecondFactorState,
  { draft, recovery = [] }: Answered,
  reader: Reader,
): OwnSecondView {
  const { secondFactor } = messagesFor(reader.language)
  const left = { count: recoveryLeft, text: formatterFor(reader).number(recoveryLeft) }
  return {
    isUsed,
    codes: codesSince === null ? null : secondFactor.since(timeOf(codesSince, reader)),
    left: isUsed ? secondFactor.left(left) : null,
    draft: draft ? codeDraftView(draft) : null,
    recovery: [...recovery],
  }
}

/** Where somebody signed in from may tell them that it was not they, so times name their zone. */
const MOMENT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

function sessionView(
  { id, device, address, createdAt, lastSeenAt }: SessionSummary,
  current: string,
  { language, locale, timeZone = 'UTC' }: Reader,
): SessionView {
  const moment = new Intl.DateTimeFormat(locale, { ...MOMENT, timeZone })
  return {
    ...{ id, current: id === current, address },
    device: deviceText(device, messagesFor(language).devices),
    created: moment.format(createdAt),
    lastSeen: moment.format(lastSeenAt),
  }
}

function lookOf(chosen: Awaited<ReturnType<typeof readPreferences>>): LookView {
  const { theme, density, timeZone, language } = chosen
  return {
    ...{ theme, density, timeZone: timeZone ?? '', language: language ?? '' },
    zones: ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')],
    languages: languages.map((tag) => ({
      tag,
      label: new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag,
    })),
  }
}
