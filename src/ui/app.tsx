/** The application: draws the page that the server sent, inside the shell if there is one. */

import { createElement } from 'react'
import type { PageMessages } from '../messages/messages.ts'
import { useMove, usePage } from '../react/use-component.ts'
import { Arrival, ProgressBar } from './navigation/arrival.tsx'
import type { PageViews } from './pages/page-views.ts'
import { Boundary } from './parts/boundary.tsx'
import { MessagesContext } from './parts/use-messages.ts'
import { Shell } from './shell/shell.tsx'

export type AppProps = {
  /** The messages in the page's language. */
  messages: PageMessages
  /** What draws each page. */
  views: PageViews
}

export function App({ messages, views }: AppProps) {
  const { shell, content } = usePage()
  const { visit } = useMove()
  const view = views.get(content.page)
  if (!view) throw new Error(`No page is called [${content.page}] in tablewire.client.tsx.`)
  // Each visit draws its page afresh, so that two lists share no state.
  const page = (
    <Boundary key={visit} of={content} isPage>
      {createElement(view, content)}
    </Boundary>
  )
  return (
    <MessagesContext value={messages}>
      {shell === null ? (
        page
      ) : (
        <Shell shell={shell}>
          <ProgressBar />
          {page}
        </Shell>
      )}
      <Arrival />
    </MessagesContext>
  )
}
