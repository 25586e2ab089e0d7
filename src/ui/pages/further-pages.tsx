/** The admin's other pages: the browser loads them before it shows one of them. */

import type { PostedForm } from '../../protocol/form-view.ts'
import type { PeopleWords } from '../people/people-words.ts'
import type { RolesWords } from '../people/roles-words.ts'
import type { RolesView } from '../../protocol/roles-view.ts'
import type { ErrorView, LinkView, NoTablesView } from '../../protocol/admin-view.ts'
import { defineClient } from '../define-client.ts'
import { type CorrectionsData, CorrectionsPage } from './corrections-page.tsx'
import { ErrorPage } from './error-page.tsx'
import { HistoryPage } from './history-page.tsx'
import { LinkPage } from './link-page.tsx'
import { NewRecordPage } from './new-record-page.tsx'
import { NoTablesPage } from './no-tables-page.tsx'
import { PeoplePage } from './people-page.tsx'
import { RecordPage } from './record-page.tsx'
import { RolesPage } from './roles-page.tsx'
import { type SignInData, SignInPage } from './sign-in-page.tsx'
import { type YouData, YouPage } from './you-page.tsx'

type With<Slot extends string> = { components: { [slot in Slot]: string } }

type Maybe<Slot extends string> = { components: { [slot in Slot]?: string } }

type About<Data> = { data: Data }

export const furtherPages = defineClient({
  pages: {
    record: ({
      components: { record, form, history },
      data,
    }: With<'record'> & Maybe<'form' | 'history'> & About<PostedForm | null>) => (
      <RecordPage component={record} form={form} history={history} posted={data} />
    ),
    'new-record': ({ components: { form }, data }: With<'form'> & About<PostedForm | null>) => (
      <NewRecordPage form={form} posted={data} />
    ),
    history: ({ components: { history }, data }: With<'history'> & About<string | null>) => (
      <HistoryPage component={history} undo={data} />
    ),
    corrections: ({ data }: About<CorrectionsData>) => <CorrectionsPage {...data} />,
    roles: ({ data }: About<{ view: RolesView; words: RolesWords }>) => <RolesPage {...data} />,
    people: ({ components: { people }, data }: With<'people'> & About<PeopleWords>) => (
      <PeoplePage component={people} words={data} />
    ),
    you: ({ data }: About<YouData>) => <YouPage {...data} />,
    'sign-in': ({ data }: About<SignInData>) => <SignInPage {...data} />,
    link: ({ data }: About<LinkView>) => <LinkPage {...data} />,
    'no-tables': ({ data }: About<NoTablesView>) => <NoTablesPage why={data} />,
    error: ({ data }: About<ErrorView>) => <ErrorPage {...data} />,
  },
})
