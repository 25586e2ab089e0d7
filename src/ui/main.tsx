/** The browser's entry: takes the page that the server drew and brings it to life. */

import { hydrateRoot } from 'react-dom/client'
import { createRuntime } from '../client/create-runtime.ts'
import type { PageData } from '../protocol/page.ts'
import { RuntimeProvider } from '../react/runtime-context.tsx'
import { App } from './app.tsx'
import './styles/main.css'

const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The document has no element [${id}].`)
  return element
}

const page = JSON.parse(byId('tablewire-page').textContent ?? '') as PageData

hydrateRoot(
  byId('app'),
  <RuntimeProvider runtime={createRuntime(page)}>
    <App />
  </RuntimeProvider>,
  { onRecoverableError: (error) => console.error(error) },
)
