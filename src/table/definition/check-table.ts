/** Checks the options of one table against its columns. */

import {
  checkColumn,
  type Checked,
  isHidden,
  isMasked,
  masked,
  typed,
  unknownColumn,
} from './check-column.ts'
import { type FormOptions, readSort, type TableOptions } from './define-table.ts'
import { keyOfColumn } from '../filters/address.ts'
import { suits } from './column-filter.ts'
import { withDeclaredKey } from './declared-keys.ts'
import { unknown } from './fields.ts'
import { isSortableType, keepsOrder } from './infer.ts'
import type { Kinds } from './kinds.ts'
import { SORT_MAX } from '../list/concerns/sort.ts'
import { marksDeleted } from './soft-delete.ts'
import { type Problem, quoted, report, within } from './problems.ts'
import type { Column, Table } from '../source/schema.ts'

/** Every mistake in options of the right shape. */
export function checkTable(
  options: TableOptions,
  found: Table,
  tables: readonly Table[],
  kinds: Kinds,
): Problem[] {
  const table = withDeclaredKey(found, options.key)
  const checked = { table, tables, options, kinds, path: within('tables', table.name) }
  return [
    ...checkKey({ ...checked, table: found }),
    ...checkLabel(checked),
    ...checkSort(checked),
    ...checkReorder(checked),
    ...checkSoftDelete(checked),
    ...checkShown(checked),
    ...checkForm(options.form ?? {}, checked),
    ...checkFilters(options.filters ?? {}, checked),
    ...Object.entries(options.columns ?? {}).flatMap(([name, column]) =>
      checkColumn(name, column ?? {}, checked),
    ),
  ]
}

/** An option that names a column. */
type Use = {
  readonly name: string
  readonly at: string
  /** Reports why the column cannot be used here. */
  readonly refuse?: (column: Column) => Problem | undefined
}

function checkUse({ name, at, refuse }: Use, checked: Checked): Problem[] {
  const { table, path } = checked
  const column = table.columns.find((candidate) => candidate.name === name)
  if (!column) return [unknownColumn(name, at, table)]
  if (isHidden(column, checked)) {
    const declared = within(`${path}.columns`, name)
    return [report(at, `${quoted(name)} is hidden. Show it with ${declared}.hidden: false.`)]
  }
  return [refuse?.(column) ?? []].flat()
}

/** Only where the database has none: that one tells rows apart for certain. */
function checkKey(checked: Checked): Problem[] {
  const { table, options } = checked
  const { key = [] } = options
  const path = `${checked.path}.key`
  if (key.length > 0 && table.key.length > 0) {
    const names = table.key.map(quoted).join(', ')
    return [report(path, `the database has a key for ${quoted(table.name)}: ${names}.`)]
  }
  return key.flatMap((name, place) => {
    const at = `${path}[${place}]`
    const refuse = (column: Column) =>
      isMasked(column, checked)
        ? masked(column, at, checked)
        : isSortableType(column)
          ? undefined
          : report(at, `a column of ${typed(column)} tells no rows apart.`)
    return [
      ...checkUse({ name, at, refuse }, checked),
      ...checkTwice(name, key.slice(0, place), at),
    ]
  })
}

function checkLabel(checked: Checked): Problem[] {
  const { labelColumn } = checked.options
  const path = `${checked.path}.labelColumn`
  if (typeof labelColumn === 'string') return checkLabelColumn(labelColumn, path, checked)
  return (labelColumn ?? []).flatMap((name, place) =>
    checkLabelColumn(name, `${path}[${place}]`, checked),
  )
}

function checkLabelColumn(name: string, at: string, checked: Checked): Problem[] {
  const refuse = (column: Column) =>
    isMasked(column, checked)
      ? masked(column, at, checked)
      : isSortableType(column)
        ? undefined
        : report(at, `a column of ${typed(column)} cannot name rows.`)
  return checkUse({ name, at, refuse }, checked)
}

function checkSort(checked: Checked): Problem[] {
  const { sort } = checked.options
  if (sort === undefined) return []
  const path = `${checked.path}.sort`
  const names = readSort(sort, new Set(checked.table.columns.map(({ name }) => name)))
  const columns = names.map(({ column }) => column)
  return [
    ...columns.flatMap((name, place) => {
      const at = typeof sort === 'string' ? path : `${path}[${place}]`
      // Keys of any type can order rows, because they break ties.
      const refuse = (column: Column) =>
        isMasked(column, checked)
          ? masked(column, at, checked)
          : isSortableType(column) || checked.table.key.includes(column.name)
            ? undefined
            : report(at, `rows cannot be ordered by ${typed(column)}.`)
      return [
        ...checkUse({ name, at, refuse }, checked),
        ...checkTwice(name, columns.slice(0, place), at),
      ]
    }),
    ...(columns.length > SORT_MAX
      ? [report(path, `rows are ordered by at most ${SORT_MAX} columns.`)]
      : []),
  ]
}

/** Each filter is about a column that may be read, and that holds such values. */
function checkFilters(filters: NonNullable<TableOptions['filters']>, checked: Checked): Problem[] {
  const keys = new Map(checked.table.columns.map(({ name }) => [keyOfColumn(name), name]))
  return Object.entries(filters).flatMap(([key, filter]) => {
    const path = within(`${checked.path}.filters`, key)
    const own = keys.get(key)
    if (!filter) return own === undefined ? [unknown('filter', key, path, keys.keys())] : []
    const at = `${path}.column`
    const refuse = (column: Column) =>
      isMasked(column, checked)
        ? masked(column, at, checked)
        : suits(filter.type, column)
          ? undefined
          : report(at, `a column of ${typed(column)} has no such filter.`)
    return [
      ...(own !== undefined && own !== filter.column
        ? [report(path, `${quoted(key)} is the key of another column’s filter.`)]
        : []),
      ...checkUse({ name: filter.column, at, refuse }, checked),
    ]
  })
}

function checkReorder(checked: Checked): Problem[] {
  const { reorder } = checked.options
  if (!reorder) return []
  const path = `${checked.path}.reorder`
  if (checked.table.isKeyDeclared)
    return [report(path, 'only rows whose key is the database’s own are put in order by hand.')]
  const refuse = (column: Column) =>
    isMasked(column, checked)
      ? masked(column, `${path}.column`, checked)
      : keepsOrder(column, checked.table)
        ? undefined
        : report(`${path}.column`, 'only numbers outside the key can keep an order.')
  return [
    ...checkUse({ name: reorder.column, at: `${path}.column`, refuse }, checked),
    ...[reorder.within ?? []]
      .flat()
      .flatMap((name) => checkUse({ name, at: `${path}.within` }, checked)),
  ]
}

function checkSoftDelete(checked: Checked): Problem[] {
  const { softDelete } = checked.options
  if (!softDelete) return []
  const at = `${checked.path}.softDelete`
  const refuse = (column: Column) =>
    isMasked(column, checked)
      ? masked(column, at, checked)
      : marksDeleted(column, checked.table)
        ? undefined
        : report(
            at,
            'only a date or a moment that may be NULL can mark a row as deleted; whole numbers do, once some of the table count from 1970.',
          )
  return checkUse({ name: softDelete, at, refuse }, checked)
}

function checkShown(checked: Checked): Problem[] {
  const { shown = [] } = checked.options
  return shown.flatMap((name, place) => {
    const at = `${checked.path}.shown[${place}]`
    return [...checkUse({ name, at }, checked), ...checkTwice(name, shown.slice(0, place), at)]
  })
}

/** Each column stands in one section at most, and there is one for each condition. */
function checkForm(
  { sections = [], shown = {}, lines = [] }: FormOptions,
  checked: Checked,
): Problem[] {
  const path = `${checked.path}.form`
  const named = sections.flatMap(({ columns }, section) =>
    columns.map((name, place) => ({ name, at: `${path}.sections[${section}].columns[${place}]` })),
  )
  const names = named.map(({ name }) => name)
  return [
    ...named.flatMap((use, place) => [
      ...checkUse(use, checked),
      ...checkTwice(use.name, names.slice(0, place), use.at),
    ]),
    ...Object.keys(shown).flatMap((name) =>
      checkUse({ name, at: within(`${path}.shown`, name) }, checked),
    ),
    ...(lines || []).flatMap((name, place, all) => [
      ...checkLines(name, `${path}.lines[${place}]`, checked),
      ...checkTwice(name, all.slice(0, place), `${path}.lines[${place}]`),
    ]),
  ]
}

/** Lines refer to the key of their row. */
function checkLines(name: string, at: string, { table, tables }: Checked): Problem[] {
  const lines = tables.find((one) => one.name === name)
  const names = tables.map((one) => one.name)
  if (!lines) return [unknown('table', name, at, names)]
  const refers = lines.foreignKeys.some(
    (link) =>
      link.table === table.name && link.references.every((column) => table.key.includes(column)),
  )
  return refers
    ? []
    : [report(at, `${quoted(name)} does not refer to the key of ${quoted(table.name)}.`)]
}

const checkTwice = (name: string, before: readonly string[], path: string): Problem[] =>
  before.includes(name) ? [report(path, `${quoted(name)} appears twice.`)] : []
