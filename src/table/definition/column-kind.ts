/** What kind of values a column holds, by its place in the schema, its name and a sample. */

import type { ColumnKind } from '../../protocol/table-view.ts'
import { toneOf } from '../format.ts'
import { wordsOf } from './humanize.ts'
import type { Column, Table, ValueType } from '../source/schema.ts'

/** What the rules look at. */
type Facts = {
  readonly column: Column
  readonly table: Table
  /** The words of its name, and the last of them. */
  readonly words: readonly string[]
  readonly last: string
  /** The unit that its name ends in. */
  readonly unit: string | undefined
  /** Values as texts, without the empty ones. */
  readonly sample: readonly string[]
}

type Test = (facts: Facts) => boolean

/** The kind, the types that it is looked for in, and what has to be so. */
type Rule = readonly [ColumnKind, readonly ValueType[], ...Test[]]

const TEXT: readonly ValueType[] = ['text']
const NUMBER: readonly ValueType[] = ['integer', 'decimal', 'float']
const WHOLE: readonly ValueType[] = ['integer']
const ANY: readonly ValueType[] = [
  ...TEXT,
  ...NUMBER,
  'boolean',
  'date',
  'datetime',
  'time',
  'json',
  'binary',
]

/** The first rule that fits decides; where none does, the type of the column says it. */
const RULES: readonly Rule[] = [
  ['relation', ANY, isReference],
  ['key', ANY, ({ column, table }) => table.key.includes(column.name)],
  ['text', ANY, ({ column }) => column.array === true],

  ['image', TEXT, all(isPicture)],
  ['image', TEXT, called('image'), any(isAddress)],
  ['link', TEXT, all(isAddress)],
  ['link', TEXT, called('link'), any(isAddress)],
  ['email', TEXT, all(isEmail)],
  ['email', TEXT, called('email'), any(isEmail)],
  ['colour', TEXT, all(isColour), hasLetters],
  ['colour', TEXT, called('colour'), any(isColour)],
  ['key', TEXT, all(isUuid)],
  ['key', TEXT, called('uuid'), any(isUuid)],
  ['number', TEXT, isComputed, all(isDecimal)],
  ['status', TEXT, hasFewValues, called('status'), isNoRegion],
  ['status', TEXT, hasFewValues, readsLikeStates],
  ['text', TEXT, ({ column }) => column.allowed !== undefined],
  ['longtext', TEXT, called('longtext')],
  ['longtext', TEXT, isLong],

  ['key', NUMBER, ({ column }) => column.identity === true],
  ['key', NUMBER, called('key')],
  ['money', NUMBER, ({ column }) => /money|currency/i.test(column.declared)],
  ['money', NUMBER, ({ unit }) => unit !== undefined && CURRENCIES.has(unit)],
  ['money', NUMBER, ({ unit }) => unit === undefined, called('money')],
  ['boolean', WHOLE, called('boolean'), all(isBit)],
]

const BY_TYPE: Readonly<Record<ValueType, ColumnKind>> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
  json: 'json',
  binary: 'binary',
}

export function inferKind(column: Column, table: Table, unit: string | undefined): ColumnKind {
  const words = wordsOf(column.name)
  const facts = { column, table, words, last: words.at(-1) ?? '', unit, sample: textsOf(column) }
  const rule = RULES.find(
    ([, types, ...tests]) => types.includes(column.type) && tests.every((fits) => fits(facts)),
  )
  return rule?.[0] ?? BY_TYPE[column.type]
}

const textsOf = ({ sample = [] }: Column): string[] =>
  sample.map(String).filter((text) => text.trim() !== '')

/** Whether it holds nothing but UUIDs, which tell people nothing. */
export function isUuidColumn(column: Column): boolean {
  const texts = textsOf(column)
  return texts.length > 0 && texts.every(isUuid)
}

// Names

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

const LAST_WORDS = {
  image: setOf(`
    image picture photo photograph avatar thumbnail thumb logo icon cover banner portrait
    screenshot
  `),
  link: setOf('url uri link href website homepage webpage'),
  email: setOf('email'),
  colour: setOf('colour color hex'),
  uuid: setOf('uuid guid'),
  status: setOf('status state stage'),
  longtext: setOf(`
    description notes note remarks remark body content comment comments bio narrative summary
    message
  `),
  key: setOf('id year'),
  money: setOf('total subtotal'),
  boolean: setOf(`
    active enabled disabled visible hidden public published archived deleted verified confirmed
    approved paid locked blocked default primary required optional featured open done
  `),
} as const

/** Names that say it otherwise than by their last word. */
const OTHERWISE: { readonly [kind in keyof typeof LAST_WORDS]?: Test } = {
  image: ({ words, last }) => LAST_WORDS.link.has(last) && LAST_WORDS.image.has(words.at(-2) ?? ''),
  email: ({ words }) => /^mail$|\b(?:e mail|email address)$/.test(words.join(' ')),
  money: ({ words, last }) => words.some((word) => MONEY.has(word)) && !COUNTS.has(last),
  boolean: ({ words }) => QUESTIONS.has(words[0] ?? ''),
}

const QUESTIONS = setOf('is has can was are should allow allows')
const CURRENCIES = new Set(['$', '€', '£'])
const MONEY = setOf('price cost amount fee balance salary revenue budget')
const COUNTS = setOf('count number quantity qty rank position days months')

function called(kind: keyof typeof LAST_WORDS): Test {
  return (facts) => LAST_WORDS[kind].has(facts.last) || (OTHERWISE[kind]?.(facts) ?? false)
}

/** Beside a city, a state is a part of a country. */
function isNoRegion({ last, table }: Facts): boolean {
  return last !== 'state' || !table.columns.some(({ name }) => wordsOf(name).at(-1) === 'city')
}

// Values

/** There is a sample, and all of it fits. */
function all(fits: (text: string) => boolean): Test {
  return ({ sample }) => sample.length > 0 && sample.every(fits)
}

/** Some of the sample fits, or there is none: a name is believed unless the values deny it. */
function any(fits: (text: string) => boolean): Test {
  return ({ sample }) => sample.length === 0 || sample.some(fits)
}

function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text)
}

function isPicture(text: string): boolean {
  return isAddress(text) && /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i.test(text)
}

function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
}

function isColour(text: string): boolean {
  return /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text)
}

/** Digits alone could be the number of anything. */
function hasLetters({ sample }: Facts): boolean {
  return sample.some((text) => /[a-f]/i.test(text))
}

function isUuid(text: string): boolean {
  return /^\{?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\}?$/i.test(text)
}

function isDecimal(text: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
}

function isBit(text: string): boolean {
  return text === '0' || text === '1'
}

// What else the schema and the statistics say

function isReference({ column, table }: Facts): boolean {
  return table.foreignKeys.some(({ columns }) => columns.length === 1 && columns[0] === column.name)
}

/** Reckoned by a view: engines that know no type for it say nothing. */
function isComputed({ column, table }: Facts): boolean {
  return table.kind !== 'table' && column.declared === ''
}

/** Most different values that still count as few. */
const FEW = 20

/** Few values that come again and again: the schema lists them, or a sample or statistics tell. */
function hasFewValues({ column, table, sample }: Facts): boolean {
  if (column.allowed) return true
  const seen = new Set(sample).size
  const distinct = column.distinct ?? seen
  if (distinct === 0 || distinct > FEW) return false
  return seen > 0 ? sample.length >= seen * 2 : (table.estimate ?? 0) >= distinct * 5
}

/** At least two values, and half of them, are such as things go through. */
function readsLikeStates({ column, sample }: Facts): boolean {
  const values = [...new Set(column.allowed ?? sample)]
  const toned = values.filter((value) => toneOf(value) !== 'idle').length
  return toned >= 2 && toned * 2 >= values.length
}

/** Length from which text is long, characters. */
const LONG = 120
const LONG_LIMIT = 1000

/** By its values, or where there are none to be had by what it was made for. */
function isLong({ column, sample }: Facts): boolean {
  if (sample.length === 0)
    return (column.maxLength ?? 0) >= LONG_LIMIT || /^(medium|long)text\b/i.test(column.declared)
  const length = sample.reduce((sum, text) => sum + text.length, 0)
  return length / sample.length > LONG
}
