/** Which values are secrets whatever their column is called: told by their first characters. */

import type { Column } from './schema.ts'
import type { Value } from './value.ts'

/** Private keys in the forms that tools write them. */
const PRIVATE_KEYS = [
  /^-----BEGIN (?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)?-----/,
  /^PuTTY-User-Key-File-\d/,
  /^AGE-SECRET-KEY-1/,
  /^untrusted comment: .*secret key/,
]

/** Hashes of passwords: bcrypt, argon2, scrypt, crypt, PBKDF2 as Django has it, phpass, LDAP. */
const PASSWORD_HASHES = [
  /^\$2[abxy]?\$\d\d\$/,
  /^\$(?:argon2(?:id?|d)|scrypt|s0|y|7|[156])\$/,
  /^(?:pbkdf2|bcrypt|scrypt|argon2)(?:_sha\d+)?\$/,
  /^\$[PH]\$[\w./]{20}/,
  /^\{S?SHA(?:\d{3})?\}/,
]

/** Credentials that name their service. */
const CREDENTIALS = [
  /^(?:sk|rk)_(?:live|test)_|^whsec_|^sk-(?:proj-|ant-)?[\w-]{20}|^AIza[\w-]{35}/,
  // A token that is signed or encrypted.
  /^eyJ[\w-]{8,}\.(?:eyJ[\w-]+|[\w-]*\.[\w-]+)/,
  /^(?:gh[oprsu]_|github_pat_|glpat-|xox[abprs]-|shpat_|npm_|dckr_pat_|SG\.[\w-]{16})/,
]

/** One pattern, which fails at the first character of most texts. */
const SECRET = new RegExp(
  [...PRIVATE_KEYS, ...PASSWORD_HASHES, ...CREDENTIALS].map(({ source }) => source).join('|'),
)

/** More than any of these patterns reads, in characters. */
const BEGINNING = 200

/** Whether a value is a secret, by its beginning. */
export function isSecretValue(value: Value): boolean {
  const text =
    value instanceof Uint8Array
      ? Buffer.from(value.subarray(0, BEGINNING)).toString('latin1')
      : value
  return typeof text === 'string' && SECRET.test(beginningOf(text))
}

const beginningOf = (text: string): string => text.slice(0, BEGINNING).trimStart()

/** Whether a value that was seen of the column is a secret. */
export const holdsSecrets = ({ sample = [] }: Column): boolean => sample.some(isSecretValue)
