/** Finds columns that look secret, and says why; these are hidden until they are declared. */

import type { Column, ForeignKey, Table } from '../source/schema.ts'
import { setOf } from './column-facts.ts'
import { namingColumn } from './masked-values.ts'
import {
  holdsSessions,
  isSecretTableColumn,
  plainWords,
  secretDigits,
  secretWords,
} from './secret-names.ts'
import { holdsSecrets } from '../source/secret-values.ts'

/** Why a column is hidden. */
export type SecretReason =
  | { readonly by: 'declared' }
  /** Words of its own name, or of its table's. */
  | { readonly by: 'name' | 'table'; readonly words: string }
  /** Another column of the table shows what this one is for. */
  | { readonly by: 'neighbour'; readonly column: string }
  /** It refers to a secret column of this table. */
  | { readonly by: 'reference'; readonly table: string }
  /** The column that names this one's values: rows whose name is secret are masked, the others shown. */
  | { readonly by: 'setting'; readonly column: string }
  | { readonly by: 'value' }

/**
 * Why a column of `table` looks secret; `undefined` if it does not. A reference to a secret column looks
 * secret, a reference to anything else does not, whatever it is called.
 */
export function secretReason(
  column: Column,
  table: Table,
  tables: readonly Table[],
): SecretReason | undefined {
  const links = table.foreignKeys.filter(({ columns }) => columns.includes(column.name))
  if (links.length === 0) return reasonIn(column, table)
  const other = links.find((link) => refersToSecret(link, column.name, tables))
  return other && { by: 'reference', table: other.table }
}

function refersToSecret(link: ForeignKey, name: string, tables: readonly Table[]): boolean {
  const other = tables.find((table) => table.name === link.table)
  const target = link.references[link.columns.indexOf(name)]
  const column = other?.columns.find((candidate) => candidate.name === target)
  return Boolean(other && column && reasonIn(column, other) !== undefined)
}

const reasonIn = (column: Column, table: Table): SecretReason | undefined =>
  table.key.includes(column.name) ? keyReason(column, table) : ownReason(column, table)

const isCalled =
  (pattern: RegExp) =>
  ({ name }: Column): boolean =>
    pattern.test(plainWords(name).join(' '))

/** Words that make a key secret: alone, or before “key”. */
const PLAINLY_SECRET =
  /token|secret|pass|pwd|^pw$|jwt|otp|sess(?:ion)?key|^sess | code$|sessid|^(?:api|access|private|session|auth) keys?$/

/** What else session tables call the key that their browsers hold. */
const SESSION_KEY = /^(?:id|key|session|sess|(?:session|sess) (?:id|key)|sid)$/
const SESSION_DATA = /^(?:(?:session|sess|user) ?)?(?:data|payload|value|sess|session)$/
/** Columns that only sessions of people have. */
const OF_PERSON =
  /^(?:ip|ip address|remote addr|user agent|expires?|expiry|last (?:activity|seen|access))$/

/**
 * Why a column of a key looks secret: it is enough to act as somebody, as in a table of sessions. Fewer
 * names say so than elsewhere, because of a table whose keys are sealed people see less.
 */
function keyReason(column: Column, table: Table): SecretReason | undefined {
  const { name, type } = column
  if (type !== 'text' && type !== 'binary') return undefined
  const words = secretWords(name) ?? ''
  if (PLAINLY_SECRET.test(words)) return { by: 'name', words }
  if (isSecretTableColumn(name, table.name) && !isBesideFingerprint(table))
    return { by: 'table', words: table.name }
  if (!holdsSessions(table.name) || !SESSION_KEY.test(plainWords(name).join(' '))) return undefined
  const isNumber = plainWords(name).join(' ') === 'id' && others(table, name).some(isSessionKey)
  const telling = isNumber ? undefined : others(table, name).find(isOfSession)
  return telling && { by: 'neighbour', column: telling.name }
}

/** What browsers hold, where the key of the table is only a number of it. */
const isSessionKey = isCalled(/^(?:session|sess) (?:id|key|token)$|^token$/)

/** Whether only a table of people's sessions has such a column. */
const isOfSession = (column: Column): boolean =>
  isCalled(SESSION_DATA)(column) ||
  isCalled(OF_PERSON)(column) ||
  secretWords(column.name) !== undefined

const TIMES = setOf('boolean date datetime time')
const NUMBERS = setOf('integer decimal float')

function ownReason(column: Column, table: Table): SecretReason | undefined {
  const { name, type } = column
  if (TIMES.has(type)) return undefined
  const words = NUMBERS.has(type) ? secretDigits(name) : secretWords(name)
  if (words !== undefined && !isNameOfPair(name, table) && !isOfFile(name, table))
    return { by: 'name', words }
  if (NUMBERS.has(type)) return undefined
  if (isSecretTableColumn(name, table.name) && !isBesideFingerprint(table))
    return { by: 'table', words: table.name }
  const neighbour = tellingNeighbour(column, table)
  if (neighbour !== undefined) return { by: 'neighbour', column: neighbour }
  const naming = namingColumn(column, table)
  if (naming !== undefined) return { by: 'setting', column: naming }
  return holdsSecrets(column) ? { by: 'value' } : undefined
}

const others = ({ columns }: Table, name: string): Column[] =>
  columns.filter((column) => column.name !== name)

/** Beside `lc_value`, `lc_key` is the name of the value. */
function isNameOfPair(name: string, table: Table): boolean {
  const [last, ...rest] = plainWords(name).toReversed()
  if (last !== 'key' || rest.length === 0) return false
  const value = [...rest.toReversed(), 'value'].join(' ')
  const isValue = (column: Column) => plainWords(column.name).join(' ') === value
  return !rest.includes('session') && others(table, name).some(isValue)
}

/** Beside a file's name or type, a bare hash is that of the file. */
const isOfFile = (name: string, table: Table): boolean =>
  /^(?:hash|digest)$/.test(plainWords(name).join(' ')) &&
  others(table, name).some(isCalled(/^(?:ext|mime|(?:disk )?file ?name|(?:content|mime) type)$/))

/** A table that stores fingerprints of its keys stores public keys. */
const isBesideFingerprint = ({ columns }: Table): boolean =>
  columns.some(({ name }) => plainWords(name).includes('fingerprint'))

/** A column of such a name is secret if another column or the table fits. */
type Neighbourhood = {
  readonly called: RegExp
  readonly beside: (neighbour: Column, table: Table) => boolean
}

const isPasswordLike = ({ name, type }: Column): boolean =>
  !TIMES.has(type) && !NUMBERS.has(type) && /pass|secret|token|crypt/.test(secretWords(name) ?? '')

/** Names of the columns that people sign in with. */
const LOGIN =
  /^(?:user ?name|login|mail|e ?mail|user|usuario|utilisateur|utente|benutzer|benutzername|uid)$/

const NEIGHBOURHOODS: readonly Neighbourhood[] = [
  // Beside a password, a salt belongs to it.
  { called: /^salt$/, beside: isPasswordLike },
  { called: /^verifier$/, beside: isPasswordLike },
  { called: /^(?:nonce|iv|auth tag)$/, beside: isCalled(/^(?:ciphertext|encrypted)/) },
  { called: /^(?:pass|clave|cle|codigo)$/, beside: isCalled(LOGIN) },
  { called: /^(?:consumer )?key$/, beside: isCalled(/^(?:\w+ )?secret$/) },
  { called: /(?:^| )auth$/, beside: isCalled(/ ?p256dh$/) },
  { called: /^code$/, beside: isCalled(/^code challenge$/) },
  {
    called: /^(?:(?:session|sess|user) ?)?(?:data|payload|value|content|vars)$|^(?:session|sess)$/,
    beside: (_, table) => holdsSessions(table.name),
  },
  {
    called: /^(?:session id|session key|session|sid)$/,
    beside: (neighbour, table) => isOfSession(neighbour) && holdsSessions(table.name),
  },
]

function tellingNeighbour({ name }: Column, table: Table): string | undefined {
  const rules = NEIGHBOURHOODS.filter(({ called }) => called.test(plainWords(name).join(' ')))
  return others(table, name).find((neighbour) =>
    rules.some(({ beside }) => beside(neighbour, table)),
  )?.name
}
