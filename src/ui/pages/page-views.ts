/** The browser's registry of pages: the admin's own, and those that a person adds. */

import type { ComponentType } from 'react'
import type { PageContent } from '../../protocol/page.ts'
import type { ClientDefinition } from '../define-client.ts'
import { ownClient } from './own-pages.tsx'

/** What draws each page, by the name that its definition on the server has. */
export type PageViews = ReadonlyMap<string, ComponentType<PageContent>>

/** Nobody's page takes the place of one of the admin's own. */
export function pageViews(client: ClientDefinition = {}): PageViews {
  const views: ReadonlyMap<string, unknown> = new Map(
    Object.entries({ ...client.pages, ...ownClient.pages }),
  )
  // A page's definition on the server says what its view is given; the name is what links the two.
  return views as PageViews
}
