/**
 * Checks in a table's `create` statement: the values that `check (column in ('a', 'b'))` allows, and the
 * conditions of those that have a name, of which SQLite tells nothing else.
 */

type Token = {
  readonly kind: 'text' | 'name' | 'word' | 'mark'
  readonly text: string
  /** As it is written, and where that begins. */
  readonly raw: string
  readonly at: number
}

const TOKEN =
  /\s+|--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[\w$\u{80}-\u{10ffff}]+|[^]/gu

/** The texts that a column's check allows, by column name in lower case. */
export function allowedValues(createTable: string): Map<string, string[]> {
  const lists = listsIn(createTable).filter(({ values }) => values.every(isText))
  return new Map(lists.map(({ column, values }) => [column, values.map(({ text }) => text)]))
}

/** The columns, in lower case, that may hold 0 and 1 and nothing else. */
export function switchColumns(createTable: string): Set<string> {
  const switches = listsIn(createTable).filter(
    ({ values }) =>
      values.every(({ kind }) => kind === 'word') &&
      values
        .map(({ text }) => text)
        .toSorted()
        .join() === '0,1',
  )
  return new Set(switches.map(({ column }) => column))
}

/** The condition of each check that has a name, by that in lower case; not of two with the same name. */
export function namedChecks(createTable: string): Map<string, string> {
  const tokens = tokenize(createTable)
  const found = tokens.flatMap((token, i) => {
    const [name, check] = [tokens[i + 1], tokens[i + 2]]
    const isNamed = isWord(token, 'constraint') && check && isWord(check, 'check')
    if (!isNamed || !name || name.kind === 'mark') return []
    const inner = tokens.slice(i + 4, matchingEnd(tokens, i + 3) - 1)
    return [[name.text.toLowerCase(), written(inner)] as const]
  })
  const names = Map.groupBy(found, ([name]) => name)
  return new Map([...names.values()].flatMap((some) => (some.length === 1 ? some : [])))
}

const isWord = ({ kind, text }: Token, word: string): boolean => kind === 'word' && text === word

const isText = ({ kind }: Token): boolean => kind === 'text'

/** As it stands, without comments. */
const written = (tokens: readonly Token[]): string =>
  tokens
    .map(({ raw, at }, i) => {
      const before = tokens[i - 1]
      return before && before.at + before.raw.length < at ? ` ${raw}` : raw
    })
    .join('')

function listsIn(createTable: string): Check[] {
  const tokens = tokenize(createTable)
  return tokens.flatMap((token, i) =>
    isWord(token, 'check')
      ? (readCheck(tokens.slice(i + 1, matchingEnd(tokens, i + 1))) ?? [])
      : [],
  )
}

/** Leaves out blanks and comments. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: raw, index: at } of text.matchAll(TOKEN)) {
    if (!/^(\s|--|\/\*)/.test(raw)) tokens.push({ ...tokenOf(raw), raw, at })
  }
  return tokens
}

function tokenOf(piece: string): Pick<Token, 'kind' | 'text'> {
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

type Check = { readonly column: string; readonly values: readonly Token[] }

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
    values.every(({ kind }) => kind === 'text' || kind === 'word') &&
    commas.every(({ text }) => text === ',')
  return isList ? { column: column.text, values } : undefined
}

const says = (tokens: readonly Token[], words: readonly string[]): boolean =>
  words.every((word, i) => tokens[i]?.text === word && tokens[i].kind !== 'text')
