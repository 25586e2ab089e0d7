/** Writes values as TypeScript source, formatted as a person would. */

/** Longest line, characters. */
const WIDTH = 100

/** A value as source: on one line if it fits after `used` characters, else line by line. */
export function sourceOf(value: unknown, indent: string, used: number): string {
  const oneLine = inline(value)
  if (used + oneLine.length <= WIDTH || typeof value !== 'object' || value === null) return oneLine
  const within = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((part) => sourceOf(part, within, within.length + 1))
    : Object.entries(value).map(([name, part]) => propertyOf(name, part, within))
  return `${open}\n${parts.map((part) => `${within}${part},\n`).join('')}${indent}${close}`
}

/** `name: value`, without a comma. */
export function propertyOf(name: string, value: unknown, indent: string): string {
  const key = keyOf(name)
  return `${key}: ${sourceOf(value, indent, indent.length + key.length + 3)}`
}

function inline(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  const parts = Object.entries(value).map(([name, part]) => `${keyOf(name)}: ${inline(part)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

/** The key of a property; a plain `__proto__` would set the prototype. */
export const keyOf = (name: string): string =>
  name === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)

/** A text in single quotes, on one line. */
export const quoted = (text: string): string =>
  `'${text.replace(/[\\'\p{Cc}\u2028\u2029]|\p{Surrogate}/gu, escaped)}'`

const ESCAPES: { readonly [char: string]: string } = { '\n': '\\n', '\\': '\\\\', "'": "\\'" }

const escaped = (char: string): string =>
  ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
