/** The statements of one page: runs of rows in order, or a jump over rows by their keys. */

import type { Access } from '../../table/source/access.ts'
import type { Anchor, PageQuery, RelatedLabel, SortColumn } from '../../table/source/row-source.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Operand } from '../dialect.ts'
import type { IndexedRun } from '../query-runner.ts'
import { cellList, type NameColumn } from './cell-sql.ts'
import { anyRun, fromAnchor, wholeOrder, type Block, type Places } from './keyset.ts'
import { anchorValues, isTotal, orderTerms, reverse, type Ordered, type Term } from './order.ts'
import { conditions, equalColumns, plainColumns } from './predicate-sql.ts'
import {
  columnSql,
  fromSql,
  guards,
  operand,
  readableColumn,
  shownColumn,
  tableOf,
  type LabelColumn,
  type Scope,
  type SqlContext,
} from './scope.ts'
import { joinsSql, scopeOfSorted, sortedTable } from './sort-labels.ts'
import { all, join, name, sql, whole, type Sql } from './sql.ts'
import type { Catalogue, SourceTable } from '../tables.ts'

/** What names related rows, as further values behind the requested columns. */
export type ShapeQuery = PageQuery & { readonly names?: readonly RelatedLabel[] }

/** A page's query, every column of which exists and may be read by the actor. */
export type PageShape = {
  readonly access: Access
  readonly query: PageQuery
  /** The table, with the labels that the order needs. */
  readonly of: SourceTable
  readonly labels: readonly LabelColumn[]
  /** The order by columns alone. */
  readonly sort: readonly SortColumn[]
  readonly terms: readonly Term[]
  readonly names: readonly NameColumn[]
  /** The columns of a row: the requested ones, the names, then others that the key and the order need. */
  readonly columns: readonly string[]
  /** To how much those of them are cut that are; the full length of each follows after all columns. */
  readonly cut: ReadonlyMap<string, number>
  /** The column of each value of a row. */
  readonly cells: readonly (Column | undefined)[]
  /** The places in a row of the key's values, and of those that it is sorted by. */
  readonly keyPlaces: readonly number[]
  readonly sortPlaces: readonly number[]
  /** The places of the values that are masked in some rows, and of the names that say in which. */
  readonly masks: readonly { readonly at: number; readonly by: number }[]
  /** The places of the values that are masked if they look like secrets. */
  readonly judged: readonly number[]
  /** Whether nothing identifies a row, so that pages can only be found by counting. */
  readonly isCounted: boolean
  /** Whether each row has a place of its own in the order. */
  readonly isTotal: boolean
}

/** Shortest beginning by which a value can be judged, characters; shorter ones are not cut. */
const JUDGED = 100

/** Where reading starts, and in which direction. */
export type Start = { readonly backwards: boolean; readonly anchor?: Anchor }

/** Checks the query. Throws `TABLE_UNKNOWN_COLUMN` and `NOT_FOUND`. */
export function pageShape(catalogue: Catalogue, access: Access, query: ShapeQuery): PageShape {
  const { of, labels, sort } = sortedTable(catalogue, access, query.sort)
  const { table, locator } = of
  for (const column of query.columns) shownColumn({ of, access }, column)
  const ordered: Ordered = {
    tie: table.key.length > 0 ? table.key : locator,
    columns: [...of.columns.keys()].filter((column) => access.canRead(column)),
    nullable: (column) => of.columns.get(column)?.nullable ?? false,
  }
  const sorted = sort.map(({ column }) => column)
  const lengthOf = (column: string): number =>
    query.cut?.lengths?.get(column) ?? query.cut?.length ?? 0
  const masks = query.columns.flatMap((column) => access.maskOf(column) ?? [])
  const needed = [...table.key, ...sorted, ...masks.map(({ by }) => by)]
  const names = (query.names ?? []).flatMap((relation, at) => nameColumns(catalogue, relation, at))
  const read = [...query.columns, ...names.map(({ name }) => name)]
  const columns = [...new Set([...read, ...needed])]
  const nameOf = new Map(names.map(({ name, column }) => [name, column]))
  const placeOf = (column: string): number => columns.indexOf(column)
  return {
    access,
    query,
    of,
    labels,
    names,
    sort,
    terms: orderTerms(ordered, sort),
    columns,
    cut: new Map(
      (query.cut?.columns ?? [])
        .filter(
          (column) =>
            query.columns.includes(column) &&
            !needed.includes(column) &&
            (lengthOf(column) >= JUDGED || !(access.maskOf(column) || access.judges(column))),
        )
        .map((column) => [column, lengthOf(column)]),
    ),
    cells: columns.map((column) => nameOf.get(column) ?? of.columns.get(column)),
    keyPlaces: table.key.map(placeOf),
    sortPlaces: sorted.map(placeOf),
    isCounted: locator.length === 0,
    masks: masks.map(({ column, by }) => ({ at: query.columns.indexOf(column), by: placeOf(by) })),
    judged: query.columns.flatMap((column, at) => (access.judges(column) ? at : [])),
    // Rows that look alike to an order may differ in what it must not be asked about.
    isTotal: isTotal(ordered, sort) && (ordered.tie.length > 0 || masks.length === 0),
  }
}

/** The columns that name a related row: the label, and what follows it. */
export const labelParts = ({ label, more = [] }: RelatedLabel): readonly string[] => [
  label,
  ...more,
]

/** Throws `TABLE_UNKNOWN_COLUMN` for a column of the related table that the actor may not read. */
function nameColumns(catalogue: Catalogue, relation: RelatedLabel, at: number): NameColumn[] {
  const other = { of: tableOf(catalogue, relation.access), access: relation.access }
  return labelParts(relation).map((wanted, part) => ({
    name: `tablewire_name_${at}_${part}`,
    relation,
    column: readableColumn(other, wanted),
  }))
}

/** The runs of rows that make up the order from `start`, to be read one after the other. */
export function runsOf(context: SqlContext, shape: PageShape, start: Start): Block[] {
  const { of } = shape
  const runs = wholeRuns(context, shape, start)
  return runs.map((run) => ({
    ...run,
    terms: context.dialect.decidingTerms?.(of, indexedRun(shape, run)) ?? run.terms,
  }))
}

/** The same with all terms of the order. */
function wholeRuns(context: SqlContext, shape: PageShape, { backwards, anchor }: Start): Block[] {
  const scope = scopeOfSorted(context, shape.access, shape)
  const terms = backwards ? reverse(shape.terms) : shape.terms
  const places = placesOf(scope)
  if (anchor) {
    const { table } = shape.of
    return fromAnchor(terms, anchorValues(terms, shape.sort, table.key, anchor), places)
  }
  // Each run would compute the whole view again.
  return shape.isCounted
    ? [{ conditions: [], terms, equal: [], seeks: [] }]
    : wholeOrder(terms, places)
}

/** The same rows as one run, for an engine that would scan the whole table for each run. */
export function wholeRun(shape: PageShape, runs: readonly Block[], start: Start): Block {
  return {
    conditions: start.anchor ? [anyRun(runs)] : [],
    terms: start.backwards ? reverse(shape.terms) : shape.terms,
    equal: [],
    seeks: [],
  }
}

const placesOf = (scope: Scope): Places => ({
  column: (wanted) => columnSql(scope, wanted),
  seeks: (wanted, comparison, value) =>
    heldBack(
      scope,
      wanted,
      scope.context.dialect.seeks(anyOperand(scope, wanted), comparison, value),
    ),
  seeksAll: (columns, comparison, values) =>
    scope.context.dialect.entersAll(scope.of, columns)
      ? scope.context.dialect.seeksAll(
          columns.map((wanted) => anyOperand(scope, wanted)),
          comparison,
          values,
        )
      : undefined,
})

/** By an index of labels, the engine would read those of hidden rows, and its time would tell of them. */
function heldBack(scope: Scope, wanted: string, sought: Sql): Sql {
  const label = scope.labels?.find((one) => one.name === wanted)
  const isHidden = label !== undefined && !label.access.seesAllRows
  return isHidden ? (scope.context.dialect.isTrue?.(sought) ?? sought) : sought
}

/** A row number is not among the table's columns. */
const anyOperand = (scope: Scope, wanted: string): Operand => ({
  sql: columnSql(scope, wanted),
  column: scope.of.columns.get(wanted) ?? ROW_NUMBER,
})

const ROW_NUMBER = {
  name: 'row number',
  declared: '',
  type: 'integer',
  nullable: false,
  generated: true,
  hasDefault: true,
} as const

/** The first `limit` rows of all runs together. */
export function runsSql(
  context: SqlContext,
  shape: PageShape,
  runs: readonly Block[],
  limit: number,
): Sql {
  const [first, ...others] = runs.map((run) => runSql(context, shape, run, limit))
  if (!first || others.length === 0) return first ?? sql``
  const parts = [first, ...others].map((run, i) => sql`select * from (${run}) as r${whole(i)}`)
  return sql`${join(parts, ' union all ')} ${context.dialect.limit(limit)}`
}

/** Whether the engine has to sort the rows, because no index holds what decides their order. */
function isSorted({ of: { table, locator } }: PageShape, { terms, equal }: Block): boolean {
  const first = terms.find(({ column }) => !equal.includes(column))?.column
  if (first === undefined || table.key.includes(first) || locator.includes(first)) return false
  return !table.indexes.some(({ columns }) => columns.some(({ name }) => name === first))
}

function runSql(context: SqlContext, shape: PageShape, run: Block, limit: number): Sql {
  // Rows are sorted in a table of their own where they are joined with others, so that only their keys are; names are
  // read of those alone that are kept.
  if (shape.labels.length > 0 || (shape.names.length > 0 && isSorted(shape, run)))
    return jumpSql(context, shape, run, { limit })
  const scope = scopeOfSorted(context, shape.access, shape)
  return sql`select ${cellList(scope, shape)} from ${orderedSql(scope, shape, run)} ${scope.context.dialect.limit(limit)}`
}

/** The run comes before the filters: SQLite chooses an index by the first condition it can use. */
function orderedSql(scope: Scope, shape: PageShape, run: Block): Sql {
  const { context, of } = scope
  const demands = [...run.conditions, ...conditions(scope, shape.query.where)]
  const order = orderSql(scope, run.terms)
  const [table, joins] = [fromSql(scope), joinsSql(scope)]
  const pieces = context.dialect.inPieces?.(of, table, (column) => columnSql(scope, column))
  if (pieces) return sql`${pieces}${joins}${whereSql(demands)}${order}`
  const indexes = context.dialect.indexes?.(of, indexedRun(shape, run)) ?? sql``
  return sql`${table}${indexes}${joins}${whereSql([...guards(scope), ...demands])}${order}`
}

/** Skips rows by their keys alone, and reads only the requested rows in full. */
export function jumpSql(
  context: SqlContext,
  shape: PageShape,
  run: Block,
  { skip, limit }: { readonly skip?: number; readonly limit: number },
): Sql {
  const scope = scopeOfSorted(context, shape.access, shape)
  const { locator } = scope.of
  const rest = sql` from ${orderedSql(scope, shape, run)} ${context.dialect.limit(limit, skip)}`
  if (locator.length === 0) return sql`select ${cellList(scope, shape)}${rest}`
  const fetch: Scope = { ...scope, depth: 1 }
  const found = sql`select ${join(locator.map((column) => columnSql(scope, column)))}${rest}`
  const same = locator.map((column, i) => sql`${columnSql(fetch, column)} = ${FOUND}.${place(i)}`)
  const places = join(locator.map((_, i) => place(i)))
  return sql`with ${FOUND}(${places}) as (${found}) select ${cellList(fetch, shape)} from ${FOUND} ${context.dialect.lookUp} ${fromSql(fetch)} on ${all(same)}${joinsSql(fetch)}${orderSql(fetch, run.terms)}`
}

/** Cannot clash with a table: those whose names begin like this are never listed. */
const FOUND = name('tablewire_found')

/** What a run needs of an index. */
export function indexedRun({ access, query }: PageShape, run: Block): IndexedRun {
  const where = { op: 'and', all: [access.grant.rows, query.where] } as const
  const filters = plainColumns(where)
  return {
    terms: run.terms,
    equal: [...run.equal, ...equalColumns(where)],
    entered: filters && [...run.seeks, ...filters],
    unfiltered: { terms: run.terms, equal: run.equal, entered: run.seeks },
  }
}

const place = (i: number): Sql => name(`k${i}`)

const whereSql = (demands: readonly Sql[]): Sql =>
  demands.length === 0 ? sql`` : sql` where ${all(demands)}`

const orderSql = (scope: Scope, terms: readonly Term[]): Sql =>
  terms.length === 0 ? sql`` : sql` order by ${join(terms.map((term) => termSql(scope, term)))}`

function termSql(scope: Scope, term: Term): Sql {
  const { dialect } = scope.context
  const column = scope.of.columns.get(term.column)
  return term.isExact && column
    ? dialect.ordered(dialect.exact(operand(scope, column)), term)
    : dialect.ordered(columnSql(scope, term.column), term, column)
}
