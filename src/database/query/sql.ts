/** SQL as fragments: the only place where text and values become a statement. */

import type { Value } from '../../table/source/value.ts'
import type { Notation } from '../dialect.ts'

/** A piece of SQL. Names and values are never concatenated into its text. */
export type Sql =
  | { readonly texts: readonly string[]; readonly parts: readonly Sql[] }
  | { readonly list: readonly Sql[]; readonly separator: string }
  | { readonly name: string }
  | { readonly bind: Value }

/** A statement ready to be prepared: its text depends on the query's shape alone. */
export type Statement = { readonly text: string; readonly binds: readonly Value[] }

/** A template whose interpolations are fragments. */
export const sql = (texts: TemplateStringsArray, ...parts: readonly Sql[]): Sql => ({
  texts,
  parts,
})

/** The name of a table or column, quoted by the notation. */
export const name = (text: string): Sql => ({ name: text })

/** A value, which is sent separately from the text. */
export const bind = (value: Value): Sql => ({ bind: value })

/** A whole number in the statement's text: only numbers of our own, never user input. */
export function whole(number: number): Sql {
  if (!Number.isSafeInteger(number)) throw new TypeError(`[${number}] is not a whole number.`)
  return { texts: [String(number)], parts: [] }
}

/** Fragments with a separator between them. */
export const join = (list: readonly Sql[], separator = ', '): Sql => ({ list, separator })

/** All of the conditions; an empty list matches every row. */
export const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`1 = 1` : join(conditions, ' and ')

/** Renders a fragment for an engine. */
export function render(fragment: Sql, notation: Notation): Statement {
  const binds: Value[] = []
  return { text: write(fragment, notation, binds), binds }
}

function write(fragment: Sql, notation: Notation, binds: Value[]): string {
  if ('texts' in fragment) return writeTemplate(fragment, notation, binds)
  if ('list' in fragment) return writeList(fragment, notation, binds)
  if ('name' in fragment) return notation.quote(fragment.name)
  return notation.placeholder(binds.push(scalar(fragment.bind)))
}

function writeTemplate(
  { texts, parts }: Extract<Sql, { texts: unknown }>,
  notation: Notation,
  binds: Value[],
): string {
  let text = texts[0] ?? ''
  let i = 0
  for (const part of parts) text += write(part, notation, binds) + texts[++i]
  return text
}

function writeList(
  { list, separator }: Extract<Sql, { list: unknown }>,
  notation: Notation,
  binds: Value[],
): string {
  let [text, between] = ['', '']
  for (const part of list) {
    text += between + write(part, notation, binds)
    between = separator
  }
  return text
}

/** Rejects objects, since drivers turn them into SQL of their own. */
function scalar(value: Value): Value {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) {
    if (value !== undefined && typeof value !== 'function' && typeof value !== 'symbol')
      return value
  }
  throw new TypeError(`A ${typeof value} is not a value for the database.`)
}
