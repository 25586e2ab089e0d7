/** Rows before they are written. */

/** One row, keyed by its columns. */
export type Row = Record<string, string | number | null>

/** The rows of one table. */
export type Table = { name: string; rows: readonly Row[] }

/** Row ids by the source files' names for the rows. */
export type Ids = ReadonlyMap<string, number>

/** The id for a name; throws if a source file has an unknown name. */
export function idOf(ids: Ids, word: string): number {
  const id = ids.get(word)
  if (id === undefined) throw new Error(`The demo does not know “${word}”`)
  return id
}

/** Compares texts by their code units, the same on every machine. */
export function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
