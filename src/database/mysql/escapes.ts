/** Undoes the escapes in texts of `information_schema`. */

const ESCAPED: Readonly<Record<string, string>> = { 0: '\0', n: '\n', r: '\r', Z: '\x1a' }

/** Turns `it\\'s` into `it's`; backslashes escape here whatever `sql_mode` says. */
export const withoutEscapes = (text: string): string =>
  text.replace(/\\([^])/g, (_, letter: string) => ESCAPED[letter] ?? letter)
