/** The page of one's own account, whose forms work without script. */

import type { Preferences } from '../../database/metadata/preferences.ts'
import { languages, messagesFor } from '../../messages/messages.ts'
import type { Json } from '../../protocol/json.ts'
import {
  type LookView,
  type OwnAccountView,
  type SessionView,
  YOU_DONE,
  type YouView,
} from '../../protocol/you-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Visitor } from '../../server/visitor.ts'
import type { Roles } from '../../table/roles/role.ts'
import { templates } from '../../table/templates.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { deviceText } from '../accounts/device.ts'
import { roleLabel } from '../accounts/role-texts.ts'
import type { SessionSummary } from '../accounts/sign-in-sessions.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import { page } from './page.ts'
import { readPreferences } from './preferences.ts'

export type YouPages = {
  /** `undefined` where the application around signs people in. */
  readonly accounts: Accounts | undefined
  readonly addresses: Addresses
  readonly preferences: Preferences
  readonly roles: Roles
}

/** What was entered and refused. */
export type RefusedEntry = {
  readonly errors: YouView['errors']
  readonly entered?: OwnAccountView['entered'] | undefined
}

export type YouPage = ReturnType<typeof createYouPage>

export const createYouPage = ({ accounts, addresses, preferences, roles }: YouPages) =>
  page(PATHS.you, {
    name: 'you',
    url: addresses.you,
    open: (): RefusedEntry => ({ errors: {} }),
    async data({ opened, actor, session, query, ...reader }) {
      const { you } = messagesFor(reader.language)
      const done = YOU_DONE.find((one) => one === query.get('done'))
      const view: YouView = {
        action: addresses.you,
        ...{ name: actor.name, email: actor.email },
        role: roleLabel(actor.role, roles, reader),
        done: done === undefined ? null : you.done[done],
        errors: opened.errors,
        account: accounts ? await accountOf(accounts, { actor, session }, opened, reader) : null,
        look: lookOf(await readPreferences(preferences, actor)),
      }
      return { view, words: templates(you.words) } satisfies Json
    },
    title: ({ language }) => messagesFor(language).titles.account,
  })

async function accountOf(
  accounts: Accounts,
  { actor, session }: Visitor,
  { entered = { name: actor.name, email: actor.email } }: RefusedEntry,
  reader: Reader,
): Promise<OwnAccountView> {
  const sessions = await accounts.sessions(actor.id)
  return { entered, sessions: sessions.map((one) => sessionView(one, session.id, reader)) }
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
