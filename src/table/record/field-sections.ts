/** Which fields of a row belong together, on its page and in its form: as declared, else by what they hold. */

import type { Messages } from '../../messages/messages.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { SectionView } from '../../protocol/form-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { wordsOf } from '../definition/humanize.ts'
import { foreignKeysOf, type ColumnDefinition } from '../definition/table-definition.ts'
import { readableColumns } from '../list/concerns/columns.ts'

/** Up to here, fields need no sections. */
const FEW = 8

type Opened = Pick<OpenTable, 'definition' | 'access'>

type Group = keyof Messages['form']['sections']

/** In the order in which they are read. */
const GROUPS = ['general', 'figures', 'references', 'times', 'texts', 'more', 'row'] as const

/** A field alone needs no section, but these two have their place at the end. */
const LAST: ReadonlySet<Group> = new Set(['texts', 'row'])

/** The sections of all fields, in order; none where there are few fields and none is declared. */
export function fieldSections(open: Opened, { language }: Reader): SectionView[] {
  const columns = readableColumns(open)
  const declared = open.definition.form?.sections
  const titles = messagesFor(language).form.sections
  if (declared === undefined && columns.length <= FEW) return []
  const named = (declared ?? []).map(({ title, help, columns }): SectionView => ({
    ...{ title, fields: [...columns] },
    ...(help !== undefined && { help }),
  }))
  const others = columns.filter(({ name }) => !named.some(({ fields }) => fields.includes(name)))
  const grouped = Map.groupBy(others, (column) => groupOf(open, column))
  const isAlone = (group: Group) => (grouped.get(group)?.length ?? 0) < 2 && !LAST.has(group)
  const placed = Map.groupBy(others, (column): Group => {
    const group = groupOf(open, column)
    if (declared) return group === 'row' ? group : 'more'
    return isAlone(group) ? 'general' : group
  })
  const inferred = GROUPS.flatMap((group): SectionView[] => {
    const fields = (placed.get(group) ?? []).map(({ name }) => name)
    // What names the row is read first.
    const sorted = fields.toSorted((a, b) => Number(namesRow(open, b)) - Number(namesRow(open, a)))
    return fields.length === 0 ? [] : [{ title: titles[group], fields: sorted }]
  })
  return [...named, ...inferred]
}

/** Whether the column names the row by a value of its own. */
const namesRow = ({ definition: { columns, labelColumns } }: Opened, name: string): boolean =>
  labelColumns.includes(name) && columns.get(name)?.relation === undefined

const TIMES: ReadonlySet<string> = new Set(['date', 'datetime', 'time'])
/** Kinds of numbers and amounts. */
export const FIGURES: ReadonlySet<string> = new Set(['money', 'number', 'coordinate'])
const TEXTS: ReadonlySet<string> = new Set(['longtext', 'json', 'binary'])

function groupOf(open: Opened, { name, kind }: ColumnDefinition): Group {
  if (namesRow(open, name)) return 'general'
  if (isBookkeeping(open, name)) return 'row'
  if (foreignKeysOf(open.definition).some(({ columns }) => columns.includes(name)))
    return 'references'
  if (isIdentifier(open, name, kind)) return 'row'
  if (TIMES.has(kind)) return 'times'
  if (FIGURES.has(kind)) return 'figures'
  return TEXTS.has(kind) ? 'texts' : 'general'
}

const CHANGED = new Set(['created', 'updated', 'modified', 'inserted', 'changed', 'update'])
/** Words that may stand beside them in the name of a column that tells when or by whom. */
const BESIDE = new Set(['at', 'on', 'by', 'date', 'time', 'last', 'row', 'record', 'id'])
const CODES = new Set(['hash', 'checksum', 'digest', 'etag', 'uuid', 'guid', 'revision'])

/** What tells of the row as a record: when and by whom it was changed, whether it is deleted, its place by hand. */
function isBookkeeping({ definition }: Opened, name: string): boolean {
  if (name === definition.softDelete || name === definition.reorder?.column) return true
  const words = wordsOf(name)
  return (
    words.some((word) => CHANGED.has(word)) &&
    words.every((word) => CHANGED.has(word) || BESIDE.has(word))
  )
}

/** What tells it apart for machines: its key, ids of elsewhere, hashes. */
function isIdentifier({ access }: Opened, name: string, kind: string): boolean {
  const last = wordsOf(name).at(-1) ?? ''
  return access.table.key.includes(name) || CODES.has(last) || (kind === 'key' && last === 'id')
}
