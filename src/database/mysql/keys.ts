/** A table's keys, indexes and foreign keys, from rows of `information_schema`. */

import type { ForeignKey, Index } from '../../table/source/schema.ts'
import type { IndexRow, LinkRow } from './catalogue-rows.ts'

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

/** `nullable` tells whether each of the table's columns may hold NULL. */
export function keysOf(rows: readonly IndexRow[], nullable: ReadonlyMap<string, boolean>): Keys {
  const indexes = [...Map.groupBy(rows, ({ index }) => index)]
  const uniques = indexes.filter(([, parts]) => parts[0]!.isUnique && parts.every(isWhole))
  const key = uniques.find(([name]) => name === 'PRIMARY') ?? substituteKey(uniques, nullable)
  return {
    key: key?.[1].map(columnOf) ?? [],
    uniques: uniques.filter((one) => one !== key).map(([, parts]) => parts.map(columnOf)),
    indexes: indexes.flatMap(([name, parts]) => orderedIndex(name, parts)),
    fullText: indexes
      .filter(([, parts]) => parts[0]!.kind === 'FULLTEXT' && parts.every(({ isUsed }) => isUsed))
      .map(([, parts]) => parts.map(columnOf)),
    hasPrimary: key?.[0] === 'PRIMARY',
    named: new Map(
      indexes
        .filter(([, parts]) => parts[0]!.isUnique)
        .map(([name, parts]) => [name, parts.flatMap(({ column }) => column ?? [])]),
    ),
    distinct: new Map(
      indexes.flatMap(([, [first]]) =>
        first?.column != null && first.distinct !== null && isWhole(first)
          ? [[first.column, first.distinct]]
          : [],
      ),
    ),
  }
}

const columnOf = ({ column }: IndexRow): string => column!

const isWhole = ({ isExpression, prefix }: IndexRow): boolean => !isExpression && prefix === null

/** Without a primary key: the shortest unique index that cannot hold NULL. */
function substituteKey(
  uniques: readonly [string, IndexRow[]][],
  nullable: ReadonlyMap<string, boolean>,
): [string, IndexRow[]] | undefined {
  return uniques
    .filter(
      ([, parts]) =>
        parts[0]!.kind === 'BTREE' && parts.every((part) => nullable.get(columnOf(part)) === false),
    )
    .toSorted(([, a], [, b]) => a.length - b.length)[0]
}

/** An index orders rows up to its first column with only a prefix. */
function orderedIndex(name: string, parts: readonly IndexRow[]): Index[] {
  if (parts[0]!.kind !== 'BTREE' || !parts[0]!.isUsed) return []
  const end = parts.findIndex((part) => !isWhole(part))
  const whole = end < 0 ? parts : parts.slice(0, end)
  if (whole.length === 0) return []
  return [
    {
      name,
      columns: whole.map((part) => ({ name: columnOf(part), descending: part.descending })),
      unique: parts[0]!.isUnique && end < 0,
      partial: false,
    },
  ]
}

/** `findTable` returns a listed table's exact name; foreign keys to other tables are left out. */
export function foreignKeysOf(
  rows: readonly LinkRow[],
  database: string,
  findTable: (name: string) => string | undefined,
): ForeignKey[] {
  return [...Map.groupBy(rows, ({ constraint }) => constraint).values()].flatMap((parts) => {
    const { otherDatabase, otherTable } = parts[0]!
    const table =
      otherDatabase.toLowerCase() === database.toLowerCase() ? findTable(otherTable) : undefined
    if (table === undefined) return []
    return {
      columns: parts.map(({ column }) => column),
      table,
      references: parts.map(({ otherColumn }) => otherColumn),
    }
  })
}
