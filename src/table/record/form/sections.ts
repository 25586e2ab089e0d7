/**
 * Which tables a row's form changes along with the row: those of its lines, and joining tables, whose rows
 * link it to rows of another one.
 */

import type { OpenTable } from '../../catalog.ts'
import { isAsked } from '../../changes/value-rules.ts'
import { foreignKeysOf, type ReorderDefinition } from '../../definition/table-definition.ts'
import {
  type Column,
  type ForeignKey,
  type Table,
  uniqueSets,
  writesTaken,
} from '../../source/schema.ts'

/** A table whose rows are lines of the row that they refer to. */
export type LinesSection = {
  /** Tells the section from the others. */
  readonly name: string
  readonly open: OpenTable
  readonly foreignKey: ForeignKey
  /** How people put the lines in order; absent where they do not. */
  readonly order?: ReorderDefinition
}

/** A joining table, by its two foreign keys. */
export type LinksSection = {
  readonly name: string
  readonly open: OpenTable
  readonly foreignKey: ForeignKey
  /** The column that refers to the other side. */
  readonly to: string
}

export type Sections = {
  readonly lines: readonly LinesSection[]
  readonly links: readonly LinksSection[]
}

/** Without a declaration, tables with more rows to a parent are no lines, and neither are those with more columns. */
const PER_PARENT = 50
/** Fewer parents do not tell how many rows each has. */
const TELLING = 10
const COLUMNS = 12

/** Only tables of which the actor may change rows, and whose foreign keys they may read on both sides. */
export function sectionsOf(open: OpenTable): Sections {
  const lines: LinesSection[] = []
  const links: LinksSection[] = []
  const declared = open.definition.form?.lines
  if (declared === false) return { lines, links }
  for (const other of open.others.referringTo(open.access.table.name))
    for (const foreignKey of foreignKeysOf(other.definition)) {
      const { name } = other.access.table
      if (!isReadable(open, other, foreignKey) || !isChanged(other)) continue
      if (declared && !declared.includes(name)) continue
      const section = { name: nameOf(name, foreignKey), open: other, foreignKey }
      const to = joinedBy(other, foreignKey)
      if (to !== undefined) links.push({ ...section, to })
      else if (declared || areLines(open, other, foreignKey)) lines.push(withOrder(section))
    }
  return { lines, links }
}

const nameOf = (table: string, { columns }: ForeignKey): string => `${table}(${columns.join()})`

/** It refers to the key, which every row has before anything refers to it. */
const isReadable = ({ access }: OpenTable, other: OpenTable, link: ForeignKey): boolean =>
  link.table === access.table.name &&
  link.columns.length === link.references.length &&
  link.references.every((name) => access.canRead(name) && access.table.key.includes(name)) &&
  link.columns.every((name) => other.access.canRead(name) && other.access.canFindBy(name))

const isChanged = ({ access }: OpenTable): boolean =>
  writesTaken(access.table).some((action) => access.may(action))

/** The column by which the rows, which say nothing else, link to another table; `undefined` if they do not. */
function joinedBy(
  { access, definition, relations }: OpenTable,
  { columns }: ForeignKey,
): string | undefined {
  const { table } = access
  const [own] = columns
  if (own === undefined || columns.length > 1 || definition.softDelete !== undefined)
    return undefined
  const others = table.columns.filter(({ name }) => name !== own && relations.has(name))
  return others.find(({ name: to }) => {
    const rest = table.columns.filter(({ name }) => name !== own && name !== to)
    return isUnique(table, [own, to]) && !rest.some(isAsked)
  })?.name
}

const isUnique = (table: Table, names: readonly string[]): boolean =>
  uniqueSets(table).some(
    ({ columns, isPartial }) =>
      !isPartial &&
      columns.length === names.length &&
      names.every((name) => columns.includes(name)),
  )

/** Rows that live and end with one row of this table, of which it has few, and to which nothing refers. */
function areLines(
  { access: { table: parent } }: OpenTable,
  { access: { table }, others }: OpenTable,
  { columns, onDelete }: ForeignKey,
): boolean {
  const own = table.columns.filter(({ name }) => columns.includes(name))
  const isPart = columns.every((name) => table.key.includes(name))
  const [rows, parents] = [table.estimate ?? 0, parent.estimate ?? 0]
  const perParent = parents < TELLING ? 0 : rows / parents
  return (
    table.name !== parent.name &&
    own.every(({ nullable }) => !nullable) &&
    (isPart || onDelete === 'cascade') &&
    perParent <= PER_PARENT &&
    table.columns.length - own.length <= COLUMNS &&
    !table.columns.some(tellsWhen) &&
    others.referringTo(table.name).length === 0
  )
}

/** Rows that must say when something happened record it: nobody keeps them as lines of a form. */
const tellsWhen = (column: Column): boolean => column.type === 'datetime' && isAsked(column)

function withOrder(section: LinesSection): LinesSection {
  const { access, definition } = section.open
  const { reorder } = definition
  if (!reorder || !access.canRead(reorder.column) || !access.canWrite(reorder.column))
    return section
  const isWithin = reorder.within.every((name) => section.foreignKey.columns.includes(name))
  return isWithin && !isUnique(access.table, [reorder.column])
    ? { ...section, order: reorder }
    : section
}

/** The columns that a line has a field for. The form knows the others, and the database numbers what it numbers. */
export function askedColumns({ open, foreignKey, order }: LinesSection): ReadonlySet<string> {
  const { access, definition } = open
  const own = new Set([...foreignKey.columns, order?.column, definition.softDelete])
  const isNumbered = (name: string) =>
    access.table.columns.some(
      (one) =>
        one.name === name &&
        access.table.key.includes(name) &&
        (one.hasDefault || one.identity === true),
    )
  return new Set(
    access.table.columns.flatMap(({ name }) => (own.has(name) || isNumbered(name) ? [] : [name])),
  )
}

/** The column of a section's field; `undefined` if the form has no such section. */
export function sectionField(
  open: OpenTable,
  asked: string,
): { readonly open: OpenTable; readonly column: string } | undefined {
  const { lines, links } = sectionsOf(open)
  const section = [...lines, ...links].find(({ name }) => asked.startsWith(`${name}/`))
  return section && { open: section.open, column: asked.slice(section.name.length + 1) }
}
