/** Reads the rows of a form's section: those that refer to one row, whole, as far as the actor may see them. */

import { LINES_MAX } from '../../../protocol/form-sections.ts'
import type { OpenTable } from '../../catalog.ts'
import { labelText } from '../../references.ts'
import type { Predicate } from '../../source/predicate.ts'
import type { Count, RelatedLabel, RowSource } from '../../source/row-source.ts'
import type { Column, ForeignKey } from '../../source/schema.ts'
import type { KeyValues, Value } from '../../source/value.ts'
import type { Values } from '../../source/write-unit.ts'
import { markOf } from '../marking.ts'
import type { LinesSection, LinksSection } from './sections.ts'

/** Longer texts are cut, and nobody changes them in a section. */
const TEXT_MAX = 4000

export type SectionRow = {
  readonly key: KeyValues
  /** As the form names it. */
  readonly name: string
  /** The values that are known whole. */
  readonly values: Values
  /** The beginnings of texts that are longer. */
  readonly beginnings: ReadonlyMap<string, string>
  /** What related rows are called, by column. */
  readonly labels: ReadonlyMap<string, string>
  /** It is marked as deleted: it keeps its place, and is not shown. */
  readonly isMarked: boolean
}

/** How many there are, where they are more than a form shows. */
export type SectionRows = readonly SectionRow[] | Count

export const areTooMany = (rows: SectionRows): rows is Count => 'kind' in rows

/** Rows are counted up to here. */
const COUNT_BOUND = 10_000

/** What the columns of the foreign key hold in rows that refer to this one. */
export const referring = ({ columns, references }: ForeignKey, row: Values): Values =>
  Object.fromEntries(columns.map((name, at) => [name, row[references[at] ?? ''] ?? null]))

/** The rows that refer to the one with these values. */
export const whereReferring = (link: ForeignKey, row: Values): Predicate => ({
  op: 'and',
  all: Object.entries(referring(link, row)).map(([column, value]): Predicate => ({
    op: 'eq',
    column,
    value,
  })),
})

/** What sections are read from. */
export type SectionSource = Pick<RowSource, 'page' | 'count'>

/** In the order of the section, else in that of their keys. */
export async function readSection(
  source: SectionSource,
  section: LinesSection | LinksSection,
  row: Values,
): Promise<SectionRows> {
  const { open, foreignKey } = section
  const order = 'order' in section ? section.order : undefined
  const columns = open.access.table.columns.filter(isRead(open))
  const names = columns.map(({ name }) => name)
  const related = labelsIn(open, names)
  const where = whereReferring(foreignKey, row)
  const mark = markOf(open)
  const page = await source.page(open.access, {
    ...{ columns: names, size: LINES_MAX + 1, place: { at: 'first' }, related },
    where,
    sort: order ? [{ column: order.column, descending: order.descending }] : [],
    cut: { columns: columns.filter(canBeLong).map(({ name }) => name), length: TEXT_MAX },
  })
  if (page.rows.length > LINES_MAX) return source.count(open.access, where, { bound: COUNT_BOUND })
  return page.rows.map(({ key, values, masked, lengths, labels }) => {
    const known: [string, Value][] = []
    const beginnings = new Map<string, string>()
    for (const [at, name] of names.entries()) {
      if (masked?.has(at)) continue
      if (lengths?.has(at)) beginnings.set(name, `${String(values[at])}…`)
      else known.push([name, values[at] ?? null])
    }
    const held = Object.fromEntries(known)
    return {
      ...{ key, name: open.keys.name(key), values: held, beginnings },
      isMarked: mark !== undefined && (held[mark] ?? null) !== null,
      labels: new Map(
        related.flatMap(({ column }, at) => {
          const label = labelText(labels[at] ?? null)
          return label === null ? [] : [[column, label] as const]
        }),
      ),
    }
  })
}

const isRead =
  ({ access }: OpenTable) =>
  ({ name, type }: Column): boolean =>
    access.canShow(name) && type !== 'binary'

const canBeLong = ({ type, array }: Column): boolean =>
  type === 'text' || type === 'json' || array === true

const labelsIn = ({ relations }: OpenTable, names: readonly string[]): RelatedLabel[] =>
  names.flatMap((column) => {
    const relation = relations.get(column)
    return relation ? [{ column, ...relation }] : []
  })
