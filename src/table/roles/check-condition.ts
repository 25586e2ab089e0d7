/** Checks a role's condition on rows against the tables that it names. */

import * as v from 'valibot'
import { checkFields, type Field, isPlainObject, unknown, wrong } from '../definition/fields.ts'
import { type Problem, quoted, report, within } from '../definition/problems.ts'
import { LONG_TYPES, type Table } from '../source/schema.ts'
import { suits } from './row-condition.ts'

type Checked = {
  readonly table: Table
  readonly tables: readonly Table[]
  /** The tables that the role names, and where. */
  readonly named: readonly string[]
  readonly path: string
}

const name: Field = { schema: v.string(), expected: 'a name' }
const anything: Field = { schema: v.unknown(), expected: '' }
const names: Field = {
  schema: v.pipe(v.array(v.string()), v.minLength(1)),
  expected: 'a list of one column or more',
}
const all: Field = { schema: v.array(v.unknown()), expected: 'a list of conditions' }
const compared = { op: anything, column: name, value: anything }
const searched = { op: anything, column: name, text: anything }

/** What each kind of condition has. */
const FIELDS = {
  and: { op: anything, all },
  or: { op: anything, all },
  not: { op: anything, of: anything },
  null: { op: anything, column: name },
  eq: compared,
  lt: compared,
  lte: compared,
  gt: compared,
  gte: compared,
  in: { op: anything, column: name, values: anything },
  contains: searched,
  starts: searched,
  related: { op: anything, column: name, table: name, references: name, where: anything },
  referred: { op: anything, table: name, columns: names, references: names, where: anything },
} as const
const OPS = Object.keys(FIELDS)

/** Deepest nesting of conditions. */
const DEPTH_MAX = 30

/** Every mistake in a condition on rows of a table. */
export function checkCondition(
  condition: unknown,
  at: string,
  checked: Checked,
  depth = 0,
): Problem[] {
  if (!isPlainObject(condition))
    return [
      wrong(at, "a condition, such as { op: 'eq', column: 'region', value: 'south' }", condition),
    ]
  const { op } = condition
  if (!isOp(op)) return [wrong(`${at}.op`, `one of ${OPS.join(', ')}`, op, OPS)]
  if (depth > DEPTH_MAX) return [report(at, 'conditions are nested too deep.')]
  const fields = FIELDS[op]
  const missing = Object.keys(fields).filter((field) => condition[field] === undefined)
  const shape = [
    ...missing.map((field) => report(at, `a condition ${quoted(op)} needs ${quoted(field)}.`)),
    ...checkFields(condition, fields, at),
  ]
  if (shape.length > 0) return shape
  const inner = (part: unknown, path: string, table = checked.table) =>
    checkCondition(part, path, { ...checked, table }, depth + 1)
  switch (op) {
    case 'and':
    case 'or':
      return listIn(condition['all']).flatMap((part, place) => inner(part, `${at}.all[${place}]`))
    case 'not':
      return inner(condition['of'], `${at}.of`)
    case 'related':
    case 'referred': {
      const table = checked.tables.find((one) => one.name === condition['table'])
      return [
        ...checkOther(condition, at, checked, table),
        ...(table ? inner(condition['where'], `${at}.where`, table) : []),
      ]
    }
    default:
      return [
        ...checkColumns([condition['column']], `${at}.column`, checked.table),
        ...checkValue(condition, at, checked.table),
      ]
  }
}

const isOp = (op: unknown): op is keyof typeof FIELDS => typeof op === 'string' && OPS.includes(op)

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function checkColumns(wanted: readonly unknown[], at: string, { columns }: Table): Problem[] {
  const existing = columns.map((column) => column.name)
  return wanted.flatMap((one, place) =>
    existing.some((known) => known === one)
      ? []
      : [unknown('column', String(one), wanted.length > 1 ? `${at}[${place}]` : at, existing)],
  )
}

/** The rows of another table: as far as the role sees them, so it has to name the table, too. */
function checkOther(
  condition: { readonly [field: string]: unknown },
  at: string,
  { table: here, tables, named, path }: Checked,
  table: Table | undefined,
): Problem[] {
  const wanted = String(condition['table'])
  if (!table)
    return [
      unknown(
        'table',
        wanted,
        `${at}.table`,
        tables.map((one) => one.name),
      ),
    ]
  const [own, theirs] =
    condition['op'] === 'related'
      ? [[condition['column']], [condition['references']]]
      : [listIn(condition['references']), listIn(condition['columns'])]
  const [ownAt, theirsAt] =
    condition['op'] === 'related' ? ['column', 'references'] : ['references', 'columns']
  return [
    ...(named.includes(wanted)
      ? []
      : [
          report(
            `${at}.table`,
            `the role sees no row of ${quoted(wanted)}. Name the table in ${within(path, wanted)}.`,
          ),
        ]),
    ...checkColumns(own, `${at}.${ownAt}`, here),
    ...checkColumns(theirs, `${at}.${theirsAt}`, table),
    ...(own.length === theirs.length
      ? []
      : [report(at, 'columns and references have to be equally many.')]),
  ]
}

/** What stands there itself; what a function finds is checked when it is asked. */
function checkValue(
  condition: { readonly [field: string]: unknown },
  at: string,
  { columns }: Table,
): Problem[] {
  const column = columns.find((one) => one.name === condition['column'])
  if (!column) return []
  const { op } = condition
  if (op === 'contains' || op === 'starts') {
    if (!LONG_TYPES.has(column.type) || column.type === 'binary')
      return [report(`${at}.column`, `no text is searched in a column of ${column.type}.`)]
    return typeof condition['text'] === 'string' || typeof condition['text'] === 'function'
      ? []
      : [wrong(`${at}.text`, 'a text, or a function that returns one', condition['text'])]
  }
  const expected = `a value of ${column.type}, or a function that returns one`
  const isFit = (value: unknown) => typeof value === 'function' || suits(value, column.type)
  if (op === 'in') {
    const { values } = condition
    if (typeof values === 'function') return []
    if (!Array.isArray(values)) return [wrong(`${at}.values`, 'a list of values', values)]
    return values.flatMap((value, place) =>
      suits(value, column.type) ? [] : [wrong(`${at}.values[${place}]`, expected, value)],
    )
  }
  const { value } = condition
  if (op === 'null' || isFit(value)) return []
  return value === null
    ? [report(`${at}.value`, "rows without a value are found by { op: 'null' }.")]
    : [wrong(`${at}.value`, expected, value)]
}

/** The other tables that a condition reads. */
export function otherTables(condition: unknown): string[] {
  if (!isPlainObject(condition)) return []
  const { op, all: parts, of, where, table } = condition
  const isOther = op === 'related' || op === 'referred'
  return [
    ...(isOther && typeof table === 'string' ? [table] : []),
    ...[...listIn(parts), of, where].flatMap(otherTables),
  ]
}
