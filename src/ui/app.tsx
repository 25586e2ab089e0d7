/** The application: the page that the server chose, inside the shell where there is one. */

import type { PageMessages } from '../messages/messages.ts'
import type { PageContent } from '../protocol/page.ts'
import { usePage } from '../react/use-component.ts'
import { ListPage } from './list/list-page.tsx'
import { AccountPage } from './pages/account-page.tsx'
import { ErrorPage } from './pages/error-page.tsx'
import { LinkPage } from './pages/link-page.tsx'
import { NoTablesPage } from './pages/no-tables-page.tsx'
import { RecordPage } from './pages/record-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { MessagesContext } from './parts/use-messages.ts'
import { Shell } from './shell/shell.tsx'

/** `messages`: those of the page's language. */
export function App({ messages }: { messages: PageMessages }) {
  const { shell, content } = usePage()
  const page = <Content content={content} />
  return (
    <MessagesContext value={messages}>
      {shell === null ? page : <Shell shell={shell}>{page}</Shell>}
    </MessagesContext>
  )
}

function Content({ content }: { content: PageContent }) {
  switch (content.page) {
    case 'list':
      return <ListPage key={content.component} component={content.component} />
    case 'record':
      return <RecordPage component={content.component} />
    case 'account':
      return <AccountPage component={content.component} />
    case 'sign-in':
      return <SignInPage {...content} />
    case 'link':
      return <LinkPage {...content} />
    case 'no-tables':
      return <NoTablesPage />
    case 'error':
      return <ErrorPage {...content} />
  }
}
