/** The application: the page that the server chose, inside the shell where there is one. */

import type { PageContent } from '../protocol/page.ts'
import { usePage } from '../react/use-component.ts'
import { ListPage } from './list/list-page.tsx'
import { AccountPage } from './pages/account-page.tsx'
import { ErrorPage } from './pages/error-page.tsx'
import { LinkPage } from './pages/link-page.tsx'
import { NoTablesPage } from './pages/no-tables-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { Shell } from './shell/shell.tsx'

export function App() {
  const { shell, content } = usePage()
  if (shell === null) return <Content content={content} />
  return (
    <Shell shell={shell}>
      <Content content={content} />
    </Shell>
  )
}

function Content({ content }: { content: PageContent }) {
  switch (content.page) {
    case 'list':
      return <ListPage key={content.component} component={content.component} />
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
