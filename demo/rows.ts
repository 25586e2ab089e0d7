/** The form in which rows are made before they are written. */

/** One row, keyed by its columns. */
export type Row = Record<string, string | number | null>

/** The rows of one table. */
export type Table = { name: string; rows: readonly Row[] }

/** Where the id of a row is found by the word that the source files use for it. */
export type Ids = ReadonlyMap<string, number>

/** The id behind a word that must be known; throws when a source file has a word that is new. */
export function idOf(ids: Ids, word: string): number {
  const id = ids.get(word)
  if (id === undefined) throw new Error(`The demo does not know “${word}”`)
  return id
}

/** Compares texts by their code units, the same on every machine. */
export function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
