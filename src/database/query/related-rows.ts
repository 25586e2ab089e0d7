/** Finds the rows that one row refers to, in one statement. */

import { everything } from '../../table/source/predicate.ts'
import type { RelatedRow, RelationQuery, Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import { queryScope, type QueryRunner } from '../query-runner.ts'
import { LABEL_MAX } from './labels.ts'
import { equals, policyConditions } from './predicate-sql.ts'
import {
  fromSql,
  guards,
  operand,
  readableColumn,
  scopeOf,
  tableOf,
  unknownColumn,
  type SqlContext,
} from './scope.ts'
import { all, join, sql, whole, type Sql } from './sql.ts'

/** A relation, the values that refer to its row, none of them NULL, and its index in the list. */
export type WantedRow = {
  readonly relation: RelationQuery
  readonly values: readonly Value[]
  readonly place: number
}

/** Throws `TABLE_UNKNOWN_COLUMN` for columns that the actor may not read, whatever the row holds. */
export function checkRelations(
  { catalogue }: SqlContext,
  columns: readonly string[],
  relations: readonly RelationQuery[],
): void {
  for (const { columns: own, access, references, label } of relations) {
    const missing = own.find((column) => !columns.includes(column))
    if (missing !== undefined) throw unknownColumn(missing)
    const other = { of: tableOf(catalogue, access), access }
    for (const column of references) readableColumn(other, column)
    if (label !== undefined) readableColumn(other, label)
  }
}

/** The related row of each relation; a NULL refers to none. */
export async function findRelated(
  runner: QueryRunner,
  relations: readonly RelationQuery[],
  valueOf: (column: string) => Value,
  run?: Run,
): Promise<(RelatedRow | undefined)[]> {
  const wanted = relations.flatMap((relation, place): WantedRow[] => {
    const values = relation.columns.map(valueOf)
    return values.includes(null) ? [] : [{ relation, values, place }]
  })
  const found: (RelatedRow | undefined)[] = relations.map(() => undefined)
  const scopes = wanted.map(({ relation }) =>
    queryScope(runner.catalogue, relation.access, everything),
  )
  const [first] = scopes
  if (!first) return found
  const { rows } = await runner.read(
    {
      ...first,
      select: { of: 'related rows', wanted },
      cells: [],
      need: { of: 'lookup' },
      isLong: false,
      isLocal: false,
      hasView: scopes.some(({ hasView }) => hasView),
    },
    run,
  )
  for (const [place, label = null, ...key] of rows)
    found[Number(place)] = rowOf(runner, relations[Number(place)], label, key)
  return found
}

function rowOf(
  { catalogue, dialect }: SqlContext,
  relation: RelationQuery | undefined,
  label: Value,
  key: readonly Value[],
): RelatedRow | undefined {
  if (!relation) return undefined
  const { table, columns } = tableOf(catalogue, relation.access)
  return {
    key: table.key.map((name, i) => {
      const column = columns.get(name)
      return column ? dialect.fromUnion(key[i] ?? null, column) : null
    }),
    label: relation.label === undefined || label === null ? null : String(label),
  }
}

export function relatedRowsSql(context: SqlContext, wanted: readonly WantedRow[]): Sql {
  const keys = wanted.map(({ relation }) => relation.access.table.key.length)
  const width = Math.max(...keys)
  return join(
    wanted.map(
      (one) => sql`select * from (${rowSql(context, one, width)}) as r${whole(one.place)}`,
    ),
    ' union all ',
  )
}

function rowSql(context: SqlContext, { relation, values, place }: WantedRow, width: number): Sql {
  const { dialect } = context
  const { access, references, label } = relation
  const scope = scopeOf(context, access)
  const cell = (column: string) => operand(scope, readableColumn(scope, column))
  const given = references.map(cell)
  const [filler] = given
  const key = access.table.key.map((column) => dialect.unioned(cell(column)))
  // Shorter keys are padded, since all parts of a union need the same number of columns.
  while (filler && key.length < width) key.push(dialect.text(filler))
  const columns = key.map((part, i) => sql`${part} as k${whole(i)}`)
  const named = label === undefined ? filler : cell(label)
  const name = named ? dialect.beginning(dialect.text(named), LABEL_MAX) : sql`''`
  const demands = [
    ...guards(scope),
    ...given.map((one, i) => equals(dialect, one, values[i] ?? null)),
    ...policyConditions(scope),
  ]
  return sql`select ${join([sql`${whole(place)} as relation`, sql`${name} as label`, ...columns])} from ${fromSql(scope)} where ${all(demands)} ${dialect.limit(1)}`
}
