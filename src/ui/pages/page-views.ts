/** The browser's registry of pages: the admin's own and yours. */

import type { ComponentType } from 'react'
import type { PageContent } from '../../protocol/page.ts'
import type { ClientDefinition } from '../define-client.ts'
import { framed } from './page-frame.tsx'

/** The components that draw pages, by the name of the page's definition on the server. */
type PageView = ComponentType<PageContent>

export type PageViews = ReadonlyMap<string, PageView>

/** Your pages cannot replace the admin's own. They stand in a frame, which gives them their padding. */
export const pageViews = (client: ClientDefinition, own: ClientDefinition): Map<string, PageView> =>
  new Map([
    ...viewsOf(client).map(([name, view]) => [name, framed(view)] as const),
    ...viewsOf(own),
  ])

export const viewsOf = ({ pages = {} }: ClientDefinition) =>
  // The page's definition on the server types the view's props; only the name links the two.
  Object.entries(pages) as [string, PageView][]
