/** A table's name as a segment of an address: no browser, proxy or router may change its meaning. */

/**
 * What is escaped besides percent-encoding, which browsers and proxies see through: they resolve `.`
 * and `..` however they are encoded, and take an encoded slash for a slash, or refuse it.
 */
const SPECIAL = /[/\\]|^\.\.?$/g
const ESCAPE = /~(2E|2F|5C|7E)/g

/** `~` and two digits stand for a special character, and for a `~` that would look like one of them. */
export const encodeTableName = (name: string): string => encodeURIComponent(escape(name))

const escape = (name: string): string =>
  name
    .replace(ESCAPE, '~7E$1')
    .replace(SPECIAL, (special) => [...special].map((char) => `~${hexOf(char)}`).join(''))

const hexOf = (char: string): string => char.charCodeAt(0).toString(16).toUpperCase()

/** The name that a percent-decoded segment stands for; `null` for another spelling of it. */
export function decodeTableName(segment: string): string | null {
  const name = segment.replace(ESCAPE, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  return escape(name) === segment ? name : null
}
