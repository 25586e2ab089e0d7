/** Checks roles of one's own: their options, and whether the database has what they name. */

import * as v from 'valibot'
import { ROLES } from '../../server/actor.ts'
import { isAsked } from '../changes/value-rules.ts'
import { LABEL_MAX, own } from '../definition/define-table.ts'
import {
  checkFields,
  entriesOf,
  type Field,
  isPlainObject,
  type PlainObject,
  unknown,
  wrong,
} from '../definition/fields.ts'
import { DefinitionError, type Problem, quoted, report, within } from '../definition/problems.ts'
import { hiddenReason } from '../definition/scope.ts'
import type { Schema, Table } from '../source/schema.ts'
import { checkCondition, otherTables } from './check-condition.ts'
import type { RoleOptions, RoleTable } from './role.ts'

/** Longest name of a role, characters: as long as a role that an application's sign-in returns. */
const NAME_MAX = 64

const text = (max: number): Field => ({
  schema: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max)),
  expected: `a text of 1 to ${max} characters`,
})
const columns = v.pipe(v.array(v.string()), v.minLength(1))
const someColumns: Field = {
  schema: v.union([v.boolean(), columns]),
  expected: 'true, false, or a list of one column or more',
}

/** The options of a role. */
export const ROLE_FIELDS = {
  label: text(LABEL_MAX),
  help: text(1000),
  tables: { schema: v.custom(isPlainObject), expected: 'an object with names of tables' },
} satisfies { [option in keyof RoleOptions]-?: Field }

/** The options of a table within a role. */
export const ROLE_TABLE_FIELDS = {
  read: {
    schema: v.union([v.literal(true), columns]),
    expected: 'true, or a list of one column or more',
  },
  create: someColumns,
  update: someColumns,
  delete: { schema: v.boolean(), expected: 'true or false' },
  rows: { schema: v.unknown(), expected: '' },
} satisfies { [option in Exclude<keyof RoleTable, '~columns'>]-?: Field }

type Checked = {
  readonly schema: Schema
  /** What is declared about tables. */
  readonly definitions: unknown
}

/** Throws `DefinitionError` with every mistake. */
export function assertRoles(roles: unknown, checked: Checked): void {
  const problems = checkRoles(roles, checked)
  if (problems.length > 0) throw new DefinitionError(problems)
}

/** Every mistake, in the order of the declarations. `roles` is what `defineAdmin` was given. */
export function checkRoles(roles: unknown, checked: Checked): Problem[] {
  if (roles === undefined) return []
  if (!isPlainObject(roles)) return [wrong('roles', 'an object with names of roles', roles)]
  return entriesOf(roles).flatMap(([name, role]) => {
    const path = within('roles', name)
    if (!isPlainObject(role)) return [...checkName(name, path), wrong(path, 'an object', role)]
    const tables = role['tables']
    return [
      ...checkName(name, path),
      ...checkFields(role, ROLE_FIELDS, path),
      ...(tables === undefined ? [report(path, 'name its tables: add tables.')] : []),
      ...(isPlainObject(tables) ? checkTables(tables, `${path}.tables`, checked) : []),
    ]
  })
}

function checkName(name: string, path: string): Problem[] {
  if (ROLES.some((role) => role === name))
    return [report(path, `there is a role ${quoted(name)} already. Choose another name.`)]
  const isFit = name.trim() === name && name !== '' && name.length <= NAME_MAX
  return isFit ? [] : [report(path, `the name of a role has 1 to ${NAME_MAX} characters.`)]
}

function checkTables(tables: PlainObject, path: string, checked: Checked): Problem[] {
  const { schema } = checked
  const existing = schema.tables.map(({ name }) => name)
  const problems = entriesOf(tables).flatMap(([name, options]) => {
    const at = within(path, name)
    const table = schema.tables.find((one) => one.name === name)
    if (!table) return [unknown('table', name, at, existing)]
    if (!isPlainObject(options)) return [wrong(at, 'an object', options)]
    return [
      ...checkFields(options, ROLE_TABLE_FIELDS, at),
      ...checkReading(options, at),
      ...checkColumns(options, at, { ...checked, table }),
      ...(options['rows'] === undefined
        ? []
        : checkCondition(options['rows'], `${at}.rows`, {
            ...{ table, tables: schema.tables, named: Object.keys(tables), path },
          })),
    ]
  })
  return problems.length > 0 ? problems : checkCircles(tables, path)
}

const checkReading = (options: PlainObject, path: string): Problem[] =>
  options['read'] === undefined
    ? [report(path, 'say what it reads: add read: true, or a list of columns.')]
    : []

type CheckedTable = Checked & { readonly table: Table }

function checkColumns(options: PlainObject, path: string, checked: CheckedTable): Problem[] {
  const { table } = checked
  const named = (['read', 'create', 'update'] as const).flatMap((option) =>
    listOf(options[option]).map((name, place, all) => ({
      ...{ option, name, at: `${path}.${option}[${place}]`, isTwice: all.indexOf(name) < place },
    })),
  )
  const isRead = (name: string) =>
    options['read'] === true || table.key.includes(name) || listOf(options['read']).includes(name)
  return [
    ...named.flatMap(({ option, name, at, isTwice }) => {
      const column = table.columns.find((one) => one.name === name)
      if (!column)
        return [
          unknown(
            'column',
            name,
            at,
            table.columns.map((one) => one.name),
          ),
        ]
      if (isTwice) return [report(at, `${quoted(name)} appears twice.`)]
      const shown = whereShown(name, checked)
      if (shown !== undefined)
        return [report(at, `${quoted(name)} is hidden. Show it with ${shown}.hidden: false.`)]
      if (option === 'read') return []
      if (column.generated)
        return [report(at, `${quoted(name)} is written by the database itself.`)]
      return isRead(name)
        ? []
        : [report(at, `the role does not read ${quoted(name)}. Add it to ${path}.read.`)]
    }),
    ...checkNewRows(options, path, checked, isRead),
  ]
}

/** Where a column that is hidden is shown; `undefined` if it is not hidden. */
function whereShown(name: string, { table, schema, definitions }: CheckedTable) {
  const declared = isPlainObject(definitions) ? own(definitions, table.name) : undefined
  const options = isPlainObject(declared) ? declared : {}
  const column = table.columns.find((one) => one.name === name)
  const reason = column && hiddenReason(column, table, schema.tables, options)
  return reason && reason.by !== 'setting'
    ? within(`${within('tables', table.name)}.columns`, name)
    : undefined
}

/** A new row without a value that nobody else gives it would always be refused. */
function checkNewRows(
  options: PlainObject,
  path: string,
  { table }: CheckedTable,
  isRead: (name: string) => boolean,
): Problem[] {
  const { create = false } = options
  if (create === false) return []
  const given = listOf(create)
  return table.columns
    .filter((column) => isAsked(column))
    .filter(({ name }) => (create === true ? !isRead(name) : !given.includes(name)))
    .map(({ name }) =>
      report(
        `${path}.create`,
        `a new row needs ${quoted(name)}. Add it to ${path}.${create === true ? 'read' : 'create'}.`,
      ),
    )
}

const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** Conditions that refer to one another in a circle have no meaning. */
function checkCircles(tables: PlainObject, path: string): Problem[] {
  const reads = new Map(
    entriesOf(tables).map(([name, options]) => [
      name,
      isPlainObject(options) ? otherTables(options['rows']) : [],
    ]),
  )
  const leadsBack = (from: string, to: string, seen: Set<string>): boolean =>
    (reads.get(to) ?? []).some((next) => {
      if (next === from) return true
      if (seen.has(next)) return false
      seen.add(next)
      return leadsBack(from, next, seen)
    })
  const circle = [...reads.keys()].filter((name) => leadsBack(name, name, new Set()))
  const [first] = circle
  return first === undefined
    ? []
    : [
        report(
          `${within(path, first)}.rows`,
          `the conditions of ${circle.map(quoted).join(', ')} refer to one another in a circle.`,
        ),
      ]
}
