/** What two people who edit one row must be told, and what the row must hold afterwards. */

import { isDeepStrictEqual } from 'node:util'
import type { SaveResult } from '../../src/protocol/form-view.ts'
import type { Edits, Texts } from '../../src/ui/record/edits.ts'

/** What a field holds, and who has written it last; `null` for somebody past Tablewire. */
export type Held = { readonly text: string | null; readonly by: string | null }

export type HeldRow = ReadonlyMap<string, Held>

export type Asked = { readonly by: string; readonly edits: Edits }

/** The fields that somebody else has changed since, to something else: what they hold, and whose it is. */
export const clashesOf = (row: HeldRow, { texts, seen }: Edits) =>
  Object.entries(texts).flatMap(([column, text]) => {
    const held = row.get(column)
    const isClash = held && held.text !== seen[column] && held.text !== text
    return isClash ? [{ column, theirs: held.text, by: held.by }] : []
  })

/** The row once all of it is saved. What somebody writes again stays its author's. */
export function savedInto(row: HeldRow, { by, edits }: Asked): HeldRow {
  const written = Object.entries(edits.texts).flatMap(([column, text]): [string, Held][] =>
    row.get(column)?.text === text ? [] : [[column, { text, by }]],
  )
  return new Map([...row, ...written])
}

/** What is wrong with an answer, if the row was one of these when it was given. */
export function wrongAnswer(
  rows: readonly HeldRow[],
  { by, edits }: Asked,
  result: SaveResult,
): string[] {
  const wanted = rows.map((row) => clashesOf(row, edits))
  const said = result.status === 'saved' ? [] : result.conflicts
  const told = said.map(({ column, theirs, who }) => ({ column, theirs, by: authorIn(who) }))
  const isRight =
    result.status === 'saved'
      ? wanted.some((clashes) => clashes.length === 0)
      : Object.keys(result.errors).length === 0 &&
        wanted.some((clashes) => clashes.length > 0 && isDeepStrictEqual(clashes, told))
  const [wants, got] = [JSON.stringify(wanted), JSON.stringify({ ...result, told })]
  return isRight ? [] : [`${by} saved ${JSON.stringify(edits)}: wanted ${wants}, got ${got}`]
}

/** Whom a sentence names. */
function authorIn(who: string | null): string | null | undefined {
  if (who === 'This was changed outside Tablewire.') return null
  return /^(?<name>\w+) changed this, /.exec(who ?? '')?.groups?.['name']
}

/** The fields that hold something else than was saved last. */
export const lostIn = (row: HeldRow, stored: Texts): string[] =>
  [...row].flatMap(([column, { text }]) =>
    stored[column] === text
      ? []
      : [`${column} holds ${JSON.stringify(stored[column])}, not ${JSON.stringify(text)}`],
  )
