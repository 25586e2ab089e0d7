/** The account page: who one is, and where one is signed in. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { AccountView } from '../../protocol/page.ts'
import { AppError } from '../../server/app-error.ts'
import { type Component, defineComponent } from '../../server/component/component.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { deviceText } from '../accounts/device.ts'

/** `params` is the session that the page is seen in. */
export type AccountParams = { readonly session: string }

/** Times are in the zone of the server, so it is named. */
const MOMENT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

export function createAccountComponent(accounts: Accounts): Component<AccountParams> {
  return defineComponent({
    name: 'account',
    state: { session: v.string() },
    // Everyone has an account; every action below reaches the actor's own sessions only.
    authorize: () => true,
    mount: (_context, { session }: AccountParams) => ({ session }),
    actions: {
      revoke: {
        args: v.strictTuple([v.string()]),
        write: true,
        async run({ actor }, session) {
          if (!(await accounts.revoke(actor.id, session))) throw new AppError('NOT_FOUND')
        },
      },
      revokeOthers: {
        args: v.strictTuple([]),
        write: true,
        run: ({ actor, state }) => accounts.revokeOthers(actor.id, state.session),
      },
    },
    async view({ actor, state, locale, language }): Promise<AccountView> {
      const { roles, devices } = messagesFor(language)
      const moment = new Intl.DateTimeFormat(locale, MOMENT)
      const sessions = await accounts.sessions(actor.id)
      return {
        name: actor.name,
        email: actor.email,
        role: roles[actor.role],
        sessions: sessions.map(({ id, device, address, createdAt, lastSeenAt }) => ({
          id,
          current: id === state.session,
          device: deviceText(device, devices),
          address,
          created: moment.format(createdAt),
          lastSeen: moment.format(lastSeenAt),
        })),
      }
    },
  })
}
