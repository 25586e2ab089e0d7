/** Values that are judged row by row: those of settings, by the name beside them. */

import { type Column, LONG_TYPES, type Table } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { plainWords, secretWords } from './secret-names.ts'
import { isSecretValue } from '../source/secret-values.ts'

/** What columns of settings end in, such as `option_value`, and what the columns of their names do. */
const SETTING = /^(?:(?<of>.+) )?(?:config)?(?:value|val)$/
const NAMES = ['name', 'key', 'path']

/** Tables of texts for people, whose keys are called after what they say: `login.password.label`. */
const TEXTS = /^(?:translations?|i18n|l10n|locales?|locali[sz]ations?|dictionary|phrases?)$/
const LANGUAGE = /^(?:locale|lang|language)(?: (?:code|id))?$/

/** The column of names that says which values of this column are secret; `undefined` if none does. */
export function namingColumn({ name, type }: Column, table: Table): string | undefined {
  const said = SETTING.exec(plainWords(name).join(' '))
  if (!said || !LONG_TYPES.has(type) || holdsTexts(table)) return undefined
  const of = said.groups?.['of']
  const called = new Set(NAMES.map((word) => [of, word].filter(Boolean).join(' ')))
  const naming = table.columns.find((other) => {
    const words = plainWords(other.name).join(' ')
    return other.name !== name && isName(other) && (called.has(words) || words === 'configkey')
  })
  return naming?.name
}

const isName = ({ type }: Column): boolean => type === 'text' || type === 'binary'

const holdsTexts = ({ name, columns }: Table): boolean =>
  plainWords(name).some((word) => TEXTS.test(word)) ||
  columns.some((column) => LANGUAGE.test(plainWords(column.name).join(' ')))

/** Whether a setting of this name is secret, or its value shows that it is. */
export const isMasked = (name: Value, value: Value): boolean =>
  isSecretValue(value) || (name !== null && secretWords(textOf(name)) !== undefined)

const textOf = (name: Exclude<Value, null>): string =>
  name instanceof Uint8Array ? Buffer.from(name).toString() : String(name)
