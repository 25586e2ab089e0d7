/** Lists of allowed values, read from check constraints as PostgreSQL prints them. */

const TOKEN = /\s+|E?'(?:[^']|'')*'|"(?:[^"]|"")*"|:::?|[\w$\u{80}-\u{10ffff}.]+|[^]/gu

export type AllowedValues = { readonly column: string; readonly values: readonly string[] }

/**
 * The values that `check (status in ('a', 'b'))` allows. PostgreSQL prints it as `status = ANY (ARRAY['a'::text,
 * …])`, a single value as `status = 'a'::text`, and `or` as it stands. `undefined` for other checks.
 */
export function allowedValues(definition: string): AllowedValues | undefined {
  const condition = /^CHECK\s*\(([^]*)\)(\s+(NO INHERIT|NOT VALID))*$/.exec(definition)?.[1]
  return condition === undefined ? undefined : readChoices(withoutCasts(tokenize(condition)))
}

/** Drops parentheses, which mean nothing here: `or` is the only operator that is accepted. */
const tokenize = (text: string): string[] =>
  [...text.matchAll(TOKEN)].map(([token]) => token).filter((token) => !/^(\s+|[()])$/.test(token))

/** Turns `'a'::character varying(20)[]` into `'a'`. */
function withoutCasts(tokens: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? ''
    if (!/^:::?$/.test(token)) kept.push(token)
    else i = endOfType(tokens, i + 1) - 1
  }
  return kept
}

const TYPE_WORD = /^(character|varying|double|precision|bit|without|with|time|zone|\d+)$/i

function endOfType(tokens: readonly string[], start: number): number {
  let i = start + 1
  while (TYPE_WORD.test(tokens[i] ?? '') || (tokens[i] === '.' && i++ > 0)) i++
  while (tokens[i] === '[' && tokens[i + 1] === ']') i += 2
  return i
}

function readChoices(tokens: readonly string[]): AllowedValues | undefined {
  const choices = splitAt(tokens, /^or$/i)
  let column: string | undefined
  const values: string[] = []
  for (const [name, ...rest] of choices) {
    if (name === undefined || !/^["\w\u{80}-\u{10ffff}]/u.test(name)) return undefined
    if (column !== undefined && column !== name) return undefined
    column = name
    if (/^is null$/i.test(rest.join(' '))) continue
    const texts = readTexts(rest)
    if (!texts) return undefined
    values.push(...texts)
  }
  return column === undefined || values.length === 0
    ? undefined
    : { column: unquoted(column), values }
}

/** What follows the column: `= 'a'`, `= ANY ARRAY['a', 'b']`, or `in 'a', 'b'`. */
function readTexts(tokens: readonly string[]): string[] | undefined {
  const said = tokens.join(' ')
  const start = /^= any array \[ /i.test(said) ? 4 : /^(=|in) /i.test(said) ? 1 : undefined
  if (start === undefined) return undefined
  const inner = tokens.slice(start, tokens.at(-1) === ']' ? -1 : undefined)
  const parts = splitAt(inner, /^,$/)
  const texts = parts.map(([text, ...rest]) => (rest.length === 0 ? unquotedText(text) : undefined))
  return texts.every((text) => text !== undefined) ? texts : undefined
}

function splitAt(tokens: readonly string[], separator: RegExp): string[][] {
  let part: string[] = []
  const parts = [part]
  for (const token of tokens) {
    if (separator.test(token)) parts.push((part = []))
    else part.push(token)
  }
  return parts
}

function unquotedText(token = ''): string | undefined {
  const [, escape, inner] = /^(E?)'([^]*)'$/.exec(token) ?? []
  if (inner === undefined) return undefined
  const text = inner.replaceAll("''", "'")
  return escape === 'E' ? text.replace(/\\(.)/g, '$1') : text
}

const unquoted = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
