/** The application: draws the page that the server sent, inside the shell if there is one. */

import { createElement } from 'react'
import type { PageMessages } from '../messages/messages.ts'
import { usePage } from '../react/use-component.ts'
import { type PageViews, pageViews } from './pages/page-views.ts'
import { MessagesContext } from './parts/use-messages.ts'
import { Shell } from './shell/shell.tsx'

export type AppProps = {
  /** The messages in the page's language. */
  messages: PageMessages
  /** What draws each page. Default: the admin's own pages alone. */
  views?: PageViews
}

export function App({ messages, views = OWN_VIEWS }: AppProps) {
  const { shell, content } = usePage()
  const view = views.get(content.page)
  if (!view) throw new Error(`No page is called [${content.page}] in tablewire.client.tsx.`)
  const page = createElement(view, { key: content.page, ...content })
  return (
    <MessagesContext value={messages}>
      {shell === null ? page : <Shell shell={shell}>{page}</Shell>}
    </MessagesContext>
  )
}

const OWN_VIEWS = pageViews()
