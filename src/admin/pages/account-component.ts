/** The account page: the person's profile and sessions. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { AccountComponent, AccountView } from '../../protocol/admin-view.ts'
import { AppError } from '../../server/app-error.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import { own } from '../../table/definition/define-table.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { deviceText } from '../accounts/device.ts'

/** `session` is the one that the page is shown in. */
export type AccountParams = { readonly session: string }

/** Times are in the server's zone, so the format names it. */
const MOMENT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

export function createAccountComponent(
  accounts: Accounts,
): Component<AccountParams, TypesOf<AccountComponent>> {
  return defineComponent({
    name: 'account',
    params: v.object({ session: v.string() }),
    state: {},
    // Everyone has an account, and the actions below can end only the actor's own sessions.
    authorize: () => true,
    mount: () => ({}),
    actions: {
      revoke: {
        args: v.strictTuple([v.string()]),
        kind: 'write',
        changesRows: false,
        async run({ actor }, session) {
          if (!(await accounts.revoke(actor.id, session))) throw new AppError('NOT_FOUND')
        },
      },
      revokeOthers: {
        args: v.strictTuple([]),
        kind: 'write',
        changesRows: false,
        run: ({ actor, params }) => accounts.revokeOthers(actor.id, params.session),
      },
    },
    load: async ({ actor }) => ({ data: { actor, sessions: await accounts.sessions(actor.id) } }),
    view({ data: { actor, sessions }, params, locale, language }): AccountView {
      const { roles, devices } = messagesFor(language)
      const moment = new Intl.DateTimeFormat(locale, MOMENT)
      return {
        name: actor.name,
        email: actor.email,
        role: own(roles, actor.role) ?? actor.role,
        sessions: sessions.map(({ id, device, address, createdAt, lastSeenAt }) => ({
          id,
          current: id === params.session,
          device: deviceText(device, devices),
          address,
          created: moment.format(createdAt),
          lastSeen: moment.format(lastSeenAt),
        })),
      }
    },
  })
}
