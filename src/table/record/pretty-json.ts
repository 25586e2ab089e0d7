/** Formats stored JSON in lines, and changes no digit, no escape and no order. */

/** Deeply nested JSON that grows more than this would be mostly blanks. */
const GROWTH_MAX = 4

const OPENING = '{['
const CLOSING = '}]'

/** The text in indented lines; `null` if it is no JSON, or would grow too much. */
export function prettyJson(text: string): string | null {
  if (!isJson(text)) return null
  const longest = text.length * GROWTH_MAX + 1000
  let [pretty, depth, at] = ['', 0, nextToken(text, 0)]
  // Looking at the end of a text that is being built would copy all of it.
  let isEmpty = false
  const breakLine = () => `\n${'  '.repeat(depth)}`
  while (at < text.length) {
    const char = text.charAt(at)
    const end = endOfToken(text, at)
    const token = text.slice(at, end)
    const next = nextToken(text, end)
    if (OPENING.includes(char)) {
      isEmpty = CLOSING.includes(text.charAt(next))
      depth++
      pretty += isEmpty ? char : char + breakLine()
    } else if (CLOSING.includes(char)) {
      depth--
      pretty += isEmpty ? char : breakLine() + char
      isEmpty = false
    } else if (char === ',') pretty += char + breakLine()
    else if (char === ':') pretty += ': '
    else pretty += token
    if (pretty.length > longest) return null
    at = next
  }
  return pretty
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Where the token that starts at `at` ends: a mark, a string, a number or a word. */
function endOfToken(text: string, at: number): number {
  const char = text.charAt(at)
  if (char === '"') return endOfString(text, at)
  if (MARKS.has(char)) return at + 1
  let end = at + 1
  while (end < text.length && !MARKS.has(text.charAt(end)) && !BLANKS.has(text.charAt(end))) end++
  return end
}

const MARKS: ReadonlySet<string> = new Set('{}[],:')
const BLANKS: ReadonlySet<string> = new Set(' \t\n\r')

function endOfString(text: string, at: number): number {
  let end = at + 1
  while (text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1
  return end + 1
}

function nextToken(text: string, at: number): number {
  let next = at
  while (BLANKS.has(text.charAt(next))) next++
  return next
}
