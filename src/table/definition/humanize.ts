/** Turns names of tables and columns into words for people. */

/** Units that a column's name may end in, and how they are written in the head. */
const UNITS: ReadonlyMap<string, string> = new Map([
  ['usd', '$'],
  ['eur', '€'],
  ['gbp', '£'],
  ['kt', 'kt'],
  ['ft', 'ft'],
  ['mi', 'mi'],
  ['km', 'km'],
  ['kg', 'kg'],
  ['lb', 'lb'],
  ['min', 'min'],
  ['sec', 's'],
  ['ms', 'ms'],
  ['pct', '%'],
  ['percent', '%'],
])

/** Words that are written in capitals. None of them, with an s, is another word. */
const ACRONYMS = new Set(
  `id uid guid uuid url uri ip dns ssl tls ssh ftp sftp smtp imap http https html css xml json csv sql pdf svg
  api sdk cdn cms crm erp seo utm rss faq sla kpi nps iata icao faa gps utc vat iban bic ssn vin imei
  sku ean upc gtin isbn issn sms otp totp mfa tfa qr rgb md5 sha1 sha256 gdpr eu uk usa tv cpu gpu`.split(
    /\s+/,
  ),
)

/** `pdf` → `PDF`, `urls` → `URLs`; other words as they are. */
function inCapitals(word: string): string {
  if (ACRONYMS.has(word)) return word.toUpperCase()
  const one = word.endsWith('s') ? word.slice(0, -1) : ''
  return ACRONYMS.has(one) ? `${one.toUpperCase()}s` : word
}

/** The words of a snake_case, kebab-case or camelCase name, in lower case. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_\-.]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())

/** `incident_date` → “Incident date”. A name without a letter is left as it is. */
export function humanize(name: string): string {
  const [first, ...rest] = wordsOf(name).map(inCapitals)
  if (first === undefined) return name
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ')
}

/** The unit that a name ends in, and the name without it. */
export function splitUnit(name: string): { name: string; unit: string | undefined } {
  const words = wordsOf(name)
  const unit = words.length > 1 ? UNITS.get(words.at(-1) ?? '') : undefined
  return { name: unit === undefined ? name : words.slice(0, -1).join('_'), unit }
}

/** The name without an ending that only says what kind of value it is. */
export function withoutSuffix(name: string, suffixes: readonly string[]): string {
  const words = wordsOf(name)
  return words.length > 1 && suffixes.includes(words.at(-1) ?? '')
    ? words.slice(0, -1).join('_')
    : name
}
