/** Hydrates the page that the server drew. */

import { hydrateRoot } from 'react-dom/client'
import { createRuntime } from '../client/create-runtime.ts'
import type { PageMessages } from '../messages/messages.ts'
import type { PageData } from '../protocol/page.ts'
import { ZONE_COOKIE } from '../protocol/wire.ts'
import { RuntimeProvider } from '../react/runtime-context.tsx'
import { App } from './app.tsx'
import type { ClientDefinition } from './define-client.ts'
import { KindsProvider } from './kinds/kinds-context.tsx'
import { pageViews } from './pages/page-views.ts'

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
  const page = JSON.parse(byId('tablewire-page').textContent ?? '') as PageData
  const load = languages[page.language]
  if (!load) throw new Error(`There are no messages in the language [${page.language}].`)
  const messages = await load()
  hydrateRoot(
    byId('app'),
    <RuntimeProvider runtime={createRuntime(page)}>
      <KindsProvider kinds={client.kinds ?? {}}>
        <App messages={messages} views={pageViews(client)} />
      </KindsProvider>
    </RuntimeProvider>,
    { onRecoverableError: (error) => console.error(error) },
  )
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The document has no element [${id}].`)
  return element
}
