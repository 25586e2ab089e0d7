/** What an entry of the history did, in words, as far as its reader may know. */

import { messagesFor } from '../../messages/messages.ts'
import type { FieldChange } from '../../protocol/history-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import type { SeenImage } from '../changes/seen-images.ts'
import type { Entry } from '../changes/ledger.ts'
import { formatterFor } from '../format.ts'
import { toldText } from '../list/rows.ts'
import { tellingTexts } from '../record/telling.ts'
import { isNamedByRows, joinedLabel, shortened } from '../references.ts'
import { isKept, type RowImage } from '../source/ledger-entry.ts'
import type { Value } from '../source/value.ts'
import { nobody, type Referred } from './referred.ts'

/** Most fields that are told of an entry in a list. */
const FIELDS_MAX = 4

/** The images that were read, and whether the entry has more of them. */
export type Told = {
  readonly entry: Entry
  readonly seen: readonly SeenImage[]
  readonly isAll: boolean
}

export type Described = {
  readonly what: string
  readonly said?: string[]
  readonly fields: FieldChange[]
  readonly notes: string[]
}

type Describing = {
  readonly reader: Reader
  readonly referred?: Referred
  /** A link names the row that it is about. */
  readonly isLinked?: boolean
}

/** There is at least one image. */
export function describeEntry(
  told: Told,
  { reader, referred = nobody, isLinked = false }: Describing,
): Described {
  const { history } = messagesFor(reader.language)
  const own = told.seen.filter(({ image }) => !image.cascaded)
  const asked = own.length > 0 ? own : told.seen
  const [[, main] = ['', asked], ...others] = [...Map.groupBy(asked, ({ image }) => kindOf(image))]
  const sentence = (some: readonly SeenImage[]) =>
    history.sentence(saidOf(told, some, { reader, name: history.quoted }))
  const said = saidOf(told, main, { reader, name: isLinked ? () => PLACE : history.quoted })
  return {
    what: [main, ...others.map(([, some]) => some)].map(sentence).join(' '),
    ...(others.length === 0 && { said: isLinked ? said.split(PLACE) : [said] }),
    fields: shared(main, { reader, referred }),
    notes: cascades(told, reader).map((text) => history.along(text)),
  }
}

/** Stands for the row's name where a link will: no text of a catalogue holds it. */
const PLACE = '\0'

type Action = 'added' | 'changed' | 'deleted'

const actionOf = ({ before, after }: RowImage): Action =>
  before === null ? 'added' : after === null ? 'deleted' : 'changed'

/** Changes of one kind to one table are told together. */
const kindOf = (image: RowImage): string => `${actionOf(image)} ${image.table}`

type Naming = { readonly reader: Reader; name(label: string): string }

/** What was done, without the end of the sentence. */
function saidOf(told: Told, some: readonly SeenImage[], { reader, name }: Naming): string {
  const { history } = messagesFor(reader.language)
  const [first] = some
  if (!first) return ''
  const { image, open } = first
  const action = actionOf(image)
  const table = open.definition.label
  if (told.entry.door === 'order') return history.ordered(table)
  // What a deletion took was not added anew.
  const says = action === 'added' && told.entry.door === 'undo' ? 'back' : action
  if (some.length === 1 && told.isAll) return history.one[says](table, name(labelOf(first, reader)))
  const count = countOf(told, open, action, some.length)
  const number = formatterFor(reader).number
  return count === undefined
    ? history.some[says](table)
    : history.many[says](table, { count, text: number(count) })
}

/** How many rows there were; `undefined` where that would tell of rows that the reader may not see. */
function countOf(
  { entry, isAll }: Told,
  { access }: OpenTable,
  action: Action,
  seen: number,
): number | undefined {
  if (isAll) return seen
  if (!access.seesAllRows) return undefined
  const counts = entry.tables.find(({ table }) => table === access.table.name)
  const names = { added: 'inserted', changed: 'updated', deleted: 'deleted' } as const
  return counts?.[names[action]]
}

/** The row by its label, as it is or as it was; else by what tells it from others, or by its key. */
export function labelOf(seen: SeenImage, reader: Reader): string {
  const name = nameOf(seen, reader)
  if (name !== undefined) return name
  // Of a row that has gone, only the key tells which one it was; one that is there has a link.
  if (!seen.current) return fullLabelOf(seen, reader)
  return tellingsOf(seen, reader).join(', ') || keyOf(seen)
}

/** The same where no table is named beside it. */
export const fullLabelOf = (seen: SeenImage, reader: Reader): string =>
  shortened(nameOf(seen, reader) ?? '') ||
  [
    messagesFor(reader.language).record.unnamed(seen.open.definition.label, keyOf(seen)),
    ...tellingsOf(seen, reader),
  ].join(', ')

const tellingsOf = (seen: SeenImage, reader: Reader): string[] =>
  tellingTexts(seen.open, (column) => toldValue(seen, column), reader)

/** As it is or as it was; `undefined` where the reader may not know. */
function toldValue({ image, open, current }: SeenImage, name: string): Value | undefined {
  const value = current?.[name] ?? (image.after ?? image.before)?.[name] ?? null
  return isKept(value) && open.access.showsValue(name, value) ? value : undefined
}

const keyOf = ({ open, image }: SeenImage): string => open.keys.shown(image.key).join(', ')

function nameOf(seen: SeenImage, reader: Reader): string | undefined {
  const { definition } = seen.open
  const texts = definition.labelColumns.map((name) => {
    const column = definition.columns.get(name)
    const value = toldValue(seen, name)
    return column && value !== undefined ? toldText(formatterFor(reader).cell(column, value)) : null
  })
  return joinedLabel(texts, isNamedByRows(definition)) ?? undefined
}

type Words = { readonly reader: Reader; readonly referred: Referred }

/** The fields of a row that differ, as far as the reader may read them; references by the labels of their rows. */
export function fieldsOf({ image, open }: SeenImage, { reader, referred }: Words): FieldChange[] {
  if (image.before === null || image.after === null) return []
  const { before, after } = image
  return Object.keys(before).flatMap((name): FieldChange[] => {
    const column = open.definition.columns.get(name)
    if (!column || !open.access.canShow(name)) return []
    const told = [before[name] ?? null, after[name] ?? null]
    const isUntold = !told.every((value) => isKept(value) && open.access.showsValue(name, value))
    const [was, is] = told.map((value) =>
      isUntold || !isKept(value) || value === null
        ? null
        : (referred(open, name, value) ?? toldText(formatterFor(reader).cell(column, value))),
    )
    return [{ column: name, label: column.label, before: was ?? null, after: is ?? null, isUntold }]
  })
}

/** The fields that were set to the same value in all rows; what they were before may differ. */
function shared(some: readonly SeenImage[], words: Words): FieldChange[] {
  const all = some.map((one) => fieldsOf(one, words))
  const [first = [], ...others] = all
  return first
    .filter(({ column, after, isUntold }) =>
      others.every((fields) =>
        fields.some(
          (one) => one.column === column && one.after === after && !isUntold && !one.isUntold,
        ),
      ),
    )
    .map((field): FieldChange => {
      const isSame = others.every((fields) =>
        fields.some(({ column, before }) => column === field.column && before === field.before),
      )
      return isSame ? field : { ...field, before: null, isMixed: true }
    })
    .slice(0, FIELDS_MAX)
}

/** What cascades took, by table; of tables that the reader may not see, that there were other rows. */
function cascades({ entry, seen }: Told, reader: Reader): string[] {
  const { history } = messagesFor(reader.language)
  const cascaded = Map.groupBy(
    seen.filter(({ image }) => image.cascaded),
    ({ open }) => open.definition.label,
  )
  const number = formatterFor(reader).number
  const told = [...cascaded].map(([table, { length }]) =>
    history.rowsOf(table, { count: length, text: number(length) }),
  )
  const known = new Set(seen.map(({ image }) => image.table))
  return entry.tables.every(({ table }) => known.has(table)) ? told : [...told, history.otherRows]
}
