/** Which columns name the rows of a table. */

import { type Column, isUniqueColumn, type Table, uniqueSets } from '../source/schema.ts'
import { setOf } from './column-facts.ts'
import { wordsOf } from './humanize.ts'
import { ownWords, rowWords } from './own-words.ts'
import { averageLength, isDistinct, isFilled, isForMachines } from './sample-facts.ts'
import { kindIn, linkIn, type Scope } from './scope.ts'

/** The share of rows with a name that others have, too: what is called a name is trusted. */
const NAMESAKES = 0.4

/** Longest texts that name something, characters on average. */
const SHORT = 80
/** Longest texts called a description that name something, characters on average. */
const TERSE = 30

const FIRST_NAMES = setOf('first firstname fname forename given givenname first_name given_name')
const LAST_NAMES = setOf('last lastname lname surname last_name family_name')
const NUMBERS = setOf('number no nr reference ref reference_number ref_no')
const CODES = setOf('code sku slug key symbol abbreviation short_code short_name')

/** Words of what belongs to somebody or something else, or says of what sort a row is. */
const OTHERS = setOf(`
  type gender sex kind class provider queue error exception uuid guid currency ip salutation courtesy
  interval status language locale format mime token hash checksum digest path url uri link website homepage host
  timezone color colour phone fax mobile desc description comment comments note notes content body message
  ship shipping bill billing delivery contact parent group owner author user agent browser database connection
  payload prefix suffix middle maiden gateway credit serial password login reason action version summary bio
  remark remarks
`)
/** Words of a postal address, which name a row only where nothing stands before them. */
const PLACES = setOf(
  'address street city state country region county zip postal postcode code first info',
)

/** A test on the words of a column, without those of its table, joined with `_`. */
type Test = (words: string, column: Column, table: Table) => boolean

const called =
  (words: ReadonlySet<string>): Test =>
  (name) =>
    words.has(name)

/** In the order in which they are trusted. People come after the first, and the others after them. */
const NAMES = called(setOf('name full_name fullname display_name label caption'))
const TRUSTED: readonly Test[] = [
  called(setOf('title headline')),
  (_, { name }, table) => isOfRow(name, table),
  called(NUMBERS),
  (words, column, table) => /_(number|no|nr)$/.test(words) && isUniqueColumn(column.name, table),
  called(setOf('subject topic')),
  called(setOf('username user_name login handle nickname nick screen_name')),
  called(setOf('email mail e_mail email_address')),
  called(setOf('filename file_name file original_filename original_name')),
  called(CODES),
  (words) => /_(name|title)$/.test(words) && !isOfOthers(words),
  (words, column) => /^desc(ription)?$/.test(words) && averageLength(column) <= TERSE,
]

function isOfOthers(name: string): boolean {
  const words = name.split('_')
  return words.some((word) => OTHERS.has(word) || (words.length > 1 && PLACES.has(word)))
}

/** Such as `city` in a table of cities. */
function isOfRow(name: string, table: Table): boolean {
  const words = wordsOf(name)
  const row = rowWords(table).slice(-words.length)
  return rowWords({ name }).join('_') === row.join('_')
}

/**
 * The columns that name a row, none if it is best called by its key: a name; the first and last name of a
 * person; a title, a number and so on; the rows that a joining row joins; else the first short text that tells
 * rows apart.
 */
export function labelColumnsOf(scope: Scope): readonly string[] {
  const { table, options } = scope
  if (options.labelColumn !== undefined) return [options.labelColumn ?? []].flat()
  const texts = namingTexts(scope)
  const find = (test: Test): readonly string[] | undefined => {
    const found = texts.find((column) => test(ownName(column, table), column, table))
    return found && [found.name]
  }
  const trusted = () => TRUSTED.reduce<Found>((found, test) => found ?? find(test), undefined)
  return (
    find(NAMES) ?? personName(texts, table) ?? trusted() ?? joined(scope) ?? firstText(scope, texts)
  )
}

type Found = readonly string[] | undefined

const ownName = ({ name }: Column, table: Table): string => {
  const words = wordsOf(name).join('_')
  // The name of a user's account is no full name, though `user` only repeats the table.
  return words === 'user_name' ? words : ownWords(name, table).join('_')
}

/** Columns of short texts in nearly every row that tell the rows apart. */
function namingTexts({ table, hidden, masked }: Scope): readonly Column[] {
  const linked = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
  return table.columns.filter(
    (column) =>
      isNaming(column, table) &&
      !linked.has(column.name) &&
      !hidden.has(column.name) &&
      !masked.has(column.name),
  )
}

function isNaming(column: Column, table: Table): boolean {
  const { name, type, array } = column
  const isNumbered =
    type === 'integer' && isUniqueColumn(column.name, table) && !table.key.includes(name)
  const isOfPerson = isFirst(name, table) || isLast(name, table)
  return (
    (type === 'text' || isNumbered) &&
    !array &&
    isFilled(column) &&
    (isOfPerson || isDistinct(column, table, isNameOf(column, table) ? NAMESAKES : undefined)) &&
    averageLength(column) <= SHORT &&
    !isForMachines(column, table)
  )
}

const isNameOf = (column: Column, table: Table): boolean =>
  NAMES(ownName(column, table), column, table)

const isFirst = (name: string, table: Table): boolean =>
  FIRST_NAMES.has(ownWords(name, table).join('_'))
const isLast = (name: string, table: Table): boolean =>
  LAST_NAMES.has(ownWords(name, table).join('_'))

/** First and last name; the last name alone tells few people apart, and is better than an address. */
function personName(texts: readonly Column[], table: Table): Found {
  const first = texts.find(({ name }) => isFirst(name, table))
  const last = texts.find(({ name }) => isLast(name, table))
  return first && last && [first.name, last.name]
}

/** The rows that a row joins, or the one that it belongs to: what its key refers to, if it has no more. */
function joined(scope: Scope): Found {
  const { table } = scope
  const links = table.columns.filter(
    (column) => linkIn(column, scope) && !scope.hidden.has(column.name),
  )
  const names = links.map(({ name }) => name)
  const isKey = table.key.length > 0 && table.key.every((name) => names.includes(name))
  if (isKey) return table.key
  const others = table.columns.filter(({ name }) => !names.includes(name) && !isAside(name, table))
  return names.length === 2 && others.length === 0 && isPaired(links, table) ? names : undefined
}

/** Fewest pairs that show that there is one row for each. */
const PAIRS = 8

/** Whether there is one row at most for each two values: by a unique index, or as far as a sample tells. */
function isPaired(links: readonly Column[], table: Table): boolean {
  const isUnique = uniqueSets(table).some(
    ({ columns }) =>
      columns.length === links.length && links.every(({ name }) => columns.includes(name)),
  )
  // Samples leave out NULLs, so that only those of full columns stand row by row.
  const [first = [], second = []] = links.map(({ sample, sampled }) =>
    sampled?.blanks === 0 ? sample : [],
  )
  const pairs = first.map((value, at) => `${String(value)} ${String(second[at])}`)
  const possible = links.reduce((product, { distinct = Infinity }) => product * distinct, 1)
  return (
    isUnique ||
    (possible >= (table.estimate ?? 0) &&
      Math.min(pairs.length, second.length) >= PAIRS &&
      new Set(pairs).size === pairs.length)
  )
}

const ASIDE = setOf(
  'created updated modified inserted changed at on by date time position last update',
)

/** Such as the key and the times of a joining row, which say nothing of what it joins. */
const isAside = (name: string, { key }: Table): boolean =>
  key.includes(name) || wordsOf(name).every((word) => ASIDE.has(word))

/** The first short text that is not of a sort, of a place or of somebody else. */
function firstText(scope: Scope, texts: readonly Column[]): readonly string[] {
  const { table } = scope
  const found = texts.find(
    (column) =>
      column.type === 'text' &&
      !column.allowed &&
      !isOfOthers(ownName(column, table)) &&
      !/(^|_)(id|number)$/.test(ownName(column, table)) &&
      kindIn(column, scope).namesRows === true &&
      !column.sample?.every((value) => /^[\d\s.,:+-]+$/.test(String(value))),
  )
  return found ? [found.name] : naturalKey(scope)
}

/** A key that people gave, such as the code of a country. */
function naturalKey({ table, hidden }: Scope): readonly string[] {
  const [name = '', ...more] = table.key
  const column = table.columns.find((one) => one.name === name)
  const isNatural =
    column?.type === 'text' &&
    more.length === 0 &&
    !hidden.has(name) &&
    !isForMachines(column, table)
  return isNatural ? [name] : []
}
