/** The admin's other pages: the browser loads them before it shows one of them. */

import type { ErrorView, LinkView, SignInView } from '../../protocol/admin-view.ts'
import { defineClient } from '../define-client.ts'
import { AccountPage } from './account-page.tsx'
import { ErrorPage } from './error-page.tsx'
import { LinkPage } from './link-page.tsx'
import { NoTablesPage } from './no-tables-page.tsx'
import { RecordPage } from './record-page.tsx'
import { SignInPage } from './sign-in-page.tsx'

type With<Slot extends string> = { components: { [slot in Slot]: string } }

type About<Data> = { data: Data }

export const furtherPages = defineClient({
  pages: {
    record: ({ components: { record } }: With<'record'>) => <RecordPage component={record} />,
    account: ({ components: { account } }: With<'account'>) => <AccountPage component={account} />,
    'sign-in': ({ data }: About<SignInView>) => <SignInPage {...data} />,
    link: ({ data }: About<LinkView>) => <LinkPage {...data} />,
    'no-tables': () => <NoTablesPage />,
    error: ({ data }: About<ErrorView>) => <ErrorPage {...data} />,
  },
})
