/** Sections of a row in two columns, where there is room for them. */

/**
 * Splits the sections where both columns become about equally high, so that one high section leaves no hole beside it.
 * They stay in their order: the first column ends where the second one goes on.
 */
export function inColumns<Section>(
  sections: readonly Section[],
  heightOf: (section: Section) => number,
): Section[][] {
  const heights = sections.map(heightOf)
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0)
  /** The height of the higher column, where the first one has so many sections. */
  const height = (first: number) =>
    Math.max(sum(heights.slice(0, first)), sum(heights.slice(first)))
  const splits = heights.map((_, at) => at).slice(1)
  if (splits.length === 0) return [[...sections]]
  const best = splits.reduce((best, first) => (height(first) < height(best) ? first : best))
  return [sections.slice(0, best), sections.slice(best)]
}

/** Heights in lines of one field, about. */
export const HEAD_LINES = 2
export const LONG_LINES = 4
