/** Which rows of a list are selected: as state, on the wire, and as sets of keys. */

/**
 * Keys of rows as in `data-row-key`, or all rows that match, but for those keys. The keys are distinct.
 */
export type Selected = string[] | { except: string[] }

/** Most keys of a selection, in either form. */
export const SELECTED_MAX = 1000

/** Most characters of these keys together; of very long keys there are fewer. */
export const SELECTED_LENGTH_MAX = 90_000

export const NONE_SELECTED: Selected = []
export const ALL_SELECTED: Selected = { except: [] }

/** The keys that a selection names: those of its rows, or of the rows that it leaves out. */
export const keysOf = (selected: Selected): readonly string[] =>
  Array.isArray(selected) ? selected : selected.except

/** Whether no row is selected, however many there are. */
export const isNone = (selected: Selected): boolean =>
  Array.isArray(selected) && selected.length === 0

/** Tells of each key whether its row is selected. */
export function selectedIn(selected: Selected): (key: string) => boolean {
  const keys = new Set(keysOf(selected))
  const isIn = Array.isArray(selected)
  return (key) => keys.has(key) === isIn
}

/** The selection with these rows added, or without them; `null` if it would name too many keys. */
export function withRows(
  selected: Selected,
  rows: readonly string[],
  isAdded: boolean,
): Selected | null {
  const keys = new Set(keysOf(selected))
  const isNamed = isAdded === Array.isArray(selected)
  for (const row of rows)
    if (isNamed) keys.add(row)
    else keys.delete(row)
  const next = [...keys]
  if (isNamed && !fits(next)) return null
  return Array.isArray(selected) ? next : { except: next }
}

/** Whether a selection may name so many keys. */
export const fits = (keys: readonly string[]): boolean =>
  keys.length <= SELECTED_MAX &&
  keys.reduce((length, key) => length + key.length, 0) <= SELECTED_LENGTH_MAX
