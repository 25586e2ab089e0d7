/** Reads a MySQL or MariaDB database's tables, views, keys, foreign keys, indexes and types of values. */

import { type Column, countSampled, type RowWrite } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { name as nameSql, type Sql } from '../query/sql.ts'
import { allowedValues } from '../sqlite/check-list.ts'
import {
  readCatalogueRows,
  type CatalogueRows,
  type ColumnRow,
  type TableRow,
} from './catalogue-rows.ts'
import { refusedTable } from '../tables.ts'
import type { Flavour } from './flavour.ts'
import { foreignKeysOf, keysOf, type Keys } from './keys.ts'
import { isSwitchType, kindOf, membersOf, valueType, type Kind } from './kinds.ts'
import { readSamples, type Look, type Sample } from './samples.ts'
import type { MysqlCatalogue, MysqlColumn, MysqlTable } from './tables.ts'

export type Introspection = {
  readonly database: string
  readonly flavour: Flavour
  readonly ask: (fragment: Sql) => Promise<Value[][]>
  readonly look: Look
  readonly now: () => number
}

const TABLE_KINDS: Readonly<Record<string, 'table' | 'view'>> = {
  'BASE TABLE': 'table',
  'SYSTEM VERSIONED': 'table',
  VIEW: 'view',
}

/** A table before its rows are sampled. */
type Draft = {
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly rows: TableRow
  readonly columns: readonly (ColumnRow & { readonly kind: Kind })[]
  /** Name and clause. */
  readonly checks: readonly (readonly [string, string])[]
  readonly keys: Keys
}

/** Leaves out sequences, Tablewire's own tables and what the user may not read. */
export async function introspect(introspection: Introspection): Promise<MysqlCatalogue> {
  const { database, flavour, ask, look, now } = introspection
  const rows = await readCatalogueRows(ask, database, flavour)
  const drafts = draftsOf(rows, flavour)
  const samples = await readSamples(look, drafts, now)
  const listed = drafts.filter(({ name }) => samples.get(name) !== 'unreadable')
  const refusedViews = rows.tables.filter(isRefused).map(refusedView)
  const links = Map.groupBy(rows.links, ({ table }) => table)
  const fates = Map.groupBy(rows.fates, ({ table }) => table)
  const triggers = Map.groupBy(rows.triggers, ({ table }) => table)
  const partitions = Map.groupBy(rows.partitions, ({ table }) => table)
  const findTable = finder(listed.map(({ name }) => name))
  // The server does not tell which tables a view writes.
  const unsafe = rows.tables.find(
    ({ kind, engine }) => TABLE_KINDS[kind] === 'table' && !TRANSACTIONAL.has(engine ?? ''),
  )
  const described = listed.map((draft): MysqlTable => {
    const { name, kind, keys, checks } = draft
    const columns = columnsOf(draft, samples.get(name) ?? 'unknown', flavour)
    return {
      table: {
        name,
        kind,
        ...(draft.rows.comment !== '' && kind === 'table' && { comment: draft.rows.comment }),
        columns,
        key: keys.key,
        foreignKeys: foreignKeysOf(
          { links: links.get(name) ?? [], fates: fates.get(name) ?? [] },
          database,
          findTable,
        ),
        indexes: keys.indexes,
        uniques: keys.uniques,
        checks: checks.map(([, clause]) => clause).filter((clause) => !JSON_CHECK.test(clause)),
        ...(triggers.has(name) && {
          triggers:
            triggers.get(name)?.map((one) => ({ name: one.name, events: [one.event] })) ?? [],
        }),
        ...(kind === 'view' && { takes: draft.rows.isUpdatable ? UPDATABLE : [] }),
        ...(kind === 'table' && draft.rows.engine !== 'InnoDB' && { sharesRows: true as const }),
        partitions: (partitions.get(name) ?? []).map((partition) => partition.name),
        estimate: kind === 'view' ? null : draft.rows.rows,
      },
      columns: new Map(columns.map((column) => [column.name, column])),
      from: nameSql(name),
      locator: kind === 'table' ? keys.key : [],
      engine: kind === 'view' ? (unsafe?.engine ?? null) : draft.rows.engine,
      isClustered: draft.rows.engine === 'InnoDB' && keys.hasPrimary,
      isTransactional: kind === 'view' ? !unsafe : TRANSACTIONAL.has(draft.rows.engine ?? ''),
      constraints: new Map([...keys.named, ...checkedColumns(draft)]),
      fullText: keys.fullText,
    }
  })
  const tables = [...described, ...refusedViews].toSorted((a, b) =>
    a.table.name < b.table.name ? -1 : 1,
  )
  return {
    schema: { name: database, engine: flavour.engine, tables: tables.map(({ table }) => table) },
    tables: new Map(tables.map((table) => [table.table.name, table])),
    flavour,
  }
}

/** The server does not tell what else a view that can be updated takes; it refuses what it does not. */
const UPDATABLE: readonly RowWrite[] = ['create', 'update', 'delete']

/** What the server says of a view instead of a comment, where something that it names is gone. */
const isRefused = ({ kind, comment }: TableRow): boolean =>
  TABLE_KINDS[kind] === 'view' && /^View '.*' references invalid /.test(comment)

const refusedView = ({ name, comment }: TableRow): MysqlTable => ({
  ...refusedTable(name, 'view', comment),
  engine: null,
  isClustered: false,
  isTransactional: false,
  constraints: new Map(),
  fullText: [],
})

/** Storage engines with transactions. */
const TRANSACTIONAL = new Set(['InnoDB', 'ROCKSDB', 'TokuDB', 'ndbcluster'])

/** The columns in each check, by the check's name. */
const checkedColumns = ({ checks, columns }: Draft): [string, string[]][] =>
  checks.map(([name, clause]) => [
    name,
    columns
      .filter((column) => clause.includes(`\`${column.name.replaceAll('`', '``')}\``))
      .map((column) => column.name),
  ])

/** Finds a table by name; letter case matters only on some servers. */
function finder(names: readonly string[]): (name: string) => string | undefined {
  const exact = new Set(names)
  const folded = new Map(names.map((name) => [name.toLowerCase(), name]))
  return (name) => (exact.has(name) ? name : folded.get(name.toLowerCase()))
}

function draftsOf(rows: CatalogueRows, flavour: Flavour): Draft[] {
  const columns = Map.groupBy(
    rows.columns.filter(({ isReadable }) => isReadable),
    ({ table }) => table,
  )
  const indexes = Map.groupBy(rows.indexes, ({ table }) => table)
  const checks = Map.groupBy(rows.checks, ({ table }) => table)
  return rows.tables.flatMap((table): Draft[] => {
    const kind = TABLE_KINDS[table.kind]
    const ofTable = columns.get(table.name)
    if (!kind || !ofTable || isRefused(table) || /^tablewire_/i.test(table.name)) return []
    const named = (checks.get(table.name) ?? []).map(
      ({ name, clause }) => [name, flavour.checkClause(clause)] as const,
    )
    const clauses = named.map(([, clause]) => clause)
    const nullable = new Map(ofTable.map(({ name, isNullable }) => [name, isNullable]))
    const readable = (indexes.get(table.name) ?? []).filter(
      ({ column }) => column === null || nullable.has(column),
    )
    return [
      {
        name: table.name,
        kind,
        rows: table,
        columns: withKinds(ofTable, clauses),
        checks: named,
        keys: keysOf(readable, nullable),
      },
    ]
  })
}

/** How MariaDB declares a JSON column. */
const JSON_CHECK = /^json_valid\(`((?:[^`]|``)*)`\)$/i

function withKinds(columns: readonly ColumnRow[], clauses: readonly string[]): Draft['columns'] {
  const json = new Set(clauses.map((clause) => JSON_CHECK.exec(clause)?.[1]?.replaceAll('``', '`')))
  return columns.map((column) => ({
    ...column,
    kind: kindOf({ ...column, isCheckedJson: json.has(column.name) }),
  }))
}

function columnsOf(draft: Draft, sample: Sample, flavour: Flavour): MysqlColumn[] {
  const lists = new Map(
    draft.checks.flatMap(([, clause]) => [...allowedValues(`check (${clause})`)]),
  )
  return draft.columns.map((row, place) => {
    const { kind } = row
    const cells =
      sample === 'unknown' || sample === 'unreadable'
        ? undefined
        : sample.map((row) => row[place] ?? null)
    const values = cells?.filter((cell) => cell !== null)
    const members = membersOf(row.columnType)
    const allowed = members ?? lists.get(row.name.toLowerCase())
    const typeByDeclaration = valueType(kind, isSwitchType(row.columnType))
    const type = (values ?? []).every(isBit) ? typeByDeclaration : valueType(kind, false)
    const distinct =
      draft.keys.distinct.get(row.name) ?? (values && new Set(values.map(String)).size)
    return {
      name: row.name,
      declared: row.columnType,
      type,
      ...(type !== typeByDeclaration && { typeByDeclaration }),
      nullable: row.isNullable,
      ...writtenBy(row, flavour),
      ...(allowed && { allowed }),
      ...(members && { isListed: true }),
      ...(row.comment !== '' && { comment: row.comment }),
      ...limitsOf(row, kind),
      ...(kind.is === 'datetime' && kind.zoned && { zoned: true }),
      ...(kind.is === 'set' && { array: true }),
      ...(kind.is === 'geometry' && { isUnordered: true }),
      ...(values && { sample: type === 'boolean' ? values.map((bit) => bit === 1) : values }),
      ...(cells && { sampled: countSampled(cells) }),
      ...(distinct !== undefined && { distinct }),
      kind,
    }
  })
}

const isBit = (value: Value): boolean => value === 0 || value === 1

function writtenBy(
  row: ColumnRow,
  flavour: Flavour,
): Pick<Column, 'generated' | 'hasDefault' | 'identity' | 'default'> {
  const identity = /auto_increment/i.test(row.extra)
  const written = flavour.defaultOf(row.default, row.extra)
  return {
    generated: /(VIRTUAL|STORED|PERSISTENT) GENERATED/i.test(row.extra),
    hasDefault: identity || written !== null,
    ...(identity && { identity }),
    ...(written !== null && { default: written }),
  }
}

function limitsOf(
  { dataType, maxLength, precision, scale }: ColumnRow,
  { is }: Kind,
): Pick<Column, 'maxLength' | 'isSingle' | 'precision' | 'scale'> {
  return {
    ...(is === 'single' && { isSingle: true }),
    ...((dataType === 'char' || dataType === 'varchar') && maxLength !== null && { maxLength }),
    ...(is === 'decimal' && precision !== null && { precision }),
    ...(is === 'decimal' && scale !== null && { scale }),
  }
}
