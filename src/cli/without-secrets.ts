/** Masks passwords and the like in what is printed or shown, such as the addresses of databases. */

import { inspect, stripVTControlCharacters } from 'node:util'

const MASK = '…'

/** Up to the last `@` of the line, since a password may hold any character; a port is not masked. */
const IN_ADDRESS =
  /(\b[a-z][a-z\d+.-]*:\/\/[^\s:@/?#]*:)(?!\d{1,5}(?:[\s\])}>"'`,;]|$))(?:\d{1,5}[/?#]\S*|[^\n]*)@/gim

const NAME = String.raw`[\w-]*(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)[\w-]*`
const QUOTED = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`
/** Such as `password=…` in an address, and `password: '…'` in code. */
const NAMED = new RegExp(
  String.raw`(\b${NAME}["']?\s*[:=]\s*)(?:${QUOTED})|(\b${NAME}=)[^\s&;"'#)\]}]+`,
  'gi',
)

/** The text with a mark in place of each secret; colours are removed, which may stand within one. */
export const withoutSecrets = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(IN_ADDRESS, `$1${MASK}@`)
    .replace(NAMED, (_all, quoted?: string, plain?: string) =>
      quoted === undefined ? `${plain}${MASK}` : `${quoted}'${MASK}'`,
    )

/** Prints a line, and an error with its stack. */
export function logWithoutSecrets(line: string, error?: unknown): void {
  const texts = error === undefined ? [line] : [line, inspect(error)]
  console.error(withoutSecrets(texts.join(' ')))
}
