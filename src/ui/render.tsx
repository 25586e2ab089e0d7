/** Draws pages on the server; built to `dist/ui/render.js`, the `#render` of the package. */

import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticRuntime } from '../client/static-runtime.ts'
import { messagesFor, type PageMessages } from '../messages/messages.ts'
import type { PageData } from '../protocol/page.ts'
import { RuntimeProvider } from '../react/runtime-context.tsx'
import { App } from './app.tsx'
import type { ClientDefinition } from './define-client.ts'
import { FormPartsContext } from './filters/form-context.ts'
import { FormFilter } from './filters/form-fields.tsx'
import { FormBuilder } from './filters/form-groups.tsx'
import { KindsProvider } from './kinds/kinds-context.tsx'
import { RulesContext } from './list/column-tracks.ts'
import { createRowMarkup } from './list/row-markup.tsx'
import { RowMarkupContext } from './list/row-markup-context.ts'
import { furtherPages } from './pages/further-pages.tsx'
import { filterPanel } from './list/filters-region.tsx'
import { listPages } from './pages/list-pages.tsx'
import { pageViews } from './pages/page-views.ts'
import { keepMarkup, KeptMarkupContext } from './parts/kept-markup.ts'
import { MessagesContext } from './parts/use-messages.ts'

/** Parts whose HTML is kept for each language, of some kB each. */
const KEPT_PARTS = 500

/** Draws pages, and names those that it can draw. */
export type PageRenderer = {
  /** The inside of `<div id="app">` for a page; `rules` takes the CSS rules that go with it. */
  render(page: PageData, rules?: string[]): string
  readonly pages: readonly string[]
  /** Names of the pages and kinds that the client adds. */
  readonly added: { readonly pages: readonly string[]; readonly kinds: readonly string[] }
}

/**
 * Makes a renderer of the admin's own pages and kinds of columns, and those that `client` adds. Make
 * it once: it caches templates.
 */
export function createRenderer(client: ClientDefinition = {}): PageRenderer {
  const own = { pages: { ...listPages.pages, ...furtherPages.pages } }
  const views = pageViews(client, own)
  const { kinds = {} } = client
  const drawAlone = (element: ReactElement, messages: PageMessages) =>
    renderToString(<MessagesContext value={messages}>{element}</MessagesContext>)
  const drawRows = createRowMarkup(drawAlone)
  const kept = keepMarkup(drawAlone, KEPT_PARTS)
  return {
    render(page, rules = []) {
      const runtime = createStaticRuntime(page)
      const withProviders = (element: ReactElement) => (
        <RuntimeProvider runtime={runtime}>
          <KindsProvider kinds={kinds}>{element}</KindsProvider>
        </RuntimeProvider>
      )
      return renderToString(
        withProviders(
          <RowMarkupContext
            value={(columns, view, messages) => drawRows(columns, view, messages, withProviders)}
          >
            <RulesContext value={rules}>
              <KeptMarkupContext value={kept}>
                <FormPartsContext value={{ Filter: FormFilter, Builder: FormBuilder }}>
                  <App messages={messagesFor(page.language)} views={views} />
                </FormPartsContext>
              </KeptMarkupContext>
            </RulesContext>
          </RowMarkupContext>,
        ),
      )
    },
    pages: [...views.keys()],
    added: { pages: Object.keys(client.pages ?? {}), kinds: Object.keys(kinds) },
  }
}

// Panels that a page shows open are drawn with it.
await filterPanel.load()

export const { render, pages, added } = createRenderer()
