/** Reads `information_schema` for one database, in a few queries for all tables together. */

import * as v from 'valibot'
import type { LinkAction } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { bind, sql, type Sql } from '../query/sql.ts'
import { read, rowsOf, type RowOf } from '../rows-of.ts'
import type { Flavour } from './flavour.ts'

const text = v.string()
const textOrNull = v.nullable(v.string())
const whole = read(v.union([v.number(), v.bigint()]), Number)
const wholeOrNull = v.nullable(whole)

const tableRows = rowsOf({
  name: text,
  kind: text,
  rows: wholeOrNull,
  comment: text,
  engine: textOrNull,
  /** Whether it is a view through which rows are written. */
  isUpdatable: read(text, (said) => said === 'YES'),
})

const tables = (database: string): Sql =>
  sql`select t.table_name, t.table_type, t.table_rows, coalesce(t.table_comment, ''), t.engine,
      coalesce(v.is_updatable, 'NO')
    from information_schema.tables t
    left join information_schema.views v
      on v.table_schema = ${bind(database)} and v.table_name = t.table_name
    where t.table_schema = ${bind(database)} order by t.table_name`

const columnRows = rowsOf({
  table: text,
  name: text,
  default: textOrNull,
  isNullable: read(text, (said) => said === 'YES'),
  dataType: read(text, (type) => type.toLowerCase()),
  columnType: text,
  maxLength: wholeOrNull,
  precision: wholeOrNull,
  scale: wholeOrNull,
  charset: textOrNull,
  collation: textOrNull,
  extra: text,
  comment: text,
  /** Whether the user may read it. */
  isReadable: read(text, (privileges) => /\bselect\b/.test(privileges)),
  srid: wholeOrNull,
})

const columns = (database: string, { spatialReference }: Flavour): Sql =>
  sql`select table_name, column_name, column_default, is_nullable, data_type, column_type,
      character_maximum_length, numeric_precision, numeric_scale, character_set_name,
      collation_name, coalesce(extra, ''), coalesce(column_comment, ''), coalesce(privileges, ''),
      ${spatialReference}
    from information_schema.columns where table_schema = ${bind(database)}
    order by table_name, ordinal_position`

/** The user, how many tables there are, and in how many of them it may insert and update. */
export const rights = (database: string): Sql =>
  sql`select current_user(), count(*), coalesce(sum(may_insert), 0), coalesce(sum(may_update), 0)
    from (
      select max(c.privileges like '%insert%') may_insert, max(c.privileges like '%update%') may_update
      from information_schema.tables t
      join information_schema.columns c
        on c.table_schema = t.table_schema and c.table_name = t.table_name
      where t.table_schema = ${bind(database)} and t.table_type = 'BASE TABLE'
        and t.table_name not like 'tablewire\\_%'
      group by t.table_name
    ) each_table`

/** One column, or one expression, of an index. */
const indexRows = rowsOf({
  table: text,
  index: text,
  isUnique: read(whole, (repeats) => repeats === 0),
  column: textOrNull,
  descending: read(textOrNull, (order) => order === 'D'),
  /** How many characters of the column are in the index; `null` for all. */
  prefix: wholeOrNull,
  /** BTREE, HASH, FULLTEXT, RTREE or SPATIAL. */
  kind: text,
  /** The engine's estimate of distinct values, for this and the preceding columns. */
  distinct: wholeOrNull,
  expression: textOrNull,
  /** Whether the planner may use it. */
  isUsed: read(whole, (used) => used !== 0),
})

const indexes = (database: string, { indexExpression, indexIsUsed }: Flavour): Sql =>
  sql`select table_name, index_name, non_unique, column_name, collation, sub_part, index_type,
      cardinality, ${indexExpression}, ${indexIsUsed}
    from information_schema.statistics where table_schema = ${bind(database)}
    order by table_name, index_name = 'PRIMARY' desc, index_name, seq_in_index`

/** One column of a foreign key. */
const linkRows = rowsOf({
  table: text,
  constraint: text,
  column: text,
  otherDatabase: text,
  otherTable: text,
  otherColumn: text,
})

const links = (database: string): Sql =>
  sql`select table_name, constraint_name, column_name, referenced_table_schema,
      referenced_table_name, referenced_column_name
    from information_schema.key_column_usage
    where table_schema = ${bind(database)} and referenced_table_name is not null
      and referenced_column_name is not null
    order by table_name, constraint_name, ordinal_position`

const ACTIONS: Readonly<Record<string, LinkAction>> = {
  CASCADE: 'cascade',
  'SET NULL': 'setNull',
  'SET DEFAULT': 'setDefault',
}
const action = read(text, (rule) => ACTIONS[rule] ?? 'restrict')

/** What becomes of referring rows. */
const fateRows = rowsOf({ table: text, constraint: text, onDelete: action, onUpdate: action })

const fates = (database: string): Sql =>
  sql`select table_name, constraint_name, delete_rule, update_rule
    from information_schema.referential_constraints where constraint_schema = ${bind(database)}`

/** A trigger has one event. */
const triggerRows = rowsOf({
  table: text,
  name: text,
  event: v.pipe(text, v.toLowerCase(), v.picklist(['insert', 'update', 'delete'])),
})

const triggers = (database: string): Sql =>
  sql`select event_object_table, trigger_name, event_manipulation
    from information_schema.triggers where event_object_schema = ${bind(database)}
    order by event_object_table, trigger_name`

const checkRows = rowsOf({ table: text, name: text, clause: text })
const partitionRows = rowsOf({ table: text, name: text })

const partitions = (database: string): Sql =>
  sql`select table_name, partition_name from information_schema.partitions
    where table_schema = ${bind(database)} and partition_name is not null
    group by table_name, partition_name order by table_name, min(partition_ordinal_position)`

export type TableRow = RowOf<typeof tableRows>
export type ColumnRow = RowOf<typeof columnRows>
export type IndexRow = RowOf<typeof indexRows>
export type LinkRow = RowOf<typeof linkRows>
export type FateRow = RowOf<typeof fateRows>

export type CatalogueRows = {
  readonly tables: readonly TableRow[]
  readonly columns: readonly ColumnRow[]
  readonly indexes: readonly IndexRow[]
  readonly links: readonly LinkRow[]
  readonly fates: readonly FateRow[]
  readonly triggers: readonly RowOf<typeof triggerRows>[]
  readonly checks: readonly RowOf<typeof checkRows>[]
  readonly partitions: readonly RowOf<typeof partitionRows>[]
}

/** Calls `ask` several times at once. */
export async function readCatalogueRows(
  ask: (fragment: Sql) => Promise<Value[][]>,
  database: string,
  flavour: Flavour,
): Promise<CatalogueRows> {
  const found = await Promise.all([
    ask(tables(database)).then(tableRows),
    ask(columns(database, flavour)).then(columnRows),
    ask(indexes(database, flavour)).then(indexRows),
    ask(links(database)).then(linkRows),
    ask(flavour.checks(database)).then(checkRows),
    ask(partitions(database)).then(partitionRows),
    ask(fates(database)).then(fateRows),
    ask(triggers(database)).then(triggerRows),
  ])
  const [ofTables, ofColumns, ofIndexes, ofLinks, ofChecks, ofPartitions, ofFates, ofTriggers] =
    found
  return {
    tables: ofTables,
    columns: ofColumns,
    indexes: ofIndexes,
    links: ofLinks,
    checks: ofChecks,
    partitions: ofPartitions,
    fates: ofFates,
    triggers: ofTriggers,
  }
}
