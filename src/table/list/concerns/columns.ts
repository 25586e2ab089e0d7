/** Columns: which are shown, in which order, and what of each is read. */

import * as v from 'valibot'
import { unknownColumn } from '../../address-error.ts'
import { messagesFor } from '../../../messages/messages.ts'
import type { OpenTable } from '../../catalog.ts'
import { columnHelp } from '../../column-help.ts'
import type { FileColumn } from '../../definition/file-column.ts'
import type { ColumnDefinition, TableDefinition } from '../../definition/table-definition.ts'
import { LIST_READ } from '../../files/file-cell.ts'
import { TEXT_MAX } from '../../format.ts'
import { drawHidden } from '../../hidden-view.ts'
import { defineConcern } from '../concern.ts'
import type { Reader } from '../../../server/http/locale.ts'
import { whyNever } from '../../record/form/why-never.ts'
import { readOnlyReason } from '../read-only.ts'
import { decodeName, encodeName } from '../names.ts'
import { cutColumns, isOpenable, readColumns } from '../rows.ts'

type State = { readonly columns: readonly string[] | null }

export const columns = defineConcern({
  name: 'columns',
  /** Chosen columns in order, or `null` for the table's default. */
  state: { columns: v.nullable(v.array(v.string())) },
  initial: { columns: null },
  address: {
    names: ['columns'],
    owns: (name) => name === 'columns',
    read: (query, open) => ({ columns: parseColumns(query.get('columns'), open) }),
    write: ({ columns }) => (columns ? [['columns', columns.map(encodeName).join(',')]] : []),
  },
  presented({ columns }, { order, hides = [] }, open) {
    const names = (columns ?? open.definition.defaultColumns).filter((one) => !hides.includes(one))
    if (!order || names.includes(order.column)) return { columns: names }
    return { columns: [...names.slice(0, 1), order.column, ...names.slice(1)] }
  },
  query(state, { opened }) {
    const shown = shownColumns(opened, state)
    const related = shown.flatMap(({ name: column }) => {
      const relation = opened.relations.get(column)
      return relation ? [{ column, ...relation }] : []
    })
    return {
      columns: readColumns(shown, opened),
      cut: {
        ...{ columns: cutColumns(shown, opened), length: TEXT_MAX },
        lengths: new Map(
          shown.flatMap(({ name, file }) => (file?.list ? [[name, LIST_READ] as const] : [])),
        ),
      },
      related,
    }
  },
  actions: {
    setColumns: {
      args: v.strictTuple([v.nullable(v.array(v.string()))]),
      run({ opened, go }, names) {
        go({ columns: names && checkColumns(names, opened) }, { mode: 'replace', keepsRows: true })
      },
    },
  },
  head(column, { opened, reader }) {
    const { name, label, kind, ownKind, file, loads, unit } = column
    const help = columnHelp(column, opened, reader)
    const relation = opened.relations.get(name)
    // Asked only where it can differ from column to column: this is done for each one.
    const fixed = opened.takesChanges ? fixedReason(opened, name, reader) : undefined
    return {
      name,
      label,
      kind,
      ...(ownKind?.layout && { layout: ownKind.layout }),
      ...(loads && { loads }),
      ...(file && fileHead(file, opened.services.href(opened.access.table.name))),
      ...(unit !== undefined && { unit }),
      ...(help !== undefined && { help }),
      ...(fixed !== undefined && { fixed }),
      ...(opened.definition.labelColumns.includes(name) && { isLabel: true as const }),
      ...(relation &&
        isOpenable(relation) && { related: opened.services.href(relation.access.table.name) }),
    }
  },
  view: ({ opened, reader }) => ({
    allColumns: readableColumns(opened).map(({ name, label }) => ({ name, label })),
    ...drawHidden(opened, reader),
  }),
})

/** Pictures are as wide as rows are high; the names of other files lead to their rows. */
const fileHead = ({ isPicture, list: holds }: FileColumn, list: string) =>
  isPicture
    ? { layout: holds ? SEVERAL_PICTURES : { fixed: 40, speaks: true as const } }
    : { kind: 'link', related: list }

/** As much room as the cell with the most of them takes. */
const SEVERAL_PICTURES = { fixed: 4, each: 32, width: 'whole', speaks: true } as const

/** Why cells of a column cannot be edited, where others of the table can. */
function fixedReason(opened: OpenTable, name: string, reader: Reader): string | undefined {
  if (readOnlyReason(opened, reader) !== null) return undefined
  const column = opened.access.table.columns.find((one) => one.name === name)
  const isFile = opened.definition.columns.get(name)?.file !== undefined
  return (
    column &&
    (whyNever(opened, column, reader) ??
      (isFile ? messagesFor(reader.language).form.fixed.file : undefined))
  )
}

/** All columns that the actor may see, in the table's order. */
export const readableColumns = ({
  definition,
  access,
}: Pick<OpenTable, 'definition' | 'access'>): ColumnDefinition[] =>
  [...definition.columns.values()].filter(({ name }) => access.canShow(name))

/** The chosen columns, else the table's default; those that lead to the label come first if they are shown. */
export function shownColumns(open: OpenTable, { columns }: State): ColumnDefinition[] {
  const { definition, access } = open
  const shown: ColumnDefinition[] = []
  for (const name of columns ?? definition.defaultColumns) {
    const column = definition.columns.get(name)
    if (column && access.canShow(name)) shown.push(column)
  }
  if (columns === null) return shown
  const leads = leadsOf(definition).flatMap((lead) => shown.find(({ name }) => name === lead) ?? [])
  return [...leads, ...shown.filter((column) => !leads.includes(column))]
}

/** What names a row, and what stands before that by default, such as a natural key. */
function leadsOf({ defaultColumns, labelColumns, table }: TableDefinition): readonly string[] {
  const naming = labelColumns.length > 0 ? labelColumns : table.key
  const last = defaultColumns.findLastIndex((name) => naming.includes(name))
  return last < 0 ? naming : defaultColumns.slice(0, last + 1)
}

type Checked = Pick<OpenTable, 'definition' | 'access'>

function parseColumns(text: string | null, open: Checked): string[] | null {
  if (text === null) return null
  if (text === '') return []
  return checkColumns(text.split(',').map(decodeName), open)
}

/** The names without duplicates. Throws for a column that is unknown or may not be read. */
function checkColumns(names: readonly string[], { definition, access }: Checked): string[] {
  for (const name of names)
    if (!definition.columns.has(name) || !access.canShow(name)) throw unknownColumn(name)
  return [...new Set(names)]
}
