/** The page of the person's own account. */

import { messagesFor } from '../../messages/messages.ts'
import { PATHS } from '../addresses.ts'
import type { createAccountComponent } from './account-component.ts'
import { page } from './page.ts'

export const createAccountPage = (account: ReturnType<typeof createAccountComponent>) =>
  page(PATHS.account, {
    name: 'account',
    components: ({ session }) => ({ account: account.with({ session: session.id }) }),
    title: ({ language }) => messagesFor(language).titles.account,
  })
