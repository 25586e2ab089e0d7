/** Draws a page on the server; built to `dist/ui/render.js`, the `#render` of the package. */

import { renderToString } from 'react-dom/server'
import { createStaticRuntime } from '../client/static-runtime.ts'
import { messagesFor } from '../messages/messages.ts'
import type { PageData } from '../protocol/page.ts'
import { RuntimeProvider } from '../react/runtime-context.tsx'
import { App } from './app.tsx'
import { createRowMarkup } from './list/row-markup.tsx'
import { RowMarkupContext } from './list/row-markup-context.ts'
import { MessagesContext } from './parts/use-messages.ts'

/** The inside of `<div id="app">` for a page. */
export const render = (page: PageData): string =>
  renderToString(
    <RuntimeProvider runtime={createStaticRuntime(page)}>
      <RowMarkupContext value={rowMarkup}>
        <App messages={messagesFor(page.language)} />
      </RowMarkupContext>
    </RuntimeProvider>,
  )

const rowMarkup = createRowMarkup((element, messages) =>
  renderToString(<MessagesContext value={messages}>{element}</MessagesContext>),
)
