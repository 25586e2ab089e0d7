/** Reads `information_schema` for one database, in a few queries for all tables together. */

import * as v from 'valibot'
import type { Value } from '../../table/source/value.ts'
import { bind, sql, type Sql } from '../query/sql.ts'
import type { Flavour } from './flavour.ts'

const text = v.string()
const textOrNull = v.nullable(v.string())
const whole = v.pipe(v.union([v.number(), v.bigint()]), v.transform(Number))
const wholeOrNull = v.nullable(whole)

export type TableRow = {
  readonly name: string
  readonly kind: string
  readonly rows: number | null
  readonly comment: string
  readonly engine: string | null
}

const tableSchema = v.pipe(
  v.tuple([text, text, wholeOrNull, text, textOrNull]),
  v.transform(([name, kind, rows, comment, engine]): TableRow => ({
    name,
    kind,
    rows,
    comment,
    engine,
  })),
)

const tables = (database: string): Sql =>
  sql`select table_name, table_type, table_rows, coalesce(table_comment, ''), engine
    from information_schema.tables where table_schema = ${bind(database)} order by table_name`

export type ColumnRow = {
  readonly table: string
  readonly name: string
  readonly default: string | null
  readonly isNullable: boolean
  readonly dataType: string
  readonly columnType: string
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
  readonly charset: string | null
  readonly collation: string | null
  readonly extra: string
  readonly comment: string
  /** Whether the user may read it. */
  readonly isReadable: boolean
  readonly srid: number | null
}

const columnSchema = v.pipe(
  v.tuple([
    ...[text, text, textOrNull, text, text, text],
    ...[wholeOrNull, wholeOrNull, wholeOrNull, textOrNull, textOrNull],
    ...[text, text, text, wholeOrNull],
  ] as const),
  v.transform((row): ColumnRow => ({
    table: row[0],
    name: row[1],
    default: row[2],
    isNullable: row[3] === 'YES',
    dataType: row[4].toLowerCase(),
    columnType: row[5],
    maxLength: row[6],
    precision: row[7],
    scale: row[8],
    charset: row[9],
    collation: row[10],
    extra: row[11],
    comment: row[12],
    isReadable: /\bselect\b/.test(row[13]),
    srid: row[14],
  })),
)

const columns = (database: string, { spatialReference }: Flavour): Sql =>
  sql`select table_name, column_name, column_default, is_nullable, data_type, column_type,
      character_maximum_length, numeric_precision, numeric_scale, character_set_name,
      collation_name, coalesce(extra, ''), coalesce(column_comment, ''), coalesce(privileges, ''),
      ${spatialReference}
    from information_schema.columns where table_schema = ${bind(database)}
    order by table_name, ordinal_position`

/** One column, or one expression, of an index. */
export type IndexRow = {
  readonly table: string
  readonly index: string
  readonly isUnique: boolean
  readonly column: string | null
  readonly descending: boolean
  /** How many characters of the column are in the index; `null` for all. */
  readonly prefix: number | null
  /** BTREE, HASH, FULLTEXT, RTREE or SPATIAL. */
  readonly kind: string
  /** The engine's estimate of distinct values, for this and the preceding columns. */
  readonly distinct: number | null
  readonly isExpression: boolean
  /** Whether the planner may use it. */
  readonly isUsed: boolean
}

const indexSchema = v.pipe(
  v.tuple([
    text,
    text,
    whole,
    textOrNull,
    textOrNull,
    wholeOrNull,
    text,
    wholeOrNull,
    textOrNull,
    whole,
  ]),
  v.transform((row): IndexRow => ({
    table: row[0],
    index: row[1],
    isUnique: row[2] === 0,
    column: row[3],
    descending: row[4] === 'D',
    prefix: row[5],
    kind: row[6],
    distinct: row[7],
    isExpression: row[3] === null || row[8] !== null,
    isUsed: row[9] !== 0,
  })),
)

const indexes = (database: string, { indexExpression, indexIsUsed }: Flavour): Sql =>
  sql`select table_name, index_name, non_unique, column_name, collation, sub_part, index_type,
      cardinality, ${indexExpression}, ${indexIsUsed}
    from information_schema.statistics where table_schema = ${bind(database)}
    order by table_name, index_name = 'PRIMARY' desc, index_name, seq_in_index`

/** One column of a foreign key. */
export type LinkRow = {
  readonly table: string
  readonly constraint: string
  readonly column: string
  readonly otherDatabase: string
  readonly otherTable: string
  readonly otherColumn: string
}

const linkSchema = v.pipe(
  v.tuple([text, text, text, text, text, text]),
  v.transform((row): LinkRow => ({
    table: row[0],
    constraint: row[1],
    column: row[2],
    otherDatabase: row[3],
    otherTable: row[4],
    otherColumn: row[5],
  })),
)

const links = (database: string): Sql =>
  sql`select table_name, constraint_name, column_name, referenced_table_schema,
      referenced_table_name, referenced_column_name
    from information_schema.key_column_usage
    where table_schema = ${bind(database)} and referenced_table_name is not null
      and referenced_column_name is not null
    order by table_name, constraint_name, ordinal_position`

const checkSchema = v.tuple([text, text, text])
const partitionSchema = v.tuple([text, text])

const partitions = (database: string): Sql =>
  sql`select table_name, partition_name from information_schema.partitions
    where table_schema = ${bind(database)} and partition_name is not null
    group by table_name, partition_name order by table_name, min(partition_ordinal_position)`

export type CatalogueRows = {
  readonly tables: readonly TableRow[]
  readonly columns: readonly ColumnRow[]
  readonly indexes: readonly IndexRow[]
  readonly links: readonly LinkRow[]
  /** Table, constraint, clause. */
  readonly checks: readonly (readonly [string, string, string])[]
  /** Table, partition. */
  readonly partitions: readonly (readonly [string, string])[]
}

/** Calls `ask` several times at once. */
export async function readCatalogueRows(
  ask: (fragment: Sql) => Promise<Value[][]>,
  database: string,
  flavour: Flavour,
): Promise<CatalogueRows> {
  const found = await Promise.all([
    ask(tables(database)).then((rows) => v.parse(v.array(tableSchema), rows)),
    ask(columns(database, flavour)).then((rows) => v.parse(v.array(columnSchema), rows)),
    ask(indexes(database, flavour)).then((rows) => v.parse(v.array(indexSchema), rows)),
    ask(links(database)).then((rows) => v.parse(v.array(linkSchema), rows)),
    ask(flavour.checks(database)).then((rows) => v.parse(v.array(checkSchema), rows)),
    ask(partitions(database)).then((rows) => v.parse(v.array(partitionSchema), rows)),
  ])
  const [ofTables, ofColumns, ofIndexes, ofLinks, ofChecks, ofPartitions] = found
  return {
    tables: ofTables,
    columns: ofColumns,
    indexes: ofIndexes,
    links: ofLinks,
    checks: ofChecks,
    partitions: ofPartitions,
  }
}
