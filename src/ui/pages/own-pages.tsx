/** The admin's own pages, defined as you define yours. */

import type { ErrorView, LinkView, SignInView } from '../../protocol/admin-view.ts'
import { defineClient } from '../define-client.ts'
import { ListPage } from '../list/list-page.tsx'
import { AccountPage } from './account-page.tsx'
import { ErrorPage } from './error-page.tsx'
import { LinkPage } from './link-page.tsx'
import { NoTablesPage } from './no-tables-page.tsx'
import { RecordPage } from './record-page.tsx'
import { SignInPage } from './sign-in-page.tsx'

type With<Slot extends string> = { components: { [slot in Slot]: string } }

type About<Data> = { data: Data }

export const ownClient = defineClient({
  pages: {
    list: ({ components: { list } }: With<'list'>) => <ListPage key={list} component={list} />,
    record: ({ components: { record } }: With<'record'>) => <RecordPage component={record} />,
    account: ({ components: { account } }: With<'account'>) => <AccountPage component={account} />,
    'sign-in': ({ data }: About<SignInView>) => <SignInPage {...data} />,
    link: ({ data }: About<LinkView>) => <LinkPage {...data} />,
    'no-tables': () => <NoTablesPage />,
    error: ({ data }: About<ErrorView>) => <ErrorPage {...data} />,
  },
})
