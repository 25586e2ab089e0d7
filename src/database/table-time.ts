/** Time limits that grow with the size of a table, within bounds. */

/** In ms: the time for a million rows, and the bounds. */
export type TableTime = {
  readonly aMillion: number
  readonly least: number
  readonly most: number
}

/** `rows` is the estimated number of rows; `null` if unknown. */
export const timeFor = (rows: number | null, { aMillion, least, most }: TableTime): number =>
  Math.min(Math.max(((rows ?? 0) / 1e6) * aMillion, least), most)
