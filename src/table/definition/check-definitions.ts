/** Checks what is declared of tables: against what may be declared, and against the database. */

import * as v from 'valibot'
import { COLUMN_KINDS } from '../../protocol/table-view.ts'
import { checkTable } from './check-table.ts'
import { type ColumnOptions, LABEL_MAX, type TableOptions } from './define-table.ts'
import {
  checkFields,
  entriesOf,
  type Field,
  fitting,
  isWritten,
  unknown,
  wrong,
  type Written,
} from './fields.ts'
import { PAGE_SIZES } from './page-size.ts'
import { DefinitionError, type Problem, within } from './problems.ts'
import type { Schema } from '../source/schema.ts'

const text = (max: number): Field => ({
  schema: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max)),
  expected: `a text of 1 to ${max} characters`,
})
const yesOrNo: Field = { schema: v.boolean(), expected: 'true or false' }
const names = v.array(v.string())

/** What may be declared of a column. */
export const COLUMN_FIELDS = {
  label: text(LABEL_MAX),
  kind: { schema: v.picklist(COLUMN_KINDS), expected: `one of ${COLUMN_KINDS.join(', ')}` },
  unit: {
    schema: v.pipe(v.string(), v.maxLength(12)),
    expected: 'a text of at most 12 characters',
  },
  help: text(1000),
  summary: { schema: v.picklist(['sum', 'mean', 'none']), expected: 'sum, mean or none' },
  hidden: yesOrNo,
  sortable: yesOrNo,
  searchable: yesOrNo,
} satisfies { [option in keyof ColumnOptions]-?: Field }

/** What may be declared of a table. */
export const TABLE_FIELDS = {
  label: text(LABEL_MAX),
  help: text(1000),
  hidden: yesOrNo,
  labelColumn: { schema: v.nullable(v.string()), expected: 'the name of a column, or null' },
  sort: {
    schema: v.union([v.string(), names]),
    expected: "such as 'name' or ['-placed_at', 'id']",
  },
  pageSize: { schema: v.picklist(PAGE_SIZES), expected: '25, 50 or 100' },
  shown: { schema: v.pipe(names, v.minLength(1)), expected: 'a list of one column or more' },
  columns: { schema: v.custom(isWritten), expected: 'an object with names of columns' },
} satisfies { [option in keyof TableOptions]-?: Field }

/** Throws `DefinitionError` with every mistake that there is. */
export function assertDefinitions(definitions: unknown, schema: Schema): void {
  const problems = checkDefinitions(definitions, schema)
  if (problems.length > 0) throw new DefinitionError(problems)
}

/** Every mistake, in the order in which things are written. */
export function checkDefinitions(definitions: unknown, { tables }: Schema): Problem[] {
  if (definitions === undefined) return []
  if (!isWritten(definitions))
    return [wrong('tables', 'an object with names of tables', definitions)]
  return entriesOf(definitions).flatMap(([name, options]) => {
    const path = within('tables', name)
    const table = tables.find((candidate) => candidate.name === name)
    const known = tables.map((candidate) => candidate.name)
    return [
      ...(table ? [] : [unknown('table', name, path, known)]),
      ...checkShape(options, path),
      ...(table && isWritten(options) ? checkTable(fittingOptions(options), table, tables) : []),
    ]
  })
}

function checkShape(options: unknown, path: string): Problem[] {
  if (!isWritten(options)) return [wrong(path, 'an object', options)]
  const { columns } = options
  return [
    ...checkFields(options, TABLE_FIELDS, path),
    ...(isWritten(columns) ? entriesOf(columns) : []).flatMap(([name, column]) => {
      const at = within(`${path}.columns`, name)
      return isWritten(column)
        ? checkFields(column, COLUMN_FIELDS, at)
        : [wrong(at, 'an object', column)]
    }),
  ]
}

/** What has the right shape; what has not is told once and not looked at again. */
function fittingOptions(options: Written): TableOptions {
  const { columns, ...rest } = fitting(options, TABLE_FIELDS)
  const kept = (isWritten(columns) ? entriesOf(columns) : []).map(([name, column]) => [
    name,
    isWritten(column) ? fitting(column, COLUMN_FIELDS) : {},
  ])
  // Each value fits the schema of its option, which is that of its type.
  return { ...rest, columns: Object.fromEntries(kept) } as TableOptions
}
