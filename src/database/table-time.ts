/** Times that grow with a table: longer than what is worth it for a small one, never without end. */

/** In ms: for a million rows, and the bounds. */
export type TableTime = {
  readonly aMillion: number
  readonly least: number
  readonly most: number
}

/** `rows`: as many as the table is thought to have; `null` where nobody knows. */
export const timeFor = (rows: number | null, { aMillion, least, most }: TableTime): number =>
  Math.min(Math.max(((rows ?? 0) / 1e6) * aMillion, least), most)
