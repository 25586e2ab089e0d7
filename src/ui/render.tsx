/** Draws a page on the server; built to `dist/ui/render.js`, the `#render` of the package. */

import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticRuntime } from '../client/static-runtime.ts'
import { messagesFor } from '../messages/messages.ts'
import type { PageData } from '../protocol/page.ts'
import { RuntimeProvider } from '../react/runtime-context.tsx'
import { App } from './app.tsx'
import type { ClientKinds } from './kinds/client-kind.ts'
import { KindsProvider } from './kinds/kinds-context.tsx'
import { createRowMarkup } from './list/row-markup.tsx'
import { RowMarkupContext } from './list/row-markup-context.ts'
import { MessagesContext } from './parts/use-messages.ts'

/** What pages are drawn with beside what Tablewire brings along. */
export type RenderOptions = {
  /** Browser halves of kinds of columns, by name. Default: none. */
  readonly kinds?: ClientKinds
}

/** Makes what draws the inside of `<div id="app">` for a page; made once, for its templates' sake. */
export function createRender({ kinds = {} }: RenderOptions = {}): (page: PageData) => string {
  const drawRows = createRowMarkup((element, messages) =>
    renderToString(<MessagesContext value={messages}>{element}</MessagesContext>),
  )
  return (page) => {
    const runtime = createStaticRuntime(page)
    const surround = (element: ReactElement) => (
      <RuntimeProvider runtime={runtime}>
        <KindsProvider kinds={kinds}>{element}</KindsProvider>
      </RuntimeProvider>
    )
    return renderToString(
      surround(
        <RowMarkupContext
          value={(columns, view, messages) => drawRows(columns, view, messages, surround)}
        >
          <App messages={messagesFor(page.language)} />
        </RowMarkupContext>,
      ),
    )
  }
}

/** The inside of `<div id="app">` for a page, without anything of one's own. */
export const render = createRender()
