/** The statements of one page: blocks of rows in order, or a jump over rows by their keys. */

import type { Access } from '../../table/access.ts'
import type { Anchor, PageQuery, RelatedLabel } from '../../table/row-source.ts'
import { fromAnchor, wholeOrder, type Block } from '../keyset.ts'
import { anchorValues, orderBy, orderTerms, reverse, type Term } from '../order.ts'
import { all, bind, join, name, render, sql, type Sql, type Statement } from '../sql.ts'
import { sqliteDialect } from './dialect.ts'
import { conditions, plainColumns } from './predicate-sql.ts'
import type { Catalogue } from './tables.ts'
import {
  columnSql,
  fromSql,
  guards,
  readableColumn,
  unknownColumn,
  scopeOf,
  tableOf,
  type Scope,
  type Workbench,
} from './scope.ts'

/** A page's query, every column of which exists and may be read by the actor. */
export type PageShape = {
  readonly access: Access
  readonly query: PageQuery
  readonly terms: readonly Term[]
  /** What a row holds: the asked columns, then what else the key and the order need. */
  readonly columns: readonly string[]
  /** Where the key and the values of the sort columns stand among them. */
  readonly keyPlaces: readonly number[]
  readonly sortPlaces: readonly number[]
  readonly isBoolean: readonly boolean[]
  /** Whether rows can only be counted off: nothing identifies them. */
  readonly isCounted: boolean
}

/** Which rows are read, and which way. */
export type Reading =
  | { readonly from: 'edge'; readonly backwards: boolean }
  | { readonly from: 'anchor'; readonly backwards: boolean; readonly anchor: Anchor }
  | { readonly from: 'offset'; readonly backwards: boolean; readonly skip: number }

/** A statement that gives rows of the page. Its last bind is how many rows it may give. */
export type OrderedStatement = Statement & {
  /** The part whose plan decides what it costs. */
  readonly explained: string
  /** Columns that an index must be entered by, or `undefined` where none can serve. */
  readonly entered: readonly string[] | undefined
}

/** Checks the query. Throws `TABLE_UNKNOWN_COLUMN` and `NOT_FOUND`. */
export function pageShape(catalogue: Catalogue, access: Access, query: PageQuery): PageShape {
  const scope = scopeOf({ catalogue, isGuarded: false }, access)
  const { table, locator } = scope.of
  for (const column of query.columns) readableColumn(scope, column)
  for (const { column } of query.sort) readableColumn(scope, column)
  for (const relation of query.related ?? []) checkRelation(catalogue, query, relation)
  const terms = orderTerms(
    {
      tie: table.key.length > 0 ? table.key : locator,
      nullable: (column) => scope.of.columns.get(column)?.nullable ?? false,
    },
    query.sort,
  )
  const sorted = query.sort.map(({ column }) => column)
  const columns = [...new Set([...query.columns, ...table.key, ...sorted])]
  const placeOf = (column: string): number => columns.indexOf(column)
  return {
    access,
    query,
    terms,
    columns,
    keyPlaces: table.key.map(placeOf),
    sortPlaces: sorted.map(placeOf),
    isBoolean: columns.map((column) => scope.of.columns.get(column)?.type === 'boolean'),
    isCounted: locator.length === 0,
  }
}

function checkRelation(catalogue: Catalogue, { columns }: PageQuery, relation: RelatedLabel): void {
  const { column, access, references, label } = relation
  if (!columns.includes(column)) throw unknownColumn(column)
  const other = { of: tableOf(catalogue, access), access }
  readableColumn(other, references)
  readableColumn(other, label)
}

/** The statements to be read one after the other until there are `limit` rows. */
export function pageStatements(
  bench: Workbench,
  shape: PageShape,
  reading: Reading,
  limit: number,
): OrderedStatement[] {
  const scope = scopeOf(bench, shape.access)
  const terms = reading.backwards ? reverse(shape.terms) : shape.terms
  if (reading.from === 'offset')
    return [jumpStatement(scope, shape, terms, join([bind(reading.skip), bind(limit)]))]
  return blocks(scope, shape, terms, reading).map((block) =>
    blockStatement(scope, shape, block, limit),
  )
}

function blocks(
  scope: Scope,
  { query }: PageShape,
  terms: readonly Term[],
  reading: Exclude<Reading, { from: 'offset' }>,
): Block[] {
  const { table, locator } = scope.of
  const column = (name: string): Sql => columnSql(scope, name)
  if (reading.from === 'anchor')
    return fromAnchor(terms, anchorValues(terms, query.sort, table.key, reading.anchor), column)
  // Each block of a view would make the whole view once more.
  return locator.length === 0 ? [{ conditions: [], terms, seeks: [] }] : wholeOrder(terms, column)
}

function blockStatement(
  scope: Scope,
  { columns, query }: PageShape,
  block: Block,
  limit: number,
): OrderedStatement {
  // The block comes before the filters: SQLite enters an index by the first condition that fits.
  const demands = [...guards(scope), ...block.conditions, ...conditions(scope, query.where)]
  const statement = render(
    sql`select ${columnList(scope, columns)} from ${fromSql(scope)}${whereSql(demands)}${orderSql(scope, block.terms)} limit ${bind(limit)}`,
    sqliteDialect,
  )
  const filters = filterColumns(scope.access, query)
  return {
    ...statement,
    explained: statement.text,
    entered: filters && [...block.seeks, ...filters],
  }
}

/** Skips over what finds the rows, and fetches only those that are wanted. */
function jumpStatement(
  scope: Scope,
  { columns, query }: PageShape,
  terms: readonly Term[],
  window: Sql,
): OrderedStatement {
  const { locator } = scope.of
  const demands = [...guards(scope), ...conditions(scope, query.where)]
  const rest = sql` from ${fromSql(scope)}${whereSql(demands)}${orderSql(scope, terms)} limit ${window}`
  const entered = filterColumns(scope.access, query)
  if (locator.length === 0) {
    const statement = render(sql`select ${columnList(scope, columns)}${rest}`, sqliteDialect)
    return { ...statement, explained: statement.text, entered }
  }
  const fetch: Scope = { ...scope, depth: 1 }
  const found = sql`select ${columnList(scope, locator)}${rest}`
  const same = locator.map((column, i) => sql`${columnSql(fetch, column)} = found.${place(i)}`)
  const places = join(locator.map((_, i) => place(i)))
  const statement = render(
    sql`with found(${places}) as (${found}) select ${columnList(fetch, columns)} from found cross join ${fromSql(fetch)} on ${all(same)}${orderSql(fetch, terms)}`,
    sqliteDialect,
  )
  return { ...statement, explained: render(found, sqliteDialect).text, entered }
}

const place = (i: number): Sql => name(`k${i}`)

const columnList = (scope: Scope, columns: readonly string[]): Sql =>
  join(columns.map((column) => columnSql(scope, column)))

const whereSql = (demands: readonly Sql[]): Sql =>
  demands.length === 0 ? sql`` : sql` where ${all(demands)}`

const orderSql = (scope: Scope, terms: readonly Term[]): Sql =>
  terms.length === 0
    ? sql``
    : sql` order by ${orderBy(terms, (column) => columnSql(scope, column))}`

function filterColumns(access: Access, { where }: PageQuery): string[] | undefined {
  return plainColumns({ op: 'and', all: [access.grant.rows, where] })
}
