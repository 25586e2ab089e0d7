/** Draws what can be corrected of a table or column: what it is now, and what was read. */

import { messagesFor, type ServerMessages } from '../../messages/messages.ts'
import type {
  CorrectedColumn,
  CorrectionChoice,
  CorrectionField,
  CorrectionsView,
  ValueName,
} from '../../protocol/corrections-view.ts'
import { isJsonObject, type Json } from '../../protocol/json.ts'
import { COLUMN_KINDS } from '../../protocol/table-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { CorrectedCatalog, OpenTable } from '../../table/catalog.ts'
import { type CorrectedPart, judge } from '../../table/definition/corrections.ts'
import { LABEL_MAX, own, readSort, UNIT_MAX } from '../../table/definition/define-table.ts'
import { isSortableType } from '../../table/definition/infer.ts'
import type { ColumnDefinition, TableDefinition } from '../../table/definition/table-definition.ts'
import { formatterFor } from '../../table/format.ts'
import { timeOf } from '../../table/history/moments.ts'
import type { StoredCorrection } from './corrections.ts'
import { choiceOf, currencyChoices, currencyWords } from './currencies.ts'
import type { PartFault } from './form.ts'
import type { FoundValue } from './found-values.ts'
import { partsOf, type PartValues, saidByCode, valuesOf } from './values.ts'

/** What was entered, which is not saved. */
export type RefusedForm = {
  readonly entered: PartValues
  /** The values and names as they were typed, where they are among what was entered. */
  readonly pairs?: readonly { readonly stored: string; readonly name: string }[]
  /** What the page showed of it, where that stays what the next save is compared with. */
  readonly seen: PartValues
  readonly errors: readonly (Pick<PartFault, 'part' | 'at'> & { readonly text: string })[]
}

/** What is drawn, and for whom. */
export type Correcting = {
  readonly open: OpenTable
  readonly corrected: CorrectedCatalog
  /** As it would be without corrections. */
  readonly before: TableDefinition
  readonly stored: readonly StoredCorrection[]
  /** `null`: the table itself. */
  readonly column: string | null
  /** Values that the column holds. Default: none are known. */
  readonly found?: readonly FoundValue[]
  /** What names columns, where something is entered that the list shows. Default: what is in effect. */
  readonly previewed?: TableDefinition
  /** They are drawn anew after each change, so that there is room for one more alone. Default: false. */
  readonly isRedrawn?: boolean
  /** What stands in the fields in the place of what is in effect. */
  readonly refused?: RefusedForm | undefined
  readonly reader: Reader
  /** Address of the page about a column, or about the table. */
  href(column: string | null): string
}

type Drawn = Pick<CorrectionsView, 'title' | 'named' | 'column' | 'ignored' | 'seen' | 'fields'>

export function drawCorrections(correcting: Correcting): Drawn {
  const { open, column, reader } = correcting
  const words = wordsFor(reader)
  const { definition } = open
  const { table } = definition
  const { previewed = definition } = correcting
  const about = column === null ? previewed : previewed.columns.get(column)
  const type = table.columns.find(({ name }) => name === column)?.type ?? ''
  return {
    title: words.title(about?.label ?? ''),
    named: column === null ? words.named(table.name) : words.ofColumn(column, type),
    column,
    ignored: ignoredIn(correcting),
    seen: JSON.stringify({ ...valuesOf(definition, column), ...correcting.refused?.seen }),
    fields: partsOf(column)
      .filter((part) => isOffered(part, correcting))
      .map((part) => fieldOf(part, correcting)),
  }
}

const wordsFor = ({ language }: Reader): ServerMessages['corrections'] =>
  messagesFor(language).corrections

/** Values of parts that suit some columns alone, if any value does. */
const TRIED: { readonly [part in CorrectedPart]?: Json } = {
  currency: false,
  minorUnit: 'cents',
  values: { 0: '0' },
}

/** Whether the column can have such a part, or has one. */
export function isOffered(
  part: CorrectedPart,
  { open, corrected, column, stored }: Pick<Correcting, 'open' | 'corrected' | 'column' | 'stored'>,
): boolean {
  const { [part]: value } = TRIED
  if (value === undefined) return true
  const table = open.definition.table.name
  const isMade = stored.some((one) => one.column === column && one.part === part)
  const code = own(corrected.correctable.declared, table) ?? {}
  const isSaid = saidByCode(table, column, part, code) !== undefined
  const beside = corrected.corrections.filter((one) => one.table === table && one.part === 'kind')
  const { fault } = judge({ table, column, part, value }, corrected.correctable, beside)
  return isMade || isSaid || !fault
}

/** What is sent to take a correction back, as long as it is the one that is shown. */
export const backValue = ({ column, part, at }: StoredCorrection): string =>
  JSON.stringify([column, part, at])

function ignoredIn({ corrected, open, stored, reader }: Correcting): CorrectionsView['ignored'] {
  const words = wordsFor(reader)
  const name = open.definition.table.name
  const partWord = (part: string) => own<string>(words.parts, part) ?? part
  return corrected.ignored
    .filter(({ correction }) => correction.table === name)
    .flatMap(({ correction: { column, part }, fault }) => {
      const made = stored.find((one) => one.column === column && one.part === part)
      if (!made) return []
      const label = [...(column === null ? [] : [column]), partWord(part)].join(', ')
      const text = fault.why === 'gone' ? words.gone(label, fault.name) : words.unfitting(label)
      return { text, back: backValue(made) }
    })
}

function fieldOf(part: CorrectedPart, correcting: Correcting): CorrectionField {
  const { open, corrected, before, stored, column, reader } = correcting
  const words = wordsFor(reader)
  const { definition } = open
  const code = own(corrected.correctable.declared, definition.table.name) ?? {}
  const where = saidByCode(definition.table.name, column, part, code)
  const made = stored.find((one) => one.column === column && one.part === part)
  const was = textOf(part, valuesOf(before, column)[part] ?? null, before, reader)
  const now = textOf(part, valuesOf(definition, column)[part] ?? null, definition, reader)
  return {
    ...{ part, label: words.parts[part] },
    // What code declares was not read.
    read: where !== undefined ? '' : was === '' ? words.readNone : words.read(was),
    by: made ? words.by(made.by, timeOf(made.at, reader)) : null,
    back: made ? backValue(made) : null,
    hint: where === undefined ? words.hints[part] || null : null,
    error: errorsIn(part, correcting)
      .map(({ text }) => text)
      .join(' '),
    isUnsaved: own(correcting.refused?.entered ?? {}, part) !== undefined,
    fixed:
      where === undefined
        ? null
        : { where: words.code(where), value: now === '' ? words.none : now },
    ...controlOf(part, correcting),
  }
}

const errorsIn = (part: CorrectedPart, { refused }: Correcting): RefusedForm['errors'] =>
  (refused?.errors ?? []).filter((error) => error.part === part)

type Control = CorrectionField extends infer One
  ? One extends CorrectionField
    ? Omit<
        One,
        'part' | 'label' | 'read' | 'by' | 'back' | 'hint' | 'error' | 'isUnsaved' | 'fixed'
      >
    : never
  : never

/** Least columns to choose for a row's name, and for the order. */
const NAMES = 3
const TERMS = 2
/** Room for further names of values: without script, more come after each save. */
const FURTHER = 3

function controlOf(part: CorrectedPart, correcting: Correcting): Control {
  const { open, column, refused, reader } = correcting
  const { definition } = open
  const { [part]: value = null } = { ...valuesOf(definition, column), ...refused?.entered }
  const texts = textsIn(value)
  const [text = ''] = texts
  const room = ({ length }: readonly unknown[], least: number) =>
    correcting.isRedrawn ? length + 1 : least
  switch (part) {
    case 'label':
      return { kind: 'text', value: text, max: LABEL_MAX }
    case 'unit':
      return { kind: 'text', value: text, max: UNIT_MAX }
    case 'minorUnit':
      return { kind: 'text', value: text, max: UNIT_MAX }
    case 'currency':
      return {
        kind: 'choice',
        value: choiceOf(value),
        options: [{ value: '', label: wordsFor(reader).none }, ...currencyChoices(open, reader)],
      }
    case 'kind':
      return { kind: 'choice', value: text, options: kindsFor(correcting) }
    case 'labelColumn':
      return {
        kind: 'choices',
        values: padded(texts, room(texts, NAMES), ''),
        options: sortable(open),
      }
    case 'sort': {
      const terms = readSort(texts, new Set(definition.columns.keys())).map((term) => ({ ...term }))
      const none = { column: '', descending: false }
      return {
        ...{ kind: 'order', terms: padded(terms, room(terms, TERMS), none) },
        options: sortable(open, true),
      }
    }
    case 'values':
      return { kind: 'names', max: LABEL_MAX, names: namesIn(value, correcting) }
    case 'shown':
      return { kind: 'columns', columns: columnsIn(correcting, new Set(texts)) }
  }
}

const nameIn = (value: Json): string => (typeof value === 'string' ? value : '')

/** What was typed, or else the names there are, and the values that have none; with room for more. */
function namesIn(value: Json, correcting: Correcting): ValueName[] {
  const { refused, found = [], isRedrawn } = correcting
  const named = isJsonObject(value)
    ? Object.entries(value).map(([stored, name]) => ({ stored, name: nameIn(name) }))
    : []
  const others = found.filter(({ stored }) => !named.some((known) => known.stored === stored))
  const pairs = refused?.pairs ?? [...named, ...others.map(({ stored }) => ({ stored, name: '' }))]
  const errors = errorsIn('values', correcting)
  const names = pairs.map((pair, at) => {
    const error = errors.find((one) => !one.at || one.at.places.includes(at))
    const rows = rowsOf(pair.stored, correcting)
    return { ...pair, rows, wrong: error ? (error.at?.field ?? 'named') : null }
  })
  const further = pairs.some(({ name }) => name === '') ? 0 : isRedrawn ? 1 : FURTHER
  const none = { stored: '', name: '', rows: null, wrong: null }
  return padded(names, names.length + further, none)
}

/** `false` says that there is none. */
const textsIn = (value: Json): string[] =>
  isJsonObject(value) ? [] : [value === false ? [] : (value ?? [])].flat().map(String)

/** How many rows hold a value, in words. */
function rowsOf(stored: string, { found = [], reader }: Correcting): string | null {
  const count = found.find((one) => one.stored === stored)?.count
  return count === undefined
    ? null
    : wordsFor(reader).rows({ count, text: formatterFor(reader).number(count) })
}

const kindIn = ({ columns }: TableDefinition, column: string | null): string =>
  columns.get(column ?? '')?.kind ?? ''

const padded = <T>(values: T[], least: number, none: T): T[] => [
  ...values,
  ...Array.from({ length: Math.max(1, least - values.length) }, () => none),
]

/** Columns that can name rows, or order them: keys of any type do the latter. */
function sortable({ definition, access }: OpenTable, withKey = false): CorrectionChoice[] {
  const { table, columns } = definition
  return table.columns.flatMap((column) => {
    const known = columns.get(column.name)
    if (!known || known.maskedBy !== undefined || !access.canRead(column.name)) return []
    const isFit = isSortableType(column) || (withKey && table.key.includes(column.name))
    return isFit ? { value: column.name, label: known.label } : []
  })
}

/** The kind that was read, and those that suit the column. */
function kindsFor({ before, open, corrected, column, reader }: Correcting): CorrectionChoice[] {
  const { correctable } = corrected
  const table = open.definition.table.name
  const names = [...COLUMN_KINDS, ...correctable.kinds.map(({ name }) => name)]
  const suits = (value: string) => !judge({ table, column, part: 'kind', value }, correctable).fault
  const current = [kindIn(before, column), kindIn(open.definition, column)]
  return names
    .filter((name) => current.includes(name) || suits(name))
    .map((name) => ({ value: name, label: kindWord(name, reader) }))
}

const kindWord = (kind: string, reader: Reader): string =>
  own<string>(messagesFor(reader.language).about.kinds, kind) ?? kind

/** Those in the list first, in their order. */
function columnsIn(
  { open: { definition, access }, previewed = definition, href, reader }: Correcting,
  shown: ReadonlySet<string>,
): CorrectedColumn[] {
  const others = definition.table.columns.map(({ name }) => name).filter((name) => !shown.has(name))
  return [...shown, ...others].flatMap((name) => {
    const column = previewed.columns.get(name)
    if (!column || !access.canShow(name)) return []
    const about = aboutColumn(column, reader)
    return { name, label: column.label, about, href: href(name), isShown: shown.has(name) }
  })
}

function aboutColumn({ kind, unit }: ColumnDefinition, reader: Reader): string {
  const word = kindWord(kind, reader)
  return unit === undefined || unit === '' ? word : wordsFor(reader).withUnit(word, unit)
}

/** A value in words; empty for none. */
export function textOf(
  part: string,
  value: Json,
  { columns }: Pick<TableDefinition, 'columns'>,
  reader: Reader,
): string {
  const words = wordsFor(reader)
  const labelOf = (name: string) => columns.get(name)?.label ?? name
  const currency = part === 'currency' ? currencyWords(value, reader) : undefined
  if (currency !== undefined) return currency
  if (isJsonObject(value))
    return Object.entries(value)
      .map(([stored, name]) => words.valueNamed(stored, nameIn(name)))
      .join(', ')
  const texts = textsIn(value)
  if (part === 'kind') return texts.map((kind) => kindWord(kind, reader)).join(', ')
  if (part === 'sort')
    return readSort(texts, new Set(columns.keys()))
      .map(({ column, descending }) =>
        words[descending ? 'descending' : 'ascending'](labelOf(column)),
      )
      .join(', ')
  if (part === 'labelColumn' || part === 'shown' || part === 'currency')
    return texts.map(labelOf).join(', ')
  return texts.join(', ')
}
