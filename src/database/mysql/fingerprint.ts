/** A short text that changes whenever tables, columns, indexes, foreign keys, checks, triggers or privileges do. */

import * as v from 'valibot'
import type { Value } from '../../table/source/value.ts'
import { bind, sql, type Sql } from '../query/sql.ts'
import type { Flavour } from './flavour.ts'

const rowSchema = v.pipe(
  v.tuple([v.array(v.nullable(v.union([v.string(), v.number(), v.bigint()])))]),
  v.transform(([parts]) => parts.map(String).join(' ')),
)

export async function readFingerprint(
  ask: (fragment: Sql) => Promise<Value[][]>,
  database: string,
  flavour: Flavour,
): Promise<string> {
  const of = bind(database)
  const rows = await ask(sql`
    select (select concat(count(*), '.', coalesce(sum(crc32(concat_ws('|', table_name, table_type,
          engine, table_comment))), 0))
        from information_schema.tables where table_schema = ${of}),
      (select coalesce(sum(crc32(concat_ws('|', table_name, column_name, ordinal_position, column_type,
          is_nullable, coalesce(column_default, '-'), extra, collation_name, column_comment,
          privileges))), 0)
        from information_schema.columns where table_schema = ${of}),
      (select coalesce(sum(crc32(concat_ws('|', table_name, index_name, seq_in_index, column_name,
          collation, sub_part, index_type, non_unique))), 0)
        from information_schema.statistics where table_schema = ${of}),
      (select coalesce(sum(crc32(concat_ws('|', table_name, constraint_name, column_name,
          referenced_table_name, referenced_column_name))), 0)
        from information_schema.key_column_usage where table_schema = ${of}),
      (select coalesce(sum(crc32(concat_ws('|', table_name, constraint_name, delete_rule, update_rule))), 0)
        from information_schema.referential_constraints where constraint_schema = ${of}),
      (select coalesce(sum(crc32(concat_ws('|', event_object_table, trigger_name, event_manipulation))), 0)
        from information_schema.triggers where event_object_schema = ${of}),
      (select coalesce(sum(crc32(concat_ws('|', table_name, constraint_name, check_clause))), 0)
        from (${flavour.checks(database)}) as checks)`)
  return v.parse(rowSchema, rows)
}
