/** Finds the words of a name that make it secret. */

import { setOf } from './column-facts.ts'
import { wordsOf } from './humanize.ts'

/** Words that make a name secret, wherever they are in it: English first, then other languages of Europe. */
const SECRETS = setOf(`
  passcode passcodes pwd secret secrets token tokens jwt credential credentials otp totp cvv cvc
  otep akey authdata pw pswd sesskey sessionkey
  passwort passworter kennwort kennworter senha senhas contrasena contrasenas contrasenya wachtwoord
  wachtwoorden losenord passord adgangskode kodeord hasło haslo heslo jelszo lozinka geslo salasana
  parool slaptazodis sifre пароль пароли парола κωδικος pasahitza motdepasse
  geheim geheimnis geheimzahl segreto segreta segredo secreto secreta hemlighet jeton jetons
`)

/** The same without separators, as engines that fold case leave them. */
const RUN_TOGETHER =
  /passw(?:or)?ds?|^(?:old|prev|previous|former|last|new|user|admin)(?:pass|pw)$|passphrase|tokens?$|(?:api|secret|private|access|act)keys?$|secrets?$/

/** Words that make a name secret only together, in this order. */
const TOGETHER: readonly (readonly string[])[] = [
  ...[
    'user',
    'mailserver',
    'server',
    'smtp',
    'imap',
    'pop3',
    'ftp',
    'ldap',
    'db',
    'database',
    'mail',
    'proxy',
    'bind',
  ],
  ...['admin', 'auth', 'login'],
]
  .map((word) => [word, 'pass'])
  .concat([
    ...['old', 'prev', 'previous', 'former', 'last', 'new'].map((word) => [word, 'pass']),
    ...['sess data', 'sess key', 'one time code'].map((text) => text.split(' ')),
    ...['crypt', 'salt', 'hash', 'digest', 'phrase'].map((word) => ['pass', word]),
    ...['recovery', 'backup', 'scratch'].flatMap((word) => [
      [word, 'code'],
      [word, 'codes'],
    ]),
    ...[
      ...['authorization', 'auth', 'access', 'otp', 'verification', 'security', 'activation'],
      ...['confirmation', 'persist', 'reset', 'sms', 'login', 'verify', 'confirm', 'mfa', 'tfa'],
      ...['twofa', 'onetime', 'validation', 'magic'],
    ].map((word) => [word, 'code']),
    ...['data', 'value', 'payload'].map((word) => ['session', word]),
    ...['key', 'code', 'codes', 'pin', 'pass', 'value'].map((word) => ['hashed', word]),
    ...['json', 'data', 'settings'].map((word) => ['secure', word]),
    ...['seed phrase', 'code verifier', 'oauth verifier', 'pin hash'].map((text) =>
      text.split(' '),
    ),
    ...['security answer', 'security stamp', 'auth data', 'twofactor remember'].map((text) =>
      text.split(' '),
    ),
    ...['mot de passe', 'palavra passe', 'palavra chave', 'codigo secreto', 'code secret'].map(
      (text) => text.split(' '),
    ),
  ])

/** “Parola” is a password and a word: `parola chiave` is a keyword. */
const PAROLA = setOf('parola parole')
const NOT_AFTER_PAROLA = setOf('chiave chiavi')

/** Words before “key” that make it a secret, whatever follows. */
const SECRET_KEYS = setOf(`
  api private access encryption signing auth master ssh license app session
`)

/** Words before “key” that make it an identifier, a position or something public. */
const OPEN_KEYS = setOf(`
  foreign primary public sort sorting order partition shard natural business surrogate unique
  composite candidate parent row record external cache idempotency dedupe lookup routing group
  grouping translation message i18n locale lang language setting config option meta metadata
  property feature flag object storage s3 file image blob issue project map site publishable verify
  truncated masked point claim bucket host filter payload menu version revision concurrency cron job
  task queue event route node widget block template theme form tab section category tag type module
  plugin action resource state step workflow schedule trigger report chart dashboard content name
`)

/** “Key” in other languages, and the words that make it a secret there. */
const KEYS_ABROAD = setOf(`
  schlussel schluessel sleutel nyckel nokkel nogle klucz clave llave cle chiave chave cheie ключ
`)
const SECRET_ABROAD = setOf(`
  api privater privat privata privado privada privee prive privaat privatni prywatny geheimer
  geheime secreta secrete segreta secreto taotny закрытый
`)

/** Words before “hash” or “digest” for hashes that anybody can compute. */
const OPEN_HASHES = setOf(`
  file content commit git block tx transaction geo image row body page path context configuration
  config query url public inalterable document media blob chunk schema layer manifest perceptual
  pixel unique dedupe duplicate thumbnail photo picture video audio avatar asset source template build
  package version revision state
`)
/** Words before “digest” for a summary that is sent by mail. */
const LETTERS = setOf('email mail daily weekly monthly news notification notifications')

/** Words before “token” for a position to continue from, or for a part of a text or design. */
const OPEN_TOKENS = setOf('sync page paging continuation cursor design css lexical')

/** Words before “salt” for a substance. */
const EDIBLE = setOf('sea bath table rock road added total')

/** Last words of a name for a fact about a secret, which is not secret itself. */
const ABOUT = setOf(`
  id ids type kind count counts length size limit usage used uses status state expires expiry
  expiration expired ttl at on date time created updated changed enabled required policy version
  algorithm algo alg prefix last4 scope scopes name label description url uri endpoint provider issuer
  symbol digits window period counter lifetime lifespan delay reuse scheme iterations rounds cost mode
`)

/** Last words that are no fact about an encrypted value: `encrypted_url` is the address itself. */
const CIPHERED = setOf('url uri name label description endpoint')

/** The hash of name and password in HTTP digest authentication. */
const HTTP_DIGEST = 'ha1'

/** Words after “last” for a name that holds only the end of a secret. */
const ENDS = setOf('four six eight 4 6 8 digits chars characters')

/** First words of a name that is a question. */
const QUESTIONS = setOf('is has had can may must needs requires should uses use allow allows')

/** Words for secrets that may be numbers. */
const DIGITS = setOf('password passwd passcode pwd otp totp cvv cvc')

/** Names of the key that a browser is known by, wherever they stand; `session_id` is often a number. */
const SESSION_IDS = /^(?:php ?)?sess ?id$|^session ?cookie$/

/** The words of a name without accents and numbers, as the rules compare them. */
export const plainWords = (name: string): string[] =>
  wordsOf(name)
    .flatMap((word) => word.split(/[^\p{L}\d]+/u))
    .map((word) => withoutNumber(word.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')))

/** `password2` is a password; `s3` and `i18n` are words of their own. */
const withoutNumber = (word: string): string => word.replace(/(?<=\p{L}{2})\d+$/u, '')

/** The words that make a name secret, such as “token” or “access key”; `undefined` if there are none. */
export function secretWords(name: string): string | undefined {
  const words = plainWords(name)
  // It ends in “id”, and is no fact about a session but its key.
  if (SESSION_IDS.test(words.join(' '))) return words.join(' ')
  const cipher = ciphered(words)
  if (cipher !== undefined && words[0] === cipher && CIPHERED.has(words.at(-1) ?? '')) return cipher
  if (saysAbout(words, name)) return undefined
  if (wordsOf(name).includes(HTTP_DIGEST)) return HTTP_DIGEST
  const at = words.findIndex((word, i) => isSecretWord(word, words[i - 1], words[i + 1]))
  if (at >= 0) return words[at]
  const together = TOGETHER.find((wanted) => indexOfRun(words, wanted) >= 0)
  return together?.join(' ') ?? secretKey(words) ?? secretAbroad(words) ?? cipher
}

/** The word that makes the name of a number secret. */
export function secretDigits(name: string): string | undefined {
  const words = plainWords(name)
  if (saysAbout(words, name)) return undefined
  const code = TOGETHER.find((wanted) => wanted.at(-1) === 'code' && indexOfRun(words, wanted) >= 0)
  return words.find((word) => DIGITS.has(word)) ?? code?.join(' ')
}

/** Whether the name is a question, or ends in a fact about a secret. */
function saysAbout(words: readonly string[], name: string): boolean {
  const [before, last = ''] = [words.at(-2), words.at(-1)]
  const written = wordsOf(name).at(-1) ?? ''
  return (
    QUESTIONS.has(words[0] ?? '') ||
    ABOUT.has(written) ||
    ABOUT.has(last) ||
    (before === 'last' && ENDS.has(last))
  )
}

function isSecretWord(word: string, before = '', after = ''): boolean {
  if (/^tokens?$/.test(word) && OPEN_TOKENS.has(before)) return false
  if (SECRETS.has(word) || RUN_TOGETHER.test(word)) return true
  if (PAROLA.has(word)) return !NOT_AFTER_PAROLA.has(after)
  if (/^hash(?:es)?$/.test(word)) return !OPEN_HASHES.has(before) && !/^tags?$/.test(after)
  if (word === 'digest') return before !== '' && !OPEN_HASHES.has(before) && !LETTERS.has(before)
  return word === 'salt' && after === '' && before !== '' && !EDIBLE.has(before)
}

const indexOfRun = (words: readonly string[], wanted: readonly string[]): number =>
  words.findIndex((_, at) => wanted.every((word, i) => words[at + i] === word))

/** A name that ends in “key” is secret, unless the word before it says otherwise. */
function secretKey(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === 'key' || word === 'keys')
  const before = words[at - 1]
  if (before === undefined) return undefined
  const isSecret = SECRET_KEYS.has(before) || (at === words.length - 1 && !OPEN_KEYS.has(before))
  return isSecret ? `${before} ${words[at]}` : undefined
}

function secretAbroad(words: readonly string[]): string | undefined {
  const telling = words.filter((word) => KEYS_ABROAD.has(word) || SECRET_ABROAD.has(word))
  const isKey = telling.some((word) => KEYS_ABROAD.has(word))
  return isKey && telling.some((word) => SECRET_ABROAD.has(word)) ? telling.join(' ') : undefined
}

/** An encrypted value, its vector or its salt; `encrypted` alone is a question. */
const ciphered = (words: readonly string[]): string | undefined =>
  words.length > 1
    ? words.find((word) => /^(?:encrypted|ciphertext|crypted)$/.test(word))
    : undefined

/** Last words of tables that hold secrets, words of tables for second factors, and the columns there. */
const SECRET_TABLES = setOf(
  'key keys token tokens secret secrets credential credentials apikey apikeys',
)
const FACTORS = setOf('totp totpdevice otp mfa twofactor authenticator authenticators')
/** Last words of a table's name that add nothing. */
const STORES = setOf('entity entities table tbl')
const SECRET_TABLE_COLUMNS = setOf('key keys value values data content contents')

/** Words of tables whose key is enough to act as somebody. */
const INVITATIONS = /confirm|invitation|webservice|passwordreset/

/** `api_keys` and `keys` hold secrets; `key_figures` and `translation_keys` do not. */
export function isSecretTableColumn(name: string, table: string): boolean {
  const said = plainWords(name).join(' ')
  if (!SECRET_TABLE_COLUMNS.has(said)) return false
  const words = plainWords(table)
  const [before = '', last = ''] = ['', ...words.filter((word) => !STORES.has(word))].slice(-2)
  if (SECRET_TABLES.has(last)) return !(last.startsWith('key') && OPEN_KEYS.has(before))
  if (words.some((word) => FACTORS.has(word)) || /(?:second|two) factors?/.test(words.join(' ')))
    return true
  return said === 'key' && words.some((word) => INVITATIONS.test(word))
}

/** Whether a table of this name holds the sessions of signed-in people. */
export function holdsSessions(table: string): boolean {
  const words = plainWords(table).filter((word, at) => at === 0 || !SESSION_STORES.has(word))
  const last = words.at(-1) ?? ''
  return (
    /^(?:user|web|php|login|admin|auth|http)?sess(?:ion)?s?$/.test(last) &&
    !OTHER_SESSIONS.has(words.at(-2) ?? '')
  )
}

/** Last words of a table's name that say that it stores what the words before name. */
const SESSION_STORES = setOf('store storage data entity entities table tbl')

const OTHER_SESSIONS = setOf(`
  payment checkout upload training chat game class conference therapy course study exam call work
`)
