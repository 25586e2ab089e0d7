/** What parts of an admin load from elsewhere, and when they do: the content policy of its pages. */

import type { Feature } from '../../server/http/sources.ts'
import type { Catalog } from '../../table/catalog.ts'
import { kindOf } from '../../table/definition/kinds.ts'
import type { Page } from '../pages/page.ts'

/** Columns of pictures lead anywhere on the web, and are known once a table has been described. */
const pictures = (catalog: () => Catalog): Feature => ({
  sources: { img: ['https:', 'http:'] },
  isUsed: () =>
    [...catalog().definitions.values()].some(({ columns }) =>
      [...columns.values()].some((column) => kindOf(column).showsPictures && !column.hidden),
    ),
})

/**
 * A document outlives the page that it was loaded with, since others are fetched in place; so what
 * one page needs, every document may load.
 */
const pageSources = ({ sources }: Page): Feature => ({ sources, isUsed: () => true })

export const featuresOf = (catalog: () => Catalog, pages: readonly Page[]): readonly Feature[] => [
  pictures(catalog),
  ...pages.map(pageSources),
]
