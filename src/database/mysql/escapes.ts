/** How the catalogue of MySQL writes letters that it escapes. */

const ESCAPED: Readonly<Record<string, string>> = { 0: '\0', n: '\n', r: '\r', Z: '\x1a' }

/** `it\\'s` is `it's`, whatever the session's mode. */
export const withoutEscapes = (text: string): string =>
  text.replace(/\\([^])/g, (_, letter: string) => ESCAPED[letter] ?? letter)
