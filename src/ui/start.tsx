/** Hydrates the page that the server drew. */

import { type ReactNode, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createRuntime } from '../client/create-runtime.ts'
import { parseSnapshot } from '../client/parse-snapshot.ts'
import type { PageMessages } from '../messages/messages.ts'
import type { PageData } from '../protocol/page.ts'
import { ZONE_COOKIE } from '../protocol/wire.ts'
import { RuntimeProvider } from '../react/runtime-context.tsx'
import { App } from './app.tsx'
import type { ClientDefinition } from './define-client.ts'
import { playEarlyKeys } from './early-keys.ts'
import { loadOnce, loadOnFirstMove } from './load-once.ts'
import { filterPanel, PANEL_STATE } from './list/filters-region.tsx'
import { KindsProvider } from './kinds/kinds-context.tsx'
import { listPages } from './pages/list-pages.tsx'
import { pageViews, viewsOf } from './pages/page-views.ts'
import { failureDialogs } from './parts/failures.tsx'

const further = loadOnce(() => import('./pages/further-pages.tsx'))

export type StartOptions = {
  /** Loads the messages of a language; the browser needs those of one language only. */
  readonly languages: { readonly [language: string]: () => Promise<PageMessages> }
  /** Your additions. Default: none. */
  readonly client?: ClientDefinition
}

export async function start({ languages, client = {} }: StartOptions): Promise<void> {
  // The server draws pages in the reader's zone, which only this cookie can tell it.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  document.cookie = `${ZONE_COOKIE}=${timeZone}; path=/; max-age=31536000; samesite=lax`
  // The server wrote it into the page.
  const page = JSON.parse(byId('tablewire-page').textContent ?? '') as PageData
  const load = languages[page.language]
  if (!load) throw new Error(`There are no messages in the language [${page.language}].`)
  const views = pageViews(client, listPages)
  /** Loads what draws a page, if that is still missing. */
  const prepare = (next: PageData): Promise<void> | undefined => {
    if (hasOpenFilters(next) && !filterPanel.now()) return filterPanel.load().then(() => undefined)
    if (views.has(next.content.page)) return undefined
    return further.load().then(({ furtherPages }) => {
      for (const [name, view] of viewsOf(furtherPages)) views.set(name, view)
    })
  }
  const [messages] = await Promise.all([load(), prepare(page)])
  hydrateRoot(
    byId('app'),
    <Hydrated>
      <RuntimeProvider runtime={createRuntime(page, undefined, { prepare })}>
        <KindsProvider kinds={client.kinds ?? {}}>
          <App messages={messages} views={views} />
        </KindsProvider>
      </RuntimeProvider>
    </Hydrated>,
    { onRecoverableError: (error) => console.error(error) },
  )
}

/** Plays the keys that were pressed too early, once everything below listens. */
function Hydrated({ children }: { children: ReactNode }) {
  useEffect(() => {
    // Not during an effect: React would not draw between one key and the next.
    const timer = setTimeout(() => void playEarlyKeys())
    loadOnFirstMove([further, failureDialogs])
    return () => clearTimeout(timer)
  }, [])
  return children
}

/** Whether the server has drawn a panel of filters, so that hydrating the page takes its script. */
const hasOpenFilters = ({ components }: PageData): boolean =>
  components.some(({ snapshot }) => parseSnapshot(snapshot).data[PANEL_STATE] === true)

function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The document has no element [${id}].`)
  return element
}
