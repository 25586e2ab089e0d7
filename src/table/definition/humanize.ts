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

const ACRONYMS = new Set([
  'id',
  'url',
  'ip',
  'iata',
  'icao',
  'faa',
  'uuid',
  'vat',
  'sku',
  'utc',
  'api',
  'http',
])

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
  const [first, ...rest] = wordsOf(name).map((word) =>
    ACRONYMS.has(word) ? word.toUpperCase() : word,
  )
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
