/** Describes a PostgreSQL table's columns. */

import type { Column } from '../../table/source/schema.ts'
import type { AllowedValues } from './check-list.ts'
import type { ColumnRow } from './catalogue-rows.ts'
import type { ColumnTypes } from './column-type.ts'
import type { ColumnSample } from './sample.ts'

/** What describes a table's columns besides their rows in the system catalogue. */
export type ColumnFacts = {
  readonly types: ColumnTypes
  /** The values that checks of the table allow, and those that checks of each domain allow. */
  readonly allowed: readonly AllowedValues[]
  readonly domainAllowed: ReadonlyMap<number, readonly string[]>
  /** Distinct values by column; a negative number is a fraction of all rows. */
  readonly distinct: ReadonlyMap<string, number>
  readonly samples: ReadonlyMap<string, ColumnSample>
  readonly estimate: number | null
}

export function describeColumn(row: ColumnRow, facts: ColumnFacts): Column {
  const { types } = facts
  const domains = types.around(row.type).filter(({ kind }) => kind === 'd')
  const isComputed = row.generated !== ''
  const isCounted = row.identity !== '' || /^nextval\(/.test(row.default ?? '')
  const described = types.describe(row)
  const allowed = described.allowed ?? allowedBy(row, facts)
  const distinct = distinctOf(row.name, facts)
  const sample = facts.samples.get(row.name)
  return {
    ...described,
    name: row.name,
    declared: row.declared,
    nullable: !row.notNull && !domains.some(({ notNull }) => notNull),
    generated: isComputed || row.identity === 'a',
    hasDefault:
      !isComputed &&
      (row.default !== null || row.identity !== '' || domains.some((one) => one.hasDefault)),
    ...(allowed && !described.array && { allowed }),
    ...(row.default !== null && !isComputed && { default: row.default }),
    ...(isCounted && { identity: true }),
    ...(row.comment !== null && { comment: row.comment }),
    ...(distinct !== undefined && { distinct }),
    ...(sample && sample.values.length > 0 && { sample: sample.values }),
    ...(sample && { sampled: sample.sampled }),
  }
}

function allowedBy({ name, type }: ColumnRow, { types, allowed, domainAllowed }: ColumnFacts) {
  const ofColumn = allowed.find(({ column }) => column === name)
  if (ofColumn) return ofColumn.values
  return types
    .around(type)
    .map(({ oid }) => domainAllowed.get(oid))
    .find((values) => values !== undefined)
}

function distinctOf(name: string, { distinct, estimate }: ColumnFacts): number | undefined {
  const known = distinct.get(name)
  if (known === undefined) return undefined
  if (known >= 0) return Math.round(known)
  return estimate === null ? undefined : Math.round(-known * estimate)
}
