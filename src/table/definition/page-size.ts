/** How many rows a page may have. */

/** Sizes that may be chosen; the first is the default. */
export const PAGE_SIZES = [25, 50, 100] as const

export type PageSize = (typeof PAGE_SIZES)[number]
