/** The browser's half of an application: what its pages and its kinds of columns look like. */

import type { ComponentType } from 'react'
import type { ClientKinds } from './kinds/client-kind.ts'

/** A React component that draws a page. `PageProps` says what it is given. */
export type PageView = ComponentType<never>

/** What a person adds to the admin in the browser; it draws on the server as well. */
export type ClientDefinition = {
  /** Pages by the path, or the name, that their definition on the server has. */
  readonly pages?: { readonly [name: string]: PageView }
  /** Kinds of columns by the name that their definition on the server has. */
  readonly kinds?: ClientKinds
}

/**
 * The browser's half, for `export default` in `tablewire.client.tsx`. `tablewire build` makes what
 * browsers load of it, and what the server draws with.
 *
 * @example
 * export default defineClient({ pages: { '/tally': TallyPage }, kinds: { rating } })
 */
export const defineClient = (client: ClientDefinition): ClientDefinition => client
