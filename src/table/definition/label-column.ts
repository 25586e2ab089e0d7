/** Which column names the rows of a table. */

import { isUuidColumn } from './column-kind.ts'
import { wordsOf } from './humanize.ts'
import { kindIn, type Scope } from './scope.ts'

const LABEL_NAMES = [
  'name',
  'title',
  'label',
  'full_name',
  'display_name',
  'subject',
  'number',
  'reference',
  'email',
  'code',
  'slug',
]
/** For tables of people, who share titles and first names. */
const PERSON_NAMES = ['name', 'full_name', 'display_name', 'email', 'last_name', 'surname']
/** Words of a postal address, such as `billing_city`, which names no row. */
const ADDRESS_WORDS = new Set([
  'address',
  'street',
  'city',
  'state',
  'country',
  'zip',
  'code',
  'phone',
  'fax',
  'first',
  'info',
])
const LABEL_ENDINGS = new Set(['name', 'title'])

const isOfAddress = (name: string): boolean => wordsOf(name).some((word) => ADDRESS_WORDS.has(word))

/** The column that names a row: one with a usual name, else the first short text. */
export function labelColumnOf(scope: Scope): string | undefined {
  const { table, options, hidden, masked } = scope
  if (options.labelColumn !== undefined) return options.labelColumn ?? undefined
  const linked = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
  const texts = table.columns.filter(
    ({ name, type, array }) =>
      type === 'text' && !array && !linked.has(name) && !hidden.has(name) && !masked.has(name),
  )
  const rowName = wordsOf(table.name).join('_').replace(/s$/, '')
  const textCalled = (wanted: string) =>
    texts.find(({ name }) => wordsOf(name).join('_') === wanted)
  const isPerson = textCalled('last_name') ?? textCalled('surname')
  const names = isPerson ? PERSON_NAMES : [...LABEL_NAMES, `${rowName}_number`, rowName]
  const named = names.map(textCalled).find(Boolean)
  const ending = texts.find(({ name }) => LABEL_ENDINGS.has(wordsOf(name).at(-1) ?? ''))
  const short = texts.filter(
    (column) =>
      !column.allowed && !isUuidColumn(column, table) && kindIn(column, scope).namesRows === true,
  )
  const first = short.find(({ name }) => !isOfAddress(name) || wordsOf(name).length === 1)
  return (named ?? ending ?? first)?.name
}
