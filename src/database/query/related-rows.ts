/** Finds the rows that one row refers to. */

import type { RelatedRow, RelationQuery, Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import type { QueryRunner } from '../query-runner.ts'
import { lookUp, type Found, type Lookup } from './lookups.ts'
import { tableOf, type SqlContext } from './scope.ts'

/** The related row of each relation; a NULL refers to none. */
export async function findRelated(
  runner: QueryRunner,
  relations: readonly RelationQuery[],
  valueOf: (column: string) => Value,
  run?: Run,
): Promise<(RelatedRow | undefined)[]> {
  const lookups = relations.flatMap(
    ({ columns, access, references, label, more }, place): Lookup[] => {
      const values = columns.map(valueOf)
      const read = access.table.key
      return values.includes(null)
        ? []
        : [{ access, references, label, more, read, place, values, isMany: false }]
    },
  )
  const found = new Map((await lookUp(runner, lookups, run)).map((one) => [one.place, one]))
  return relations.map((relation, place) => rowOf(runner, relation, found.get(place)))
}

function rowOf(
  { catalogue, dialect }: SqlContext,
  { access, label }: RelationQuery,
  found: Found | undefined,
): RelatedRow | undefined {
  if (!found) return undefined
  const { table, columns } = tableOf(catalogue, access)
  return {
    key: table.key.map((name, i) => {
      const column = columns.get(name)
      return column ? dialect.fromUnion(found.values[i] ?? null, column) : null
    }),
    label: label === undefined ? null : found.label,
  }
}
