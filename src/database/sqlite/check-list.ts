/** Lists of allowed values, read from `check (column in ('a', 'b'))` in a table's `create` statement. */

type Token = { readonly kind: 'text' | 'name' | 'word' | 'mark'; readonly text: string }

const TOKEN =
  /\s+|--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[\w$\u{80}-\u{10ffff}]+|[^]/gu

/** The texts that a column's check allows, by column name in lower case. */
export function allowedValues(createTable: string): Map<string, string[]> {
  const tokens = tokenize(createTable)
  const lists = new Map<string, string[]>()
  tokens.forEach((token, i) => {
    if (token.kind !== 'word' || token.text !== 'check') return
    const found = readCheck(tokens.slice(i + 1, matchingEnd(tokens, i + 1)))
    if (found) lists.set(found.column, found.values)
  })
  return lists
}

/** Leaves out blanks and comments. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (const [piece] of text.matchAll(TOKEN)) {
    if (!/^(\s|--|\/\*)/.test(piece)) tokens.push(tokenOf(piece))
  }
  return tokens
}

function tokenOf(piece: string): Token {
  const inner = piece.slice(1, -1)
  if (piece.length > 1 && piece[0] === "'")
    return { kind: 'text', text: inner.replaceAll("''", "'") }
  if (piece.length > 1 && /^["`[]/.test(piece))
    return { kind: 'name', text: inner.replaceAll('""', '"').toLowerCase() }
  return /^[\w$\u{80}-\u{10ffff}]/u.test(piece)
    ? { kind: 'word', text: piece.toLowerCase() }
    : { kind: 'mark', text: piece }
}

/** The index after the parenthesis that closes the one at `start`. */
function matchingEnd(tokens: readonly Token[], start: number): number {
  let depth = 0
  const end = tokens.findIndex(({ kind, text }, i) => {
    if (i < start || kind !== 'mark') return false
    if (text === '(') depth++
    return text === ')' && --depth === 0
  })
  return end < 0 ? tokens.length : end + 1
}

type Check = { readonly column: string; readonly values: string[] }

/** `( column in ( 'a' , 'b' ) )`, also after `column is null or`, each in parentheses or not. */
function readCheck(check: readonly Token[]): Check | undefined {
  const column = check[1]
  if (column?.kind === 'mark' && says(check.slice(3), ['is', 'null', ')', 'or', '('])) {
    const other = readCheck(check.slice(7, -1))
    return other?.column === check[2]?.text ? other : undefined
  }
  if (!column || column.kind === 'mark' || column.kind === 'text') return undefined
  const nullable = ['is', 'null', 'or', column.text]
  const start = says(check.slice(2), nullable) ? 2 + nullable.length : 2
  if (!says(check.slice(start), ['in', '('])) return undefined
  const rest = check.slice(start + 2)
  const values = rest.slice(0, -2).filter((_, i) => i % 2 === 0)
  const commas = rest.slice(0, -2).filter((_, i) => i % 2 === 1)
  const isList =
    says(rest.slice(-2), [')', ')']) &&
    values.length === commas.length + 1 &&
    values.every(({ kind }) => kind === 'text') &&
    commas.every(({ text }) => text === ',')
  return isList ? { column: column.text, values: values.map(({ text }) => text) } : undefined
}

const says = (tokens: readonly Token[], words: readonly string[]): boolean =>
  words.every((word, i) => tokens[i]?.text === word && tokens[i].kind !== 'text')
