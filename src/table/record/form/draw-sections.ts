/** Draws the sections of a form: lines with the fields of their table, and links as names of other rows. */

import { messagesFor } from '../../../messages/messages.ts'
import {
  type LinesView,
  type LinksView,
  type LineView,
  NEW_LINE,
} from '../../../protocol/form-sections.ts'
import type { FieldInput, FieldTexts } from '../../../protocol/form-view.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import { filteredBy } from '../../filters/deleted.ts'
import { readableColumns } from '../../list/concerns/columns.ts'
import { LISTING } from '../../list/fold.ts'
import type { ForeignKey } from '../../source/schema.ts'
import type { Values } from '../../source/write-unit.ts'
import { templates } from '../../templates.ts'
import { kindOf } from '../../definition/kinds.ts'
import { countText } from '../hanging.ts'
import { mayTakeOut } from '../marking.ts'
import { rowsReferring } from '../related.ts'
import { drawFields, isCopied } from './field.ts'
import { fieldWriter } from './field-texts.ts'
import { emptyRow } from './not-shown.ts'
import {
  areTooMany,
  readSection,
  type SectionRow,
  type SectionRows,
  type SectionSource,
} from './section-rows.ts'
import { askedColumns, type LinesSection, type LinksSection, sectionsOf } from './sections.ts'
import { writeText } from './write-text.ts'

export type FoundSections = {
  readonly lines: readonly (readonly [LinesSection, SectionRows])[]
  readonly links: readonly (readonly [LinksSection, SectionRows])[]
}

/** The rows of each section; of a new row, `row` is `null`, and there are none. */
export async function findSections(
  source: SectionSource,
  open: OpenTable,
  row: Values | null,
): Promise<FoundSections> {
  const { lines, links } = sectionsOf(open)
  const found = <Section extends LinesSection | LinksSection>(sections: readonly Section[]) =>
    Promise.all(
      sections.map(
        async (section) => [section, row ? await readSection(source, section, row) : []] as const,
      ),
    )
  return { lines: await found(lines), links: await found(links) }
}

type Drawing = {
  /** `null` for a new one. */
  readonly row: Values | null
  readonly found: FoundSections
  /** Those of the row that a new one is a copy of. */
  readonly copies?: FoundSections | undefined
  href(table: string): string
  readonly reader: Reader
}

/** Without those in which the actor can do nothing. */
export function drawSections({ found, ...drawing }: Drawing): {
  lines: LinesView[]
  links: LinksView[]
  words: { [name: string]: string }
} {
  const isAlone = (name: string) =>
    [...found.lines, ...found.links].filter(([{ open }]) => open.access.table.name === name)
      .length === 1
  const titles = (section: LinesSection | LinksSection, own: string): string => {
    const { open, foreignKey } = section
    if (isAlone(open.access.table.name)) return own
    const names = foreignKey.columns.map((name) => open.definition.columns.get(name)?.label ?? name)
    return messagesFor(drawing.reader.language).row.relatedBy(own, names.join(', '))
  }
  const lines = found.lines.flatMap(([section, rows]) => {
    const view = drawLines(section, rows, drawing)
    return view ? [{ ...view, label: titles(section, view.label) }] : []
  })
  const links = found.links.flatMap(([section, rows]) => {
    const view = drawLinks(section, rows, drawing)
    return view ? [{ ...view, label: titles(section, view.label) }] : []
  })
  const { lines: words } = messagesFor(drawing.reader.language)
  return { lines, links, words: lines.length + links.length > 0 ? templates(words) : {} }
}

type Section = Omit<Drawing, 'found'>

function drawLines(
  section: LinesSection,
  rows: SectionRows,
  drawing: Section,
): LinesView | undefined {
  const { open, foreignKey, order } = section
  const { access, definition } = open
  const asked = askedColumns(section)
  const fields = lineFields(section, drawing.reader)
  const names = new Set(fields.map(({ name }) => name))
  const fixed = readableColumns(open).filter(
    ({ name, kind }) => asked.has(name) && !names.has(name) && kind !== 'binary' && kind !== 'file',
  )
  const lockedTo = (action: 'create' | 'update') =>
    [...names].filter((name) => !access.canWrite(name, action))
  const locked = { added: lockedTo('create'), stored: lockedTo('update') }
  const may = {
    add:
      access.may('create') &&
      locked.added.length < fields.length &&
      foreignKey.columns.every((name) => access.canWrite(name, 'create')),
    change: access.may('update') && locked.stored.length < fields.length,
    remove: mayTakeOut(open),
    order: order !== undefined && access.may('update'),
  }
  if (fields.length === 0 || !(drawing.row ? may.add || may.change || may.remove : may.add))
    return undefined
  const columns = [...names, ...fixed.map(({ name }) => name)]
  return {
    ...{ name: section.name, label: definition.label, href: hrefOf(section, drawing) },
    ...{ fields, locked },
    fixed: fixed.map(({ name, label }) => ({ name, label })),
    sums: columns.flatMap((name) => {
      const column = definition.columns.get(name)
      // Lines of several currencies have no sum of their own.
      const isSummed = column?.summary === 'sum' && column.currency === undefined
      return isSummed && access.canRead(name)
        ? [{ name, isMoney: kindOf(column).summary?.isMoney ?? false }]
        : []
    }),
    rows: listed(rows).map((row) =>
      drawLine(row, section.open, columns, { asked: names, reader: drawing.reader }),
    ),
    copied: may.add ? copiesOf(section, drawing, names) : [],
    tooMany: tooMany(rows, drawing.reader),
    may,
  }
}

/** The fields of lines, of new ones and of stored ones. */
export function lineFields(section: LinesSection, reader: Reader): FieldInput[] {
  const asked = askedColumns(section)
  return fieldsOf(section.open, reader).filter(({ name }) => asked.has(name))
}

/** New lines, as a copy of the row begins with them. */
function copiesOf(
  section: LinesSection,
  { copies, reader }: Pick<Drawing, 'copies' | 'reader'>,
  asked: ReadonlySet<string>,
): LineView[] {
  const { table } = section.open.access
  const [, rows = []] = copies?.lines.find(([{ name }]) => name === section.name) ?? []
  const names = [...asked].filter(
    (name) => isCopied(table, name) && section.open.access.canWrite(name, 'create'),
  )
  return listed(rows).map((row, at) => {
    const { texts, labels } = drawLine(row, section.open, names, { asked, reader })
    const known = names.filter((name) => Object.hasOwn(row.values, name))
    const held = Object.fromEntries(known.map((name) => [name, texts[name] ?? null]))
    return { key: `${NEW_LINE}${at + 1}`, texts: held, labels }
  })
}

/** The fields that somebody may fill in a new row, or change in a stored one, in their order. */
function fieldsOf(open: OpenTable, reader: Reader, only?: string): FieldInput[] {
  const drawn = (isNew: boolean) =>
    drawFields(
      open,
      { values: emptyRow(open), isNew, labels: new Map(), ...(only !== undefined && { only }) },
      reader,
    )
  const added = new Map(
    drawn(true).flatMap((one) => ('input' in one ? [[one.input.name, one.input] as const] : [])),
  )
  return drawn(false).flatMap((one) =>
    'input' in one ? [added.get(one.input.name) ?? one.input] : (added.get(one.fixed.name) ?? []),
  )
}

function drawLine(
  { name, values, beginnings, labels }: SectionRow,
  open: OpenTable,
  columns: readonly string[],
  { asked, reader }: { readonly asked: ReadonlySet<string>; readonly reader: Reader },
): LineView {
  const stored = new Map(open.access.table.columns.map((column) => [column.name, column]))
  const write = fieldWriter(open, reader)
  const texts: FieldTexts = Object.fromEntries(
    columns.map((column) => [
      column,
      beginnings.get(column) ?? write(values[column] ?? null, stored.get(column)),
    ]),
  )
  const fixed = columns.filter((column) => asked.has(column) && !Object.hasOwn(values, column))
  return {
    ...{ key: name, texts },
    labels: Object.fromEntries([...labels].filter(([column]) => columns.includes(column))),
    ...(fixed.length > 0 && { fixed }),
  }
}

function drawLinks(
  section: LinksSection,
  rows: SectionRows,
  drawing: Section,
): LinksView | undefined {
  const { open, foreignKey, to } = section
  const { access } = open
  const [field] = fieldsOf(open, drawing.reader, to)
  const may = {
    add:
      access.may('create') && foreignKey.columns.every((name) => access.canWrite(name, 'create')),
    remove: access.may('delete'),
  }
  if (field?.control.is !== 'relation' || !(may.add || (drawing.row && may.remove)))
    return undefined
  return {
    ...{ name: section.name, label: field.control.table, href: hrefOf(section, drawing) },
    field,
    chips: listed(rows).flatMap(({ values, labels }) => {
      const text = writeText(values[to] ?? null)
      return text === null ? [] : [{ text, label: labels.get(to) ?? null }]
    }),
    tooMany: tooMany(rows, drawing.reader),
    may,
  }
}

const listed = (rows: SectionRows): readonly SectionRow[] =>
  areTooMany(rows) ? [] : rows.filter(({ isMarked }) => !isMarked)

const tooMany = (rows: SectionRows, reader: Reader): string | null =>
  areTooMany(rows) ? messagesFor(reader.language).form.tooManyLines(countText(rows, reader)) : null

function hrefOf(
  { open, foreignKey }: { readonly open: OpenTable; readonly foreignKey: ForeignKey },
  { row, href }: Section,
): string | null {
  if (!row) return null
  const values = new Map(Object.entries(row))
  const { filterComponents = {} } = rowsReferring(open, foreignKey, values) ?? {}
  return LISTING.href(
    href(open.access.table.name),
    LISTING.state(filteredBy(filterComponents, open)),
  )
}
