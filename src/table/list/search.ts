/** Turns what a person types into a condition on rows. */

import type { Relation } from '../catalog.ts'
import type { Access } from '../source/access.ts'
import { nothing, type Predicate } from '../source/predicate.ts'
import type { Column, ValueType } from '../source/schema.ts'
import type { TableDefinition } from '../definition/table-definition.ts'
import type { Value } from '../source/value.ts'

/**
 * Rows in which any readable column holds the text: text columns hold it anywhere, numbers equal
 * it, and related rows hold it in their label.
 */
export function searchPredicate(
  text: string,
  definition: TableDefinition,
  access: Access,
  relations: ReadonlyMap<string, Relation>,
): Predicate {
  const readable = definition.table.columns.filter(({ name }) => access.canRead(name))
  const all = readable.flatMap((column) => columnPredicates(text, column, definition, relations))
  return all.length === 0 ? nothing : { op: 'or', all }
}

function columnPredicates(
  text: string,
  column: Column,
  definition: TableDefinition,
  relations: ReadonlyMap<string, Relation>,
): Predicate[] {
  const { name } = column
  if (!definition.columns.get(name)?.searchable) return []
  const relation = relations.get(name)
  if (relation) {
    const where: Predicate = { op: 'contains', column: relation.label, text }
    return [
      {
        op: 'related',
        column: name,
        table: relation.access.table.name,
        references: relation.references,
        where,
      },
    ]
  }
  if (!NUMERIC.has(column.type)) return [{ op: 'contains', column: name, text }]
  const value = numberOf(text, column)
  return value === undefined ? [] : [{ op: 'eq', column: name, value }]
}

const NUMERIC: ReadonlySet<ValueType> = new Set(['integer', 'decimal', 'float'])

/** Drops grouping commas, which people type and databases reject. */
export function numberOf(text: string, { type }: Column): Value | undefined {
  const digits = text.replace(/(?<=\d),(?=\d{3}\b)/g, '')
  if (type === 'integer' && /^-?\d{1,19}$/.test(digits)) {
    const whole = BigInt(digits)
    if (whole !== BigInt.asIntN(64, whole)) return undefined
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
  }
  const isNumeric = type === 'decimal' || type === 'float'
  return isNumeric && /^-?\d{1,15}(\.\d{1,12})?$/.test(digits) ? Number(digits) : undefined
}
