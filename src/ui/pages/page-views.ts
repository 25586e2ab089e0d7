/** The browser's registry of pages: the admin's own and yours. */

import type { ComponentType } from 'react'
import type { PageContent } from '../../protocol/page.ts'
import type { ClientDefinition } from '../define-client.ts'
import { ownClient } from './own-pages.tsx'

/** The components that draw pages, by the name of the page's definition on the server. */
export type PageViews = ReadonlyMap<string, ComponentType<PageContent>>

/** Your pages cannot replace the admin's own. */
export function pageViews(client: ClientDefinition = {}): PageViews {
  const views: ReadonlyMap<string, unknown> = new Map(
    Object.entries({ ...client.pages, ...ownClient.pages }),
  )
  // The page's definition on the server types the view's props; only the name links the two.
  return views as PageViews
}
