/** The rows that a column of a form or a cell refers to: found by their names, and created beside what is edited. */

import * as v from 'valibot'
import type { FormView, RelatedResult, RelatedRow } from '../../../protocol/form-view.ts'
import type { Actor } from '../../../server/actor.ts'
import { AppError } from '../../../server/app-error.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import { labelText, toldApart } from '../../references.ts'
import { everything } from '../../source/predicate.ts'
import type { RowSource } from '../../source/row-source.ts'
import type { Value } from '../../source/value.ts'
import { fieldName, readings, shortText, texts } from './arguments.ts'
import { drawForm, NOTHING_FOUND } from './draw-form.ts'
import type { Readings } from './readings.ts'
import { relatedTable } from './related-table.ts'
import type { Texts } from './changed.ts'
import type { createSaving } from './saving.ts'
import { sectionField } from './sections.ts'
import { isWritten, writeText } from './write-text.ts'

/** Most related rows that are offered, and how many of them because they were chosen last. */
const OFFERED = 20
const RECENT = 5
/** Rows that are looked through for what was chosen last. */
const LOOKED_THROUGH = 40

type Found = { readonly column: string; readonly text: string; readonly signal: AbortSignal }

/**
 * Rows of the table that a column refers to whose labels hold the text. Without a text, those come first that the
 * newest rows refer to. Throws `NOT_FOUND`.
 */
export async function suggest(
  source: Pick<RowSource, 'page'>,
  open: OpenTable,
  { column, text: asked, signal }: Found,
): Promise<RelatedRow[]> {
  const relation = open.relations.get(column)
  if (!relation) throw new AppError('NOT_FOUND')
  const { access, references, label } = relation
  const text = asked.trim()
  const recent = text === '' ? await chosenLast(source, open, column, signal) : []
  const rows = async (where: Parameters<typeof source.page>[1]['where']) => {
    const page = await source.page(
      access,
      {
        ...{ columns: [references, label], size: OFFERED, place: { at: 'first' }, where },
        sort: [{ column: label, descending: false }],
      },
      { signal },
    )
    return page.rows.flatMap(({ values: [key = null, name = null] }): RelatedRow[] => {
      const text = writeText(key)
      return text === null ? [] : [{ text, label: labelText(name) ?? text }]
    })
  }
  const [named, others] = await Promise.all([
    recent.length === 0 ? [] : rows({ op: 'in', column: references, values: recent }),
    rows(text === '' ? everything : { op: 'contains', column: label, text }),
  ])
  const order = recent.map((value) => writeText(value))
  const first = order.flatMap((key) => named.filter((row) => row.text === key))
  const last = others.filter((row) => !order.includes(row.text))
  const offered = [...first.map((row) => ({ ...row, isRecent: true })), ...last].slice(0, OFFERED)
  return toldApart(offered, ({ text }) => text)
}

/** What the newest rows of the table refer to, where their keys tell which these are. */
async function chosenLast(
  source: Pick<RowSource, 'page'>,
  { access }: OpenTable,
  column: string,
  signal: AbortSignal,
): Promise<Value[]> {
  const { table } = access
  const [key, ...others] = table.key
  const isNumbered = table.columns.some(({ name, type }) => name === key && type === 'integer')
  if (key === undefined || others.length > 0 || !isNumbered) return []
  if (!access.canRead(key) || !access.canRead(column)) return []
  const page = await source.page(
    access,
    {
      ...{ columns: [column], size: LOOKED_THROUGH, place: { at: 'first' }, where: everything },
      sort: [{ column: key, descending: true }],
    },
    { signal },
  )
  const values = page.rows.flatMap(({ values: [value = null] }) => (value === null ? [] : [value]))
  return [...new Set(values)].slice(0, RECENT)
}

/** What an action is given of the request. */
type Asked = Reader & {
  readonly opened: OpenTable
  readonly actor: Actor
  readonly signal: AbortSignal
}

type RelatedServices = {
  readonly source: Pick<RowSource, 'page' | 'row'>
  readonly saving: ReturnType<typeof createSaving>
  href(table: string): string
}

/** The actions of forms and cells about related rows. `within`: the column whose related table is meant. */
export function relatedActions({ source, saving, href }: RelatedServices) {
  return {
    suggest: {
      kind: 'query',
      args: v.strictTuple([fieldName, shortText, v.nullable(fieldName)]),
      run({ opened, signal }: Asked, name: string, text: string, within: string | null) {
        const own = fieldOf(opened, name)
        const { open, column } =
          within === null ? own : { open: otherOf(opened, within), column: name }
        return suggest(source, open, { column, text, signal })
      },
    },
    newRelated: {
      kind: 'query',
      args: v.strictTuple([fieldName, shortText]),
      run({ opened, ...reader }: Asked, column: string, name: string): FormView {
        const other = otherOf(opened, column)
        const values = namedBy(other, name)
        return drawForm(
          other,
          { key: null, values, labels: new Map(), sections: NOTHING_FOUND, isRelated: true },
          reader,
          href,
        )
      },
    },
    createRelated: {
      kind: 'write',
      args: v.strictTuple([fieldName, texts, readings]),
      async run(
        { opened, actor, ...reader }: Asked,
        column: string,
        changed: Texts,
        drawn?: Readings,
      ) {
        const other = otherOf(opened, column)
        const { result, written } = await saving.write({
          ...{ open: other, actor, door: 'form', key: null, changed, reader, readings: drawn },
          // It began with a name at most, so whatever is empty was emptied.
          seen: Object.fromEntries(Object.keys(changed).map((column) => [column, null])),
        })
        if (result.status === 'refused') return result
        const field = fieldOf(opened, column)
        const relation = field.open.relations.get(field.column)
        const row =
          relation && written
            ? await source.row(relation.access, written, {
                columns: [relation.references, relation.label],
              })
            : undefined
        const [key = null, label = null] = row?.values ?? []
        const text = writeText(key)
        const created: RelatedResult = {
          ...{ status: 'created', text: result.text, entry: result.entry },
          // What was written may be nothing that its writer may see.
          row: text === null ? null : { text, label: labelText(label) ?? text },
        }
        return created
      },
    },
    relatedNotShown: {
      kind: 'query',
      args: v.strictTuple([fieldName, texts]),
      run: ({ opened, ...reader }: Asked, column: string, changed: Texts) =>
        saving.notShownWith(otherOf(opened, column), { key: null, changed, reader }),
    },
  } as const
}

const fieldOf = (open: OpenTable, name: string) =>
  sectionField(open, name) ?? { open, column: name }

/** The table that the field refers to. Throws `NOT_FOUND`. */
function otherOf(opened: OpenTable, name: string): OpenTable {
  const { open, column } = fieldOf(opened, name)
  const other = relatedTable(open, column)
  if (!other || other.access.table.key.length === 0) throw new AppError('NOT_FOUND')
  return other
}

/** What was looked for in vain names the new row. */
function namedBy({ access, definition }: OpenTable, name: string): { [column: string]: Value } {
  const label = definition.labelColumn
  const column = access.table.columns.find((one) => one.name === label)
  const takes =
    column?.type === 'text' && isWritten(column) && access.canWrite(column.name, 'create')
  return takes && name.trim() !== '' ? { [column.name]: name.trim() } : {}
}
