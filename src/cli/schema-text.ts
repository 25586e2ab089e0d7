/** Writes the type of a database: its tables, and their columns with the values that they hold. */

import type { Column, Schema, Table, ValueType } from '../table/source/schema.ts'
import { keyOf } from './source-text.ts'

/** How the file begins that `tablewire types` has written, and may write again. */
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

/** In a type `__proto__` is a name like any other. */
const typeKeyOf = (name: string): string => (name === '__proto__' ? name : keyOf(name))
