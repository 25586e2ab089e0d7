/** The entry of the package's own browser build: the admin without additions. */

import type { PageMessages } from '../messages/messages.ts'
import { start } from './start.tsx'
import './styles/main.css'

/** Each language is a file of its own. */
const files = import.meta.glob<PageMessages>(
  ['../messages/*.ts', '!../messages/{messages,*.test}.ts'],
  {
    import: 'pages',
  },
)
const languageOf = (path: string) => path.slice('../messages/'.length, -'.ts'.length)

// Not awaited: what is loaded later imports this file, and would wait for it in turn.
void start({
  languages: Object.fromEntries(
    Object.entries(files).map(([path, load]) => [languageOf(path), load]),
  ),
})
