/** A table's keys, indexes and foreign keys, from rows of `information_schema`. */

import type { ForeignKey, Index } from '../../table/source/schema.ts'
import { groupsOf } from '../rows-of.ts'
import type { FateRow, IndexRow, LinkRow } from './catalogue-rows.ts'

export type Keys = {
  readonly key: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  /** The indexes that give rows in the order of their columns. */
  readonly indexes: readonly Index[]
  readonly fullText: readonly (readonly string[])[]
  readonly hasPrimary: boolean
  /** The columns of each unique index, by its name. */
  readonly named: ReadonlyMap<string, readonly string[]>
  /** Estimated numbers of distinct values, by column. */
  readonly distinct: ReadonlyMap<string, number>
}

/** An index as the server lists it, and its columns up to the first that it does not hold whole. */
type Listed = {
  readonly name: string
  readonly first: IndexRow
  readonly parts: readonly IndexRow[]
  readonly whole: Index['columns']
}

/** `nullable` tells whether each of the table's columns may hold NULL. */
export function keysOf(rows: readonly IndexRow[], nullable: ReadonlyMap<string, boolean>): Keys {
  const indexes = groupsOf(rows, ({ index }) => index).map(([name, parts]): Listed => {
    const end = parts.findIndex((part) => !isWhole(part))
    const whole = (end < 0 ? parts : parts.slice(0, end)).flatMap(({ column, descending }) =>
      column === null ? [] : [{ name: column, descending }],
    )
    return { name, first: parts[0], parts, whole }
  })
  const unique = indexes.filter(({ first }) => first.isUnique)
  const uniques = unique.filter(({ parts, whole }) => whole.length === parts.length)
  const key = uniques.find(({ name }) => name === 'PRIMARY') ?? substituteKey(uniques, nullable)
  return {
    key: key ? wholeColumns(key) : [],
    uniques: uniques.filter((one) => one !== key).map(wholeColumns),
    indexes: indexes.flatMap(orderedIndex),
    fullText: indexes
      .filter(({ first, parts }) => first.kind === 'FULLTEXT' && parts.every((one) => one.isUsed))
      .map(columnsOf),
    hasPrimary: key?.name === 'PRIMARY',
    named: new Map(unique.map((one) => [one.name, columnsOf(one)])),
    distinct: new Map(
      indexes.flatMap(({ first: { distinct }, whole: [first] }) =>
        first && distinct !== null ? [[first.name, distinct]] : [],
      ),
    ),
  }
}

const columnsOf = ({ parts }: Listed): string[] => parts.flatMap(({ column }) => column ?? [])

const wholeColumns = ({ whole }: Listed): string[] => whole.map(({ name }) => name)

/** Whether it is all of a column: not an expression, and not its first characters. */
const isWhole = ({ column, expression, prefix }: IndexRow): boolean =>
  column !== null && expression === null && prefix === null

/** Without a primary key: the shortest unique index that cannot hold NULL. */
const substituteKey = (
  uniques: readonly Listed[],
  nullable: ReadonlyMap<string, boolean>,
): Listed | undefined =>
  uniques
    .filter(({ first }) => first.kind === 'BTREE')
    .filter(({ whole }) => whole.every(({ name }) => nullable.get(name) === false))
    .toSorted((a, b) => a.whole.length - b.whole.length)[0]

/** An index orders rows up to its first column with only a prefix. */
function orderedIndex({ name, first, parts, whole }: Listed): Index[] {
  if (first.kind !== 'BTREE' || !first.isUsed || whole.length === 0) return []
  const unique = first.isUnique && whole.length === parts.length
  return [{ name, columns: whole, unique, partial: false }]
}

/** `findTable` returns a listed table's exact name; foreign keys to other tables are left out. */
export function foreignKeysOf(
  { links, fates }: { readonly links: readonly LinkRow[]; readonly fates: readonly FateRow[] },
  database: string,
  findTable: (name: string) => string | undefined,
): ForeignKey[] {
  return groupsOf(links, ({ constraint }) => constraint).flatMap(([name, parts]) => {
    const { otherDatabase, otherTable } = parts[0]
    const table =
      otherDatabase.toLowerCase() === database.toLowerCase() ? findTable(otherTable) : undefined
    if (table === undefined) return []
    const fate = fates.find(({ constraint }) => constraint === name)
    return {
      columns: parts.map(({ column }) => column),
      table,
      references: parts.map(({ otherColumn }) => otherColumn),
      ...(fate && { onDelete: fate.onDelete, onUpdate: fate.onUpdate }),
    }
  })
}
