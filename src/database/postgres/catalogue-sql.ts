/** Queries on PostgreSQL's system catalogue, each for all tables at once; they work from version 12 on. */

import type { Statement } from '../query/sql.ts'

const statement = (text: string, ...binds: Statement['binds']): Statement => ({ text, binds })

/** A list of oids as one value. */
const list = (oids: Iterable<number>): string => `{${[...new Set(oids)].join(',')}}`

/** Reads columns that only later versions have from the row as JSON. */
export const databaseSql = statement(`
  select d.datname, version(), current_schema(), d.datctype,
    coalesce(to_jsonb(d) ->> 'datlocprovider', 'c'),
    exists (select from pg_collation where collname = 'und-x-icu')
  from pg_database d where d.datname = current_database()`)

/** Tables and views in schemas that the user may use, except those of the server, of extensions and of Tablewire. */
export const relationsSql = statement(`
  select c.oid, n.nspname, c.relname, c.relkind, c.reltuples, c.relpages, i.inhparent,
    c.relispartition, c.relhassubclass, has_table_privilege(c.oid, 'select'), m.description,
    c.relkind <> 'r' or c.relhasrules or c.relrowsecurity or c.relhassubclass
      or exists (select from pg_inherits h where h.inhrelid = c.oid)
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
  left join pg_description m
    on m.objoid = c.oid and m.objsubid = 0 and m.classoid = 'pg_class'::regclass
  where c.relkind in ('r', 'p', 'f', 'v', 'm')
    and left(n.nspname, 3) <> 'pg_' and n.nspname not in ('information_schema', 'crdb_internal')
    and left(c.relname, 10) <> 'tablewire_'
    and has_schema_privilege(n.oid, 'usage')
    and not exists (select from pg_depend e where e.deptype = 'e'
      and e.classid = 'pg_class'::regclass and e.objid = c.oid)
    and not exists (select from pg_depend e where e.deptype = 'e'
      and e.classid = 'pg_namespace'::regclass and e.objid = n.oid)
  order by n.nspname, c.relname`)

/** The user, how many tables there are, and in how many of them it may do what; a standby takes no writes. */
export const rightsSql = statement(`
  select current_user, count(*),
    count(*) filter (where has_any_column_privilege(c.oid, 'insert') and not pg_is_in_recovery()),
    count(*) filter (where has_any_column_privilege(c.oid, 'update') and not pg_is_in_recovery()),
    count(*) filter (where has_table_privilege(c.oid, 'delete') and not pg_is_in_recovery())
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition
    and left(n.nspname, 3) <> 'pg_' and n.nspname not in ('information_schema', 'crdb_internal')
    and left(c.relname, 10) <> 'tablewire_'
    and has_schema_privilege(n.oid, 'usage')`)

/** Only columns that the user may read. */
export const columnsSql = (tables: Iterable<number>): Statement =>
  statement(
    `
  select a.attrelid, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.atttypid,
    a.atttypmod, a.attnotnull, a.attidentity, a.attgenerated, a.attcollation,
    pg_get_expr(d.adbin, d.adrelid), m.description
  from pg_attribute a
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  left join pg_description m on m.objoid = a.attrelid and m.objsubid = a.attnum
    and m.classoid = 'pg_class'::regclass
  where a.attrelid = any($1::oid[]) and a.attnum > 0 and not a.attisdropped
    and has_column_privilege(a.attrelid, a.attnum, 'select')
  order by a.attrelid, a.attnum`,
    list(tables),
  )

/**
 * Types with their base and element types, and the members of enums. The order of some, such as
 * `hstore`, exists for indexes only and has no `<`.
 */
export const typesSql = (types: Iterable<number>): Statement =>
  statement(
    `
  with recursive used(oid) as (
    select unnest($1::oid[])
    union
    select case t.typtype when 'd' then t.typbasetype else t.typelem end
    from used join pg_type t on t.oid = used.oid
    where t.typtype = 'd' or t.typcategory = 'A')
  select t.oid, t.typname, format_type(t.oid, -1), t.typtype, t.typcategory,
    case t.typtype when 'd' then t.typbasetype else t.typelem end, t.typtypmod, t.typnotnull,
    t.typdefault is not null,
    exists (select from pg_opclass o join pg_am m on m.oid = o.opcmethod
      join pg_amop a on a.amopfamily = o.opcfamily and a.amopstrategy = 1
        and a.amoplefttype = t.oid and a.amoprighttype = t.oid
      join pg_operator p on p.oid = a.amopopr
      where m.amname = 'btree' and o.opcdefault and o.opcintype = t.oid and p.oprname = '<'),
    (select json_agg(e.enumlabel order by e.enumsortorder)::text
      from pg_enum e where e.enumtypid = t.oid)
  from used join pg_type t on t.oid = used.oid`,
    list(types),
  )

export const collationsSql = (collations: Iterable<number>): Statement =>
  statement(
    `
  select c.oid, c.collprovider, c.collisdeterministic,
    coalesce(c.collctype, to_jsonb(c) ->> 'colllocale', ''),
    quote_ident(n.nspname) || '.' || quote_ident(c.collname)
  from pg_collation c join pg_namespace n on n.oid = c.collnamespace where c.oid = any($1::oid[])`,
    list(collations),
  )

/** Constraints of tables, and the checks of domains. */
export const constraintsSql = (tables: Iterable<number>, types: Iterable<number>): Statement =>
  statement(
    `
  select c.conrelid, c.contypid, c.conname, c.contype, array_to_json(c.conkey)::text, c.confrelid,
    array_to_json(c.confkey)::text, c.condeferrable, c.confdeltype, c.confupdtype,
    case c.contype when 'c' then pg_get_constraintdef(c.oid, true) end
  from pg_constraint c
  where c.contype in ('p', 'u', 'f', 'c')
    and (c.conrelid = any($1::oid[]) or c.contypid = any($2::oid[]))
  order by c.conname`,
    list(tables),
    list(types),
  )

/** Triggers that people made, and that are not switched off; the bits of `tgtype` are the server's. */
export const triggersSql = (tables: Iterable<number>): Statement =>
  statement(
    `
  select t.tgrelid, t.tgname, t.tgtype & 4 <> 0, t.tgtype & 16 <> 0, t.tgtype & 8 <> 0
  from pg_trigger t
  where t.tgrelid = any($1::oid[]) and not t.tgisinternal and t.tgenabled <> 'D'
    and left(t.tgname, 10) <> 'tablewire_'
  order by t.tgname`,
    list(tables),
  )

/** What the server writes through views, as the bits of its events, and the columns that it does not write. */
export const viewsSql = (tables: Iterable<number>): Statement =>
  statement(
    `
  select c.oid, pg_relation_is_updatable(c.oid, true),
    (select coalesce(json_agg(a.attname), '[]')::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and not pg_column_is_updatable(c.oid, a.attnum, true))
  from pg_class c where c.oid = any($1::oid[]) and c.relkind = 'v'`,
    list(tables),
  )

export const indexesSql = (tables: Iterable<number>): Statement =>
  statement(
    `
  select i.indrelid, c.relname, m.amname, i.indkey::text, i.indoption::text, i.indclass::text,
    i.indcollation::text, i.indnkeyatts, i.indisunique, i.indimmediate, i.indpred is not null
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  join pg_am m on m.oid = c.relam
  where i.indrelid = any($1::oid[]) and i.indisvalid
  order by c.relname`,
    list(tables),
  )

/** Operator classes, and whether they give the order of `order by`: those in the family of a default one do. */
export const operatorClassesSql = statement(`
  select o.oid, o.opcname, exists (select from pg_opclass d
    where d.opcfamily = o.opcfamily and d.opcdefault)
  from pg_opclass o`)

/** Statistics of the columns that the user may read; those of parents include their children. */
export const statisticsSql = (tables: Iterable<number>): Statement =>
  statement(
    `
  select c.oid, s.attname, s.n_distinct, s.inherited
  from pg_stats s
  join pg_namespace n on n.nspname = s.schemaname
  join pg_class c on c.relnamespace = n.oid and c.relname = s.tablename
  where c.oid = any($1::oid[]) and s.n_distinct <> 0
  order by s.inherited`,
    list(tables),
  )

/** Changes whenever a schema, table, column, constraint, trigger, index or enum does. */
export const fingerprintSql = statement(`
  select concat_ws('.',
    (select concat_ws('.', count(*), sum(xmin::text::bigint)) from pg_namespace),
    (select concat_ws('.', count(*), sum(xmin::text::bigint)) from pg_class
      where relpersistence <> 't' and relkind in ('r', 'p', 'f', 'v', 'm', 'i', 'I')),
    (select concat_ws('.', count(*), sum(a.xmin::text::bigint)) from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      where a.attnum > 0 and c.relpersistence <> 't' and c.relkind in ('r', 'p', 'f', 'v', 'm')),
    (select concat_ws('.', count(*), sum(xmin::text::bigint)) from pg_constraint),
    (select concat_ws('.', count(*), sum(xmin::text::bigint)) from pg_trigger
      where not tgisinternal and left(tgname, 10) <> 'tablewire_'),
    (select concat_ws('.', count(*), sum(xmin::text::bigint)) from pg_enum))`)
