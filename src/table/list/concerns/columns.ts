/** Columns: which are shown, in which order, and what of each is read. */

import * as v from 'valibot'
import type { AboutColumn } from '../../../protocol/table-component.ts'
import { COLUMN_PX, PINNED_MAX } from '../../../protocol/table-view.ts'
import { badParameter, unknownColumn } from '../../address-error.ts'
import { messagesFor } from '../../../messages/messages.ts'
import type { OpenTable } from '../../catalog.ts'
import { columnHelp } from '../../column-help.ts'
import { own } from '../../definition/define-table.ts'
import type { FileColumn } from '../../definition/file-column.ts'
import type { ColumnDefinition, TableDefinition } from '../../definition/table-definition.ts'
import { LIST_READ } from '../../files/file-cell.ts'
import { TEXT_MAX } from '../../format.ts'
import { drawHidden } from '../../hidden-view.ts'
import { defineConcern, type ListContext } from '../concern.ts'
import type { Reader } from '../../../server/http/locale.ts'
import { whyNever } from '../../record/form/why-never.ts'
import { readOnlyReason } from '../read-only.ts'
import { decodeName, encodeName } from '../names.ts'
import { cutColumns, isOpenable, readColumns } from '../rows.ts'

type State = {
  readonly columns: readonly string[] | null
  readonly pinned: readonly string[]
  readonly widths: Widths
}

/** Widths that a person has chosen, px, by name. */
type Widths = { readonly [column: string]: number }

const width = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(COLUMN_PX.least),
  v.maxValue(COLUMN_PX.most),
)
const widths = v.record(v.string(), width)
const names = v.array(v.string())

/** What is kept of a person's columns; it was written by an earlier version, or for other columns. */
const layoutSchema = v.object({
  columns: v.fallback(v.nullable(names), null),
  pinned: v.fallback(names, []),
  widths: v.fallback(widths, {}),
})

/** The table's own arrangement. */
const STANDARD = { columns: null, pinned: [], widths: {} }

const PARAMETERS = ['columns', 'pinned', 'widths']

export const columns = defineConcern({
  name: 'columns',
  /**
   * Chosen columns in order, or `null` for the table's default; those that stay in sight while others are
   * scrolled; and chosen widths.
   */
  state: { columns: v.nullable(names), pinned: names, widths },
  initial: STANDARD,
  kept(layout, query, { definition, access }) {
    const kept = v.safeParse(layoutSchema, layout)
    if (!kept.success || PARAMETERS.some((name) => query.has(name))) return {}
    const isThere = (name: string) => definition.columns.has(name) && access.canShow(name)
    const { columns, pinned, widths } = kept.output
    const shown = columns?.filter(isThere) ?? []
    return {
      columns: shown.length > 0 ? shown : null,
      pinned: pinned.filter(isThere),
      widths: Object.fromEntries(Object.entries(widths).filter(([name]) => isThere(name))),
    }
  },
  address: {
    names: PARAMETERS,
    owns: (name) => PARAMETERS.includes(name),
    read: (query, open) => ({
      columns: parseColumns(query.get('columns'), open),
      pinned: parseColumns(query.get('pinned'), open)?.slice(0, PINNED_MAX) ?? [],
      widths: parseWidths(query.get('widths'), open),
    }),
    write({ columns, pinned, widths }) {
      const chosen = Object.entries(widths)
      const written: [string, string][] = []
      if (columns) written.push(['columns', columns.map(encodeName).join(',')])
      if (pinned.length > 0) written.push(['pinned', pinned.map(encodeName).join(',')])
      if (chosen.length > 0)
        written.push(['widths', chosen.map(([name, px]) => `${encodeName(name)}-${px}`).join(',')])
      return written
    },
  },
  presented({ columns: chosen }, { order, hides = [], standardColumns }, open) {
    const columns = standardColumns ? null : chosen
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
    /** What a column holds: told when its menu opens, so that pages need not carry it. */
    describeColumn: {
      kind: 'query',
      args: v.strictTuple([v.string()]),
      run({ opened, language }, name): AboutColumn {
        checkColumns([name], opened)
        const column = opened.definition.columns.get(name)
        const { declared = '', nullable = false } =
          opened.definition.table.columns.find((one) => one.name === name) ?? {}
        const { about } = messagesFor(language)
        const kind = own<string>(about.kinds, column?.kind ?? '') ?? column?.kind ?? ''
        return {
          text: about.column(kind, declared, nullable),
          help: (column && columnHelp(column, opened, { language })) ?? null,
        }
      },
    },
    setColumns: {
      args: v.strictTuple([v.nullable(v.array(v.string()))]),
      run: (context, names) =>
        arrange(context, names ? { columns: checkColumns(names, context.opened) } : STANDARD),
    },
    pinColumns: {
      args: v.strictTuple([v.pipe(names, v.maxLength(PINNED_MAX))]),
      run: (context, pinned) => arrange(context, { pinned: checkColumns(pinned, context.opened) }),
    },
    setWidths: {
      args: v.strictTuple([v.record(v.string(), v.nullable(width))]),
      run(context, chosen) {
        checkColumns(Object.keys(chosen), context.opened)
        const all = Object.entries({ ...context.state.widths, ...chosen })
        return arrange(context, { widths: Object.fromEntries(all.filter(isChosen)) })
      },
    },
  },
  head(column, { state, opened, reader }) {
    const { name, label, kind, ownKind, file, loads, unit, typedBy } = column
    const isPaired = typedBy !== undefined && opened.access.canRead(typedBy)
    const help =
      columnHelp(column, opened, reader) ??
      (isPaired ? messagesFor(reader.language).reasons.guessedByTypes : undefined)
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
      ...(isPaired && { paired: true as const }),
      ...(opened.definition.labelColumns.includes(name) && { isLabel: true as const }),
      ...(Object.hasOwn(state.widths, name) && { width: state.widths[name] }),
      ...(state.pinned.includes(name) && { pinned: true as const }),
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

const isChosen = (entry: [string, number | null]): entry is [string, number] => entry[1] !== null

/** Changes the arrangement, in the address and in what is kept for the person. */
async function arrange(context: ListContext<State>, change: Partial<State>): Promise<void> {
  const { state, opened, actor, params, go } = context
  go(change, { mode: 'replace', keepsRows: true })
  const { columns, pinned, widths } = state
  const isOwn = columns !== null || pinned.length > 0 || Object.keys(widths).length > 0
  const layout = isOwn
    ? { columns: columns && [...columns], pinned: [...pinned], widths: { ...widths } }
    : null
  await opened.services.layouts?.write(actor, params.table, layout)
}

/** All columns that the actor may see, in the table's order. */
export const readableColumns = ({
  definition,
  access,
}: Pick<OpenTable, 'definition' | 'access'>): ColumnDefinition[] =>
  [...definition.columns.values()].filter(({ name }) => access.canShow(name))

/**
 * The chosen columns, else the table's default; those that lead to the label come first if they are shown, and
 * then those that are pinned.
 */
export function shownColumns(
  open: OpenTable,
  { columns, pinned = [] }: Pick<State, 'columns'> & Partial<Pick<State, 'pinned'>>,
): ColumnDefinition[] {
  const { definition, access } = open
  const shown: ColumnDefinition[] = []
  for (const name of columns ?? definition.defaultColumns) {
    const column = definition.columns.get(name)
    if (column && access.canShow(name)) shown.push(column)
  }
  if (columns === null && pinned.length === 0) return shown
  const first = new Set([...leadsOf(definition), ...pinned])
  const leads = [...first].flatMap((lead) => shown.find(({ name }) => name === lead) ?? [])
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

/** Such as `name-120,total-96`. Throws for a column that is unknown or may not be read, and for other widths. */
function parseWidths(text: string | null, open: Checked): Widths {
  const chosen = (text ?? '').split(',').flatMap((one) => {
    const [name = '', px = ''] = one.split('-')
    return one === '' ? [] : [[decodeName(name), Number(px)] as const]
  })
  checkColumns(
    chosen.map(([name]) => name),
    open,
  )
  const read = v.safeParse(widths, Object.fromEntries(chosen))
  if (!read.success)
    throw badParameter(({ address }) => address.widths(`${COLUMN_PX.least}`, `${COLUMN_PX.most}`))
  return read.output
}

/** The names without duplicates. Throws for a column that is unknown or may not be read. */
function checkColumns(names: readonly string[], { definition, access }: Checked): string[] {
  for (const name of names)
    if (!definition.columns.has(name) || !access.canShow(name)) throw unknownColumn(name)
  return [...new Set(names)]
}
