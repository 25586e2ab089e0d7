/** The browser's half of an application: what its pages and its kinds of columns look like. */

import type { ComponentType } from 'react'
import type { ClientKinds } from './kinds/client-kind.ts'

/** A React component that draws a page; its props are `PageProps`. */
export type PageView = ComponentType<never>

/** What you add to the admin in the browser; the server draws with it as well. */
export type ClientDefinition = {
  /** Pages by the name of their definition on the server; by default, its path. */
  readonly pages?: { readonly [name: string]: PageView }
  /** Kinds of columns by the name of their definition on the server. */
  readonly kinds?: ClientKinds
}

/**
 * The browser's half, for `export default` in `tablewire.client.tsx`. `tablewire build` makes two
 * things of it: the files that browsers load, and the module that the server draws with.
 *
 * @example
 * export default defineClient({ pages: { '/tally': TallyPage }, kinds: { rating } })
 */
export const defineClient = (client: ClientDefinition): ClientDefinition => client
