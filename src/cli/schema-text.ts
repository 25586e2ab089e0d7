/** Writes the TypeScript type of a database: its tables, columns and types of values. */

import type { Column, Schema, Table, ValueType } from '../table/source/schema.ts'
import { keyOf } from './source-text.ts'

/** First line of the file; `tablewire types` overwrites only a file that begins with it. */
export const TYPES_HEAD =
  '// Written by tablewire types; run it again when the database has changed.'

const TYPES: Readonly<Record<ValueType, string>> = {
  text: 'string',
  integer: 'number | bigint',
  decimal: 'number | string',
  float: 'number',
  boolean: 'boolean',
  date: 'string',
  datetime: 'string',
  time: 'string',
  json: 'string',
  binary: 'Uint8Array',
}

/** The text of `tablewire.schema.ts`. */
export const schemaText = ({ tables }: Schema): string =>
  `${TYPES_HEAD}

/** What the database holds, by table and column. */
export type Database = {
${tables.map(tableText).join('\n')}
}
`

const tableText = ({ name, columns }: Table): string =>
  `  ${typeKeyOf(name)}: {\n${columns.map(columnText).join('')}  }`

const columnText = ({ name, type, nullable }: Column): string =>
  `    ${typeKeyOf(name)}: ${TYPES[type]}${nullable ? ' | null' : ''}\n`

/** In a type, `__proto__` is an ordinary name. */
const typeKeyOf = (name: string): string => (name === '__proto__' ? name : keyOf(name))
