/** References that a schema does not declare and that names of columns tell: `user_id` of `users`. */

import type { Column, ForeignKey, Table } from '../source/schema.ts'
import { wordsOf } from './humanize.ts'
import { rowWords, stemOf } from './own-words.ts'

/** Finds the rows that columns of a table seem to refer to, by the column's name. */
export type GuessLinks = (table: Table) => ReadonlyMap<string, ForeignKey>

/** The one table whose rows are called by these words; `from` is the referring table. */
type FindTable = (words: readonly string[], from: Table) => Table | undefined

const finders = new WeakMap<readonly Table[], FindTable>()

/** The tables that can be referred to: by what a row of theirs is called, with and without a prefix. */
export function tableFinder(tables: readonly Table[]): FindTable {
  const found = finders.get(tables) ?? createFinder(tables)
  finders.set(tables, found)
  return found
}

function createFinder(tables: readonly Table[]): FindTable {
  const referable = tables.filter(({ kind, key }) => kind === 'table' && key.length === 1)
  const named = referable.map((table) => ({ table, words: rowWords(table) }))
  const byName = Map.groupBy(named, ({ words }) => words.join(' '))
  const prefixes = Map.groupBy(named, ({ words }) => words[0] ?? '')
  const bySuffix = Map.groupBy(
    named
      .filter(({ words: [prefix = ''] }) => isPrefix(prefix))
      .map(({ table, words: [prefix = '', ...words] }) => ({
        table,
        prefix,
        name: words.join(' '),
      })),
    ({ name }) => name,
  )

  /** Whether a word stands before the names of several tables, and names none itself. */
  function isPrefix(word: string): boolean {
    return (prefixes.get(word)?.length ?? 0) > 1 && !byName.has(word)
  }

  /** The one table of that name; of several, the one with the prefix of the referring table. */
  return (words, from) => {
    const name = words.map(stemOf).join(' ')
    const suffixed = bySuffix.get(name) ?? []
    const near = suffixed.filter(({ prefix }) => prefix === rowWords(from)[0])
    const found = [byName.get(name) ?? [], near, suffixed].find(({ length }) => length === 1)
    return found?.[0]?.table
  }
}

/** References by the names of columns. */
export function linkGuesser(tables: readonly Table[]): GuessLinks {
  const find = tableFinder(tables)

  function guess(column: Column, from: Table): ForeignKey | undefined {
    const words = rowWords(column)
    const isNamed = words.length > 1 && words.at(-1) === 'id'
    if (!isNamed || column.array || pairedType(column, from)) return undefined
    const names = words.slice(0, -1).map((_, start) => words.slice(start, -1))
    const table = names.map((name) => find(name, from)).find(Boolean)
    const [references = ''] = table?.key ?? []
    const type = table?.columns.find(({ name }) => name === references)?.type
    if (!table || type !== column.type) return undefined
    const link = { columns: [column.name], table: table.name, references: [references] }
    return { ...link, onDelete: 'none', onUpdate: 'none' }
  }

  return (table) => {
    const known = new Set([...table.foreignKeys.flatMap(({ columns }) => columns), ...keyOf(table)])
    return new Map(
      table.columns
        .filter(({ name }) => !known.has(name))
        .flatMap((column) => {
          const link = guess(column, table)
          return link ? [[column.name, link] as const] : []
        }),
    )
  }
}

/** The key; of a table without one, the first column, which mostly is one all the same. */
const keyOf = ({ kind, key, columns }: Table): readonly string[] =>
  key.length > 0 || kind !== 'table' ? key : columns.slice(0, 1).map(({ name }) => name)

/**
 * The column beside an id that says of which table it is, as `commentable_type` does beside
 * `commentable_id`.
 */
export function pairedType({ name, type }: Column, table: Table): string | undefined {
  const words = wordsOf(name)
  if (words.at(-1) !== 'id' || (type !== 'integer' && type !== 'text')) return undefined
  const wanted = [...words.slice(0, -1), 'type'].join(' ')
  return table.columns.find((one) => one.type === 'text' && wordsOf(one.name).join(' ') === wanted)
    ?.name
}
