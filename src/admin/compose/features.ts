/** The other origins that an admin loads from, for the content security policy of its pages. */

import type { Feature } from '../../server/http/sources.ts'
import type { Catalog } from '../../table/catalog.ts'
import { kindOf } from '../../table/definition/kinds.ts'
import type { Page } from '../pages/page.ts'

/** Columns of pictures may hold any web address; the tables have to be read to know of them. */
const pictures = (catalog: () => Catalog): Feature => ({
  sources: { img: ['https:', 'http:'] },
  isUsed: () =>
    [...catalog().definitions.values()].some(({ columns }) =>
      [...columns.values()].some((column) => kindOf(column).showsPictures && !column.hidden),
    ),
})

/**
 * A document outlives the page that it was loaded for, because the client fetches the next pages in
 * place; so every document may load what any page needs.
 */
const pageSources = ({ sources }: Page): Feature => ({ sources, isUsed: () => true })

export const featuresOf = (catalog: () => Catalog, pages: readonly Page[]): readonly Feature[] => [
  pictures(catalog),
  ...pages.map(pageSources),
]
