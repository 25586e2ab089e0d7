/** The browser's entry: takes the page that the server drew and brings it to life. */

import { hydrateRoot } from 'react-dom/client'
import { createRuntime } from '../client/create-runtime.ts'
import type { PageMessages } from '../messages/messages.ts'
import type { PageData } from '../protocol/page.ts'
import { ZONE_COOKIE } from '../protocol/wire.ts'
import { RuntimeProvider } from '../react/runtime-context.tsx'
import { App } from './app.tsx'
import './styles/main.css'

const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The document has no element [${id}].`)
  return element
}

// Pages are drawn where the reader's zone is not known otherwise.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
document.cookie = `${ZONE_COOKIE}=${timeZone}; path=/; max-age=31536000; samesite=lax`

const page = JSON.parse(byId('tablewire-page').textContent ?? '') as PageData

/** Each language is a file of its own, of which the browser needs one, and that only in part. */
const languages = import.meta.glob<PageMessages>(['../messages/*.ts', '!../messages/messages.ts'], {
  import: 'pages',
})
const messages = await languages[`../messages/${page.language}.ts`]!()

hydrateRoot(
  byId('app'),
  <RuntimeProvider runtime={createRuntime(page)}>
    <App messages={messages} />
  </RuntimeProvider>,
  { onRecoverableError: (error) => console.error(error) },
)
