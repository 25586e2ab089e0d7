/** Infers the kind of a column from its place in the schema, its name and a sample. */

import type { Column, Table } from '../source/schema.ts'
import { factsOf } from './column-facts.ts'
import type { Kind } from './kind.ts'
import { BUILT_IN, type Kinds } from './kinds.ts'
import { text } from './kinds/text.ts'

/** The kind of the first rule that holds, else the default kind of the column's type. */
export function inferKind(
  column: Column,
  table: Table,
  unit: string | undefined,
  kinds: Kinds = BUILT_IN,
): Kind {
  const facts = factsOf(column, table, unit)
  const found = kinds.rules.find(
    ({ rule: { types, when } }) =>
      (types?.includes(column.type) ?? true) && when.every((holds) => holds(facts)),
  )
  return found?.kind ?? kinds.byType.get(column.type) ?? text
}
