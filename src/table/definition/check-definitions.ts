/** Checks the declarations of tables: their options, and whether the database fits them. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import * as v from 'valibot'
import { COLUMN_KINDS } from '../../protocol/table-view.ts'
import type { BulkAction } from '../actions/bulk-action.ts'
import { inputFields } from '../actions/input-fields.ts'
import { FILE_TYPES } from '../../server/upload/file-types.ts'
import { checkKinds, fittingKinds } from './check-kinds.ts'
import { checkTable } from './check-table.ts'
import { type ColumnOptions, LABEL_MAX, type TableOptions, UNIT_MAX } from './define-table.ts'
import {
  checkFields,
  entriesOf,
  type Field,
  type Fields,
  fitting,
  isPlainObject,
  type PlainObject,
  unknown,
  wrong,
} from './fields.ts'
import { checkFilterShape, fittingFilters } from './check-filters.ts'
import type { Kind } from './kind.ts'
import { kindsWith } from './kinds.ts'
import { PAGE_SIZES } from './page-size.ts'
import { DefinitionError, type Problem, quoted, report, within } from './problems.ts'
import type { Schema } from '../source/schema.ts'

const text = (max: number): Field => ({
  schema: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max)),
  expected: `a text of 1 to ${max} characters`,
})
const yesOrNo: Field = { schema: v.boolean(), expected: 'true or false' }
const names = v.array(v.string())
/** A number would stand beside the amount: how many digits that has is known from its currency. */
const UNIT_WORD = new RegExp(String.raw`^\P{N}{1,${UNIT_MAX}}$`, 'u')
/** Most values of a column that have names. */
const NAMES_MAX = 200

/** The name of a built-in or custom kind. */
function kindField(own: readonly Kind[]): Field {
  const names = [...COLUMN_KINDS, ...own.map(({ name }) => name)]
  return { schema: v.picklist(names), expected: `one of ${names.join(', ')}`, names }
}

/** The name of a custom kind, which may have a field. */
function fieldField(own: readonly Kind[]): Field {
  const names = own.map(({ name }) => name)
  const expected = names.length === 0 ? 'a kind listed under kinds' : `one of ${names.join(', ')}`
  return { schema: v.picklist(names), expected, names }
}

/** The options of a column. */
export const COLUMN_FIELDS = {
  label: text(LABEL_MAX),
  kind: kindField([]),
  values: {
    schema: v.pipe(
      v.custom(isPlainObject),
      v.record(v.string(), text(LABEL_MAX).schema),
      v.check((names) => Object.keys(names).length <= NAMES_MAX),
    ),
    expected: `an object with the names of at most ${NAMES_MAX} values, such as { 1: 'Open' }`,
  },
  storage: { schema: v.literal('local'), expected: 'local', names: ['local'] },
  types: {
    schema: v.pipe(v.array(v.picklist(FILE_TYPES)), v.minLength(1)),
    expected: `a list of some of ${FILE_TYPES.join(', ')}`,
  },
  maxBytes: {
    schema: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    expected: 'a whole number of bytes',
  },
  multiple: {
    schema: v.union([v.boolean(), v.pipe(v.number(), v.safeInteger(), v.minValue(1))]),
    expected: 'true, false or most of the files',
  },
  field: fieldField([]),
  unit: {
    schema: v.pipe(v.string(), v.maxLength(UNIT_MAX)),
    expected: `a text of at most ${UNIT_MAX} characters`,
  },
  currency: {
    schema: v.union([v.literal(false), v.string(), v.strictObject({ code: v.string() })]),
    expected: "the name of a column, one currency such as { code: 'EUR' }, or false",
  },
  minorUnit: {
    schema: v.union([v.literal(false), v.pipe(v.string(), v.trim(), v.regex(UNIT_WORD))]),
    expected: `a word of 1 to ${UNIT_MAX} characters without digits, such as cents, or false`,
  },
  help: text(1000),
  summary: { schema: v.picklist(['sum', 'mean', 'none']), expected: 'sum, mean or none' },
  hidden: yesOrNo,
  sortable: yesOrNo,
  searchable: yesOrNo,
} satisfies { [option in keyof ColumnOptions]-?: Field }

/** The options of a table. */
export const TABLE_FIELDS = {
  label: text(LABEL_MAX),
  help: text(1000),
  hidden: yesOrNo,
  write: yesOrNo,
  key: { schema: v.pipe(names, v.minLength(1)), expected: 'a list of one column or more' },
  labelColumn: {
    schema: v.nullable(v.union([v.string(), v.pipe(v.array(v.string()), v.minLength(1))])),
    expected: 'the name of a column, a list of such names, or null',
  },
  sort: {
    schema: v.union([v.string(), names]),
    expected: "such as 'name' or ['-placed_at', 'id']",
  },
  pageSize: { schema: v.picklist(PAGE_SIZES), expected: '25, 50 or 100' },
  reorder: {
    schema: v.union([
      v.literal(false),
      v.strictObject({
        column: v.string(),
        within: v.optional(v.union([v.string(), names])),
        descending: v.optional(v.boolean()),
        hideColumnUnlessReordering: v.optional(v.boolean()),
      }),
    ]),
    expected: "false, or such as { column: 'position', within: 'list_id' }",
  },
  softDelete: {
    schema: v.union([v.literal(false), v.string()]),
    expected: 'the name of a column, or false',
  },
  hideDeleted: yesOrNo,
  shown: { schema: v.pipe(names, v.minLength(1)), expected: 'a list of one column or more' },
  columns: { schema: v.custom(isPlainObject), expected: 'an object with names of columns' },
  form: {
    schema: v.strictObject({
      sections: v.optional(
        v.array(
          v.strictObject({
            title: text(LABEL_MAX).schema,
            help: v.optional(text(1000).schema),
            columns: v.pipe(names, v.minLength(1)),
          }),
        ),
      ),
      shown: v.optional(v.record(v.string(), v.optional(v.function()))),
      lines: v.optional(v.union([v.literal(false), names])),
    }),
    expected:
      "such as { sections: [{ title: 'Place', columns: ['city'] }], shown: { city: (row) => … } }",
  },
  filters: { schema: v.custom(isPlainObject), expected: 'an object with keys of filters' },
  filterSlideDownDefaultVisible: yesOrNo,
  bulkActions: yesOrNo,
  hideBulkActionsWhenEmpty: yesOrNo,
  actions: { schema: v.custom(isPlainObject), expected: 'an object with names of actions' },
  rules: {
    schema: v.custom<TableOptions['rules']>(isStandardSchema),
    expected: 'a schema, such as v.object({ … }) of Valibot',
  },
  changing: { schema: v.function(), expected: 'a function' },
  changed: { schema: v.function(), expected: 'a function' },
} satisfies { [option in keyof TableOptions]-?: Field }

/** The options of an action on many rows. */
export const ACTION_FIELDS = {
  label: text(LABEL_MAX),
  input: {
    schema: v.custom<BulkAction['input']>(isStandardSchema),
    expected: 'a schema, such as v.object({ … }) of Valibot',
  },
  confirm: {
    schema: v.union([v.pipe(v.string(), v.minLength(1)), v.function()]),
    expected: 'a text, or a function of the number of rows',
  },
  repeatable: yesOrNo,
  asJob: yesOrNo,
  allows: { schema: v.function(), expected: 'a function' },
  per: { schema: v.picklist(['set', 'row']), expected: '`set` or `row`' },
  run: { schema: v.function(), expected: 'a function' },
} satisfies { [option in keyof BulkAction]-?: Field }

/** The options that an action must have. */
const ACTION_REQUIRED = ['label', 'run'] as const

function isStandardSchema(value: unknown): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const standard: unknown = Reflect.get(value, '~standard')
  return isPlainObject(standard) && typeof standard['validate'] === 'function'
}

/** Throws `DefinitionError` with every mistake. */
export function assertDefinitions(
  definitions: unknown,
  schema: Schema,
  kinds: readonly Kind[] = [],
): void {
  const problems = [
    ...checkKinds(kinds),
    ...checkDefinitions(definitions, schema, fittingKinds(kinds)),
  ]
  if (problems.length > 0) throw new DefinitionError(problems)
}

/** Every mistake, in the order of the declarations. `own`: custom kinds. */
export function checkDefinitions(
  definitions: unknown,
  { tables }: Schema,
  own: readonly Kind[] = [],
): Problem[] {
  const kinds = kindsWith(own)
  const fields = { ...COLUMN_FIELDS, kind: kindField(own), field: fieldField(own) }
  if (definitions === undefined) return []
  if (!isPlainObject(definitions))
    return [wrong('tables', 'an object with names of tables', definitions)]
  return entriesOf(definitions).flatMap(([name, options]) => {
    const path = within('tables', name)
    const table = tables.find((candidate) => candidate.name === name)
    const existing = tables.map((candidate) => candidate.name)
    return [
      ...(table ? [] : [unknown('table', name, path, existing)]),
      ...checkShape(options, path, fields),
      ...(table && isPlainObject(options)
        ? checkTable(fittingOptions(options, fields), table, tables, kinds)
        : []),
    ]
  })
}

function checkShape(options: unknown, path: string, columnFields: Fields): Problem[] {
  if (!isPlainObject(options)) return [wrong(path, 'an object', options)]
  const { columns, actions, filters } = options
  return [
    ...checkFields(options, TABLE_FIELDS, path),
    ...(isPlainObject(filters) ? entriesOf(filters) : []).flatMap(([key, filter]) =>
      checkFilterShape(filter, within(`${path}.filters`, key), key),
    ),
    ...(isPlainObject(actions) ? entriesOf(actions) : []).flatMap(([name, action]) =>
      checkAction(action, within(`${path}.actions`, name)),
    ),
    ...(isPlainObject(columns) ? entriesOf(columns) : []).flatMap(([name, column]) => {
      const at = within(`${path}.columns`, name)
      return isPlainObject(column)
        ? checkFields(column, columnFields, at)
        : [wrong(at, 'an object', column)]
    }),
  ]
}

function checkAction(action: unknown, path: string): Problem[] {
  if (!isPlainObject(action)) return [wrong(path, 'an action, as bulkAction makes it', action)]
  const missing = ACTION_REQUIRED.filter((name) => action[name] === undefined)
  return [
    ...missing.map((name) => report(path, `an action needs ${quoted(name)}.`)),
    ...checkFields(action, ACTION_FIELDS, path),
    ...checkInput(action['input'], `${path}.input`),
  ]
}

/** Whether a form can be made of the schema. */
function checkInput(input: unknown, path: string): Problem[] {
  const schema = v.safeParse(v.custom<StandardSchemaV1>(isStandardSchema), input)
  if (!schema.success) return []
  try {
    inputFields(schema.output)
    return []
  } catch (error) {
    return [report(path, error instanceof Error ? error.message : String(error))]
  }
}

/** The options of the right shape; `checkShape` has reported the others. */
function fittingOptions(options: PlainObject, columnFields: Fields): TableOptions {
  const { columns, filters, ...rest } = fitting(options, TABLE_FIELDS)
  const kept = (isPlainObject(columns) ? entriesOf(columns) : []).map(([name, column]) => [
    name,
    isPlainObject(column) ? fitting(column, columnFields) : {},
  ])
  // Each value has passed the schema of its option, which has the type of the option.
  return {
    ...rest,
    ...(isPlainObject(filters) && { filters: fittingFilters(filters) }),
    columns: Object.fromEntries(kept),
  } as TableOptions
}
