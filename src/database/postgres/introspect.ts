/** Reads a PostgreSQL database's schema, in a few queries for all tables together. */

import type { Table, Trigger } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { name, sql, type Statement } from '../query/sql.ts'
import {
  collationRows,
  columnRows,
  constraintRows,
  databaseRows,
  indexRows,
  operatorClassRows,
  relationRows,
  statisticRows,
  triggerRows,
  typeRows,
  viewRows,
  type ColumnRow,
  type ConstraintRow,
  type RelationRow,
  type TriggerRow,
} from './catalogue-rows.ts'
import { allowedValues, type AllowedValues } from './check-list.ts'
import * as questions from './catalogue-sql.ts'
import { ColumnTypes } from './column-type.ts'
import { describeColumn, type ColumnFacts } from './columns.ts'
import {
  constraintColumns,
  foreignKeysOf,
  indexesOf,
  keyOf,
  trigramColumns,
  uniquesOf,
} from './links.ts'
import { readRepeatedKeys } from './repeated-keys.ts'
import { readSamples, type SampleTools } from './sample.ts'
import { asTaken, takenBy } from './views.ts'
import type { PostgresCatalogue, PostgresColumn, PostgresTable } from './tables.ts'

export type Reading = Pick<SampleTools, 'now'> & {
  /** Queries the system catalogue, on one connection. */
  readonly ask: (statement: Statement) => Promise<Value[][]>
  /** Reads sample rows, on any connection. */
  readonly look: SampleTools['read']
  readonly serverVersion: number
  /** The database's name for people. Default: its own name. */
  readonly databaseName?: string | undefined
}

/** The tables and views that the user may read, with everything that statements need. */
export async function introspect(reading: Reading): Promise<PostgresCatalogue> {
  const facts = await readFacts(reading)
  const { database } = facts
  const tables = [...facts.listed.values()]
    .map((relation) => describeTable(relation, facts))
    .toSorted((a, b) => (a.table.name < b.table.name ? -1 : 1))
  return {
    schema: {
      name: reading.databaseName ?? database.name,
      engine: engineOf(database.version),
      tables: tables.map(({ table }) => table),
    },
    tables: new Map(tables.map((table) => [table.table.name, table])),
    version: reading.serverVersion,
    hasIcu: database.hasIcu,
  }
}

/** The first words of `PostgreSQL 15.20 (Debian …) on …`. */
const engineOf = (version: string): string => /^\S+( \S*\d\S*)*/.exec(version)?.[0] ?? version

type Listed = RelationRow & {
  /** Its name in the row source. */
  readonly fullName: string
  readonly places: ReadonlyMap<number, ColumnRow>
}

type Facts = Awaited<ReturnType<typeof readFacts>>

async function readFacts({ ask, look, now, serverVersion }: Reading) {
  const [database] = databaseRows(await ask(questions.databaseSql))
  if (!database) throw new TypeError('The server does not list its current database.')
  const relations = relationRows(await ask(questions.relationsSql))
  const listable = relations.filter(({ isPartition }) => !isPartition)
  const oids = listable.map(({ oid }) => oid)
  const columns = columnRows(await ask(questions.columnsSql(oids)))
  const byTable = Map.groupBy(columns, ({ table }) => table)
  const listed = listTables(listable, byTable, database.schema)
  const rawTypes = typeRows(await ask(questions.typesSql(columns.map(({ type }) => type))))
  const collations = collationRows(
    await ask(questions.collationsSql(columns.map(({ collation }) => collation))),
  )
  const types = new ColumnTypes(rawTypes, collations, database)
  const domains = rawTypes.filter(({ kind }) => kind === 'd').map(({ oid }) => oid)
  const constraints = constraintRows(await ask(questions.constraintsSql(oids, domains)))
  const triggers = triggerRows(await ask(questions.triggersSql(oids)))
  // Compatible servers may not tell.
  const views = await ask(questions.viewsSql(oids)).then(viewRows, () => [])
  const indexes = indexRows(await ask(questions.indexesSql(oids)))
  const constraintsOf = Map.groupBy(constraints, ({ table }) => table)
  const indexesBy = Map.groupBy(indexes, ({ table }) => table)
  const classes = operatorClassRows(await ask(questions.operatorClassesSql))
  // Compatible servers keep their statistics elsewhere.
  const statistics = await ask(questions.statisticsSql(oids)).then(statisticRows, () => [])
  const sampled = [...listed.values()].filter(({ kind }) => 'rpm'.includes(kind))
  const parents = [...listed.values()].filter(isParent).map((table) => ({
    oid: table.oid,
    from: fromOf(table),
    key: keyOf(
      table.places,
      constraintsOf.get(table.oid) ?? NONE,
      indexesBy.get(table.oid) ?? NONE,
    ),
  }))
  const repeated = await readRepeatedKeys(parents, look)
  const samples = await readSamples(
    sampled.map((table) => ({
      oid: table.oid,
      from: fromOf(table),
      columns: [...table.places.values()],
    })),
    { types, read: look, now },
  )
  return {
    database,
    serverVersion,
    children: Map.groupBy(relations, ({ parent }) => parent),
    listed,
    types,
    samples,
    repeated,
    constraints: constraintsOf,
    domainAllowed: new Map(
      constraints
        .filter(({ domain }) => domain > 0)
        .flatMap((one) => allowedBy([one]).map(({ values }) => [one.domain, values])),
    ),
    indexes: indexesBy,
    views: new Map(views.map((view) => [view.table, view])),
    triggers: Map.groupBy(triggers, ({ table }) => table),
    classes: new Map(classes.map((one) => [one.oid, one])),
    statistics: Map.groupBy(statistics, ({ table }) => table),
  }
}

/** Leaves out tables of which the user may read no column. */
function listTables(
  relations: readonly RelationRow[],
  columns: ReadonlyMap<number, readonly ColumnRow[]>,
  defaultSchema: string | null,
): Map<number, Listed> {
  const listed = new Map<number, Listed>()
  const plain = new Set(
    relations.filter(({ schema }) => schema === defaultSchema).map(({ name }) => name),
  )
  for (const relation of relations) {
    const own = columns.get(relation.oid)
    if (!own) continue
    const { schema, name } = relation
    const qualified = `${schema}.${name}`
    // The default schema may hold a table with a dot in its name.
    const other = plain.has(qualified) ? `"${schema}".${name}` : qualified
    listed.set(relation.oid, {
      ...relation,
      fullName: schema === defaultSchema ? name : other,
      places: new Map(own.map((column) => [column.place, column])),
    })
  }
  return listed
}

const fromOf = ({ schema, name: table }: RelationRow) => sql`${name(schema)}.${name(table)}`

const NONE: readonly never[] = []

function describeTable(relation: Listed, facts: Facts): PostgresTable {
  const { oid, places } = relation
  const constraints = facts.constraints.get(oid) ?? NONE
  const indexes = facts.indexes.get(oid) ?? NONE
  const estimate = estimateOf(relation, facts)
  const columnFacts: ColumnFacts = {
    types: facts.types,
    allowed: allowedBy(constraints),
    domainAllowed: facts.domainAllowed,
    distinct: new Map(facts.statistics.get(oid)?.map(({ column, distinct }) => [column, distinct])),
    samples: facts.samples.get(oid) ?? new Map(),
    estimate,
  }
  const view = facts.views.get(oid)
  const columns = [...places.values()].map((row) => ({
    column: asTaken(describeColumn(row, columnFacts), view),
    pg: facts.types.columnType(row),
  }))
  const key = facts.repeated.has(oid) ? [] : keyOf(places, constraints, indexes)
  const uniques = isParent(relation) ? [] : uniquesOf(places, indexes, key)
  const checks = checksOf(constraints)
  const partitions = partitionsOf(relation, facts)
  const triggers = triggersOf(facts.triggers.get(oid) ?? NONE)
  const foreignKeys = foreignKeysOf(places, constraints, (other) => {
    const found = facts.listed.get(other)
    return found && { name: found.fullName, places: found.places }
  })
  // Of the others, nobody knows what changes along.
  const isLinkedUnseen = constraints.filter(({ kind }) => kind === 'f').length > foreignKeys.length
  const table: Table = {
    name: relation.fullName,
    kind: KINDS[relation.kind],
    ...(relation.schema !== facts.database.schema && { schema: relation.schema }),
    ...(relation.comment !== null && { comment: relation.comment }),
    columns: columns.map(({ column }) => column),
    key,
    foreignKeys,
    // Tables that inherit from this one have indexes of their own, or none.
    indexes: isParent(relation) ? [] : indexesOf(places, indexes, facts.classes),
    ...(uniques.length > 0 && { uniques }),
    ...(checks.length > 0 && { checks }),
    ...(triggers.length > 0 && { triggers }),
    ...((relation.sharesRows || isLinkedUnseen) &&
      isTable(relation) && { sharesRows: true as const }),
    ...(partitions.length > 0 && { partitions }),
    ...(view && { takes: takenBy(view) }),
    estimate,
  }
  return {
    table,
    place: { schema: relation.schema, table: relation.name },
    constraints: constraintColumns(places, constraints, indexes),
    from: fromOf(relation),
    columns: new Map(
      columns.map(({ column, pg }): [string, PostgresColumn] => [column.name, { ...column, pg }]),
    ),
    locator: key.length > 0 || !hasRowPlaces(relation, facts) ? key : ['ctid'],
    trigrams: trigramColumns(places, indexes, facts.classes),
  }
}

const isTable = ({ kind }: RelationRow): boolean => KINDS[kind] === 'table'

/** Whether its rows are also those of tables that inherit from it, which its constraints do not bind. */
const isParent = ({ kind, hasChildren }: RelationRow): boolean => kind === 'r' && hasChildren

/**
 * Whether each row has a place in the file that tells it apart. Partitions and tables that inherit
 * have files of their own; foreign tables, and other servers with this protocol, may have none.
 */
const hasRowPlaces = (relation: RelationRow, { database }: Facts): boolean =>
  ((relation.kind === 'r' && !isParent(relation)) || relation.kind === 'm') &&
  relation.isReadable &&
  /^PostgreSQL [\w.]+ (?!\(Greenplum)/.test(database.version)

const KINDS = {
  r: 'table',
  p: 'table',
  f: 'table',
  v: 'view',
  m: 'materialized view',
} as const

const allowedBy = (constraints: readonly ConstraintRow[]): AllowedValues[] =>
  constraints.flatMap(({ check }) => allowedValues(check ?? '') ?? [])

const checksOf = (constraints: readonly ConstraintRow[]): string[] =>
  constraints.flatMap(({ kind, check }) => (kind === 'c' && check !== null ? [check] : []))

const triggersOf = (rows: readonly TriggerRow[]): Trigger[] =>
  rows.map(({ name, ...on }) => ({
    name,
    events: (['insert', 'update', 'delete'] as const).filter((event) => on[event]),
  }))

/** Includes partitions of partitions. */
function partitionsOf({ oid }: RelationRow, facts: Facts): string[] {
  return (facts.children.get(oid) ?? NONE).flatMap((child) => [
    child.schema === facts.database.schema ? child.name : `${child.schema}.${child.name}`,
    ...partitionsOf(child, facts),
  ])
}

/** The sum over partitions with an estimate. */
function estimateOf(relation: RelationRow, facts: Facts): number | null {
  if (relation.kind === 'v') return null
  if (relation.kind !== 'p') return rowsOf(relation, facts.serverVersion)
  const known = (facts.children.get(relation.oid) ?? NONE)
    .map((child) => estimateOf(child, facts))
    .filter((rows) => rows !== null)
  return known.length > 0 ? known.reduce((sum, rows) => sum + rows, 0) : null
}

/** Before version 14, a table without statistics looks like an empty one. */
const rowsOf = ({ rows, pages }: RelationRow, serverVersion: number): number | null =>
  rows < 0 || (serverVersion < 140_000 && rows === 0 && pages === 0) ? null : Math.round(rows)
