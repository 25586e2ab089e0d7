/** Finds columns whose names look secret; these are hidden until they are declared. */

import { wordsOf } from './humanize.ts'
import type { Column, ForeignKey, Table } from '../source/schema.ts'

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Words that make a name secret, wherever they are in it. */
const SECRETS = setOf(`
  passcode passcodes pwd secret secrets token tokens jwt credential credentials otp totp cvv cvc
  passwort kennwort senha contraseña contrasena wachtwoord
`)

/** The same without separators, as engines that fold case leave them. */
const RUN_TOGETHER = /passw(?:or)?ds?|passphrase|tokens?$|(?:api|secret|private|access)keys?$/

/** Pairs of words that make a name secret only together. */
const PAIRS = setOf('user:pass recovery:code recovery:codes backup:code backup:codes seed:phrase')

/** Words before “key” that make it a secret, whatever follows. */
const SECRET_KEYS = setOf(`
  api private access encryption signing auth master ssh license app session
`)

/** Words before “key” that make it an identifier, a position or something public. */
const OPEN_KEYS = setOf(`
  foreign primary public sort sorting order partition shard natural business surrogate unique
  composite candidate parent row record external cache idempotency dedupe lookup routing group
  grouping translation message i18n locale lang language setting config option meta metadata
  property feature flag object storage s3 file image blob issue project map
`)

/** Words before “hash” for hashes that anybody can compute. */
const OPEN_HASHES = setOf('file content commit git block tx transaction geo image row body page')

/** Last words of a name for a fact about a secret, which is not secret itself. */
const ABOUT = setOf(`
  id ids type kind count counts length size limit usage used uses status state expires expiry
  expiration expired ttl at on date time created updated changed enabled required policy version
  algorithm algo prefix last4 scope scopes name label description url uri endpoint provider issuer
  symbol
`)

/** First words of a name that is a question. */
const QUESTIONS = setOf('is has had can may must needs requires should uses use allow allows')

/** Words for secrets that may be numbers. */
const DIGITS = setOf('password passwd passcode pwd otp totp cvv cvc')

/** Last words of tables that hold secrets, and the columns that hold them there. */
const SECRET_TABLES = setOf('key keys token tokens secret secrets credential credentials')
const SECRET_TABLE_COLUMNS = setOf('key keys value values data content contents')

/**
 * Whether a column of `table` looks secret. Columns of its key do not, because keys appear in every
 * address, and neither does a reference to another table's key; a reference to a secret column
 * does.
 */
export function looksSecret(column: Column, table: Table, tables: readonly Table[]): boolean {
  if (table.key.includes(column.name)) return false
  const links = table.foreignKeys.filter(({ columns }) => columns.includes(column.name))
  return links.length === 0
    ? isSecretName(column, table)
    : links.some((link) => refersToSecret(link, column.name, tables))
}

function refersToSecret(link: ForeignKey, name: string, tables: readonly Table[]): boolean {
  const other = tables.find((table) => table.name === link.table)
  const target = link.references[link.columns.indexOf(name)]
  const column = other?.columns.find((candidate) => candidate.name === target)
  return Boolean(other && column && !other.key.includes(column.name) && isSecretName(column, other))
}

function isSecretName({ name, type }: Column, table: Table): boolean {
  if (type === 'boolean' || type === 'date' || type === 'datetime' || type === 'time') return false
  const words = wordsOf(name).flatMap((word) => word.split(/[^\p{L}\d]+/u))
  const bare = words.map(withoutNumber)
  if (QUESTIONS.has(bare[0] ?? '') || isAbout(words.at(-1) ?? '')) return false
  const isNumber = type === 'integer' || type === 'decimal' || type === 'float'
  if (isNumber) return bare.some((word) => DIGITS.has(word))
  return (
    bare.some((word, at) => isSecretWord(word, bare[at - 1])) ||
    isSecretKey(bare) ||
    (SECRET_TABLE_COLUMNS.has(bare.join(' ')) && isSecretTable(table))
  )
}

/** `password2` is a password; `s3` and `i18n` are words of their own. */
const withoutNumber = (word: string): string => word.replace(/(?<=\p{L}{2})\d+$/u, '')

const isAbout = (word: string): boolean => ABOUT.has(word) || ABOUT.has(withoutNumber(word))

const isSecretWord = (word: string, before = ''): boolean =>
  SECRETS.has(word) ||
  RUN_TOGETHER.test(word) ||
  PAIRS.has(`${before}:${word}`) ||
  (/^hash(?:es)?$/.test(word) && !OPEN_HASHES.has(before))

/** A name that ends in “key” is secret, unless the word before it says otherwise. */
function isSecretKey(words: readonly string[]): boolean {
  const at = words.findIndex((word) => word === 'key' || word === 'keys')
  const before = words[at - 1]
  if (before === undefined) return false
  return SECRET_KEYS.has(before) || (at === words.length - 1 && !OPEN_KEYS.has(before))
}

/** `api_keys` and `keys` hold secrets; `key_figures` and `translation_keys` do not. */
function isSecretTable({ name }: Table): boolean {
  const [before = '', last = ''] = ['', ...wordsOf(name)].slice(-2)
  return SECRET_TABLES.has(last) && !(last.startsWith('key') && OPEN_KEYS.has(before))
}
