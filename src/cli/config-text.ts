/** Writes a configuration that declares everything inferred, for a person to edit. */

import {
  type ColumnOptions,
  type Definitions,
  own,
  type TableOptions,
} from '../table/definition/define-table.ts'
import { isGuessedPicture, optionsOf } from '../table/definition/options-of.ts'
import type { ColumnDefinition, TableDefinition } from '../table/definition/table-definition.ts'
import { keyOf, propertyOf, quoted } from './source-text.ts'

export type ConfigText = {
  readonly definitions: Iterable<TableDefinition>
  /** What administrators have corrected, which the definitions follow. Default: nothing. */
  readonly corrected?: Definitions
  /** The database as the file should name it; `undefined` if it comes from elsewhere. */
  readonly database: string | undefined
  /** Module that the type of the database comes from; `undefined` in plain JavaScript. */
  readonly types: string | undefined
}

/** The text of `tablewire.config.ts`. */
export function configText({ definitions, corrected = {}, database, types }: ConfigText): string {
  const isTyped = types !== undefined
  const tables = [...definitions]
  return [
    ...HEAD,
    "import { defineAdmin } from 'tablewire'",
    ...(isTyped ? [`import type { Database } from ${quoted(types)}`] : []),
    '',
    `export default defineAdmin${isTyped ? '<Database>' : ''}({`,
    database === undefined ? ELSEWHERE : `  ${propertyOf('database', database, '  ')},`,
    '  tables: {',
    `${tables.map((table) => tableText(table, own(corrected, table.table.name))).join('\n')}  },`,
    ...rolesText(tables),
    '})',
    '',
  ].join('\n')
}

const HEAD = [
  '// Written by tablewire eject: everything that was inferred, or corrected in the page. Change what you',
  '// like and delete what you do not mind; what is not declared is inferred. docs/definitions.md, which is',
  '// part of the package, lists all that there is.',
  '',
]

/** An example of a role, which defines nothing until somebody takes the signs of the comment away. */
function rolesText([first]: readonly TableDefinition[]): string[] {
  if (!first) return []
  const support = { label: 'Support', tables: { [first.table.name]: { read: true } } }
  const role = propertyOf('roles', { support }, '  ')
  return [
    '  // People are administrators, editors or readers. docs/people.md tells of roles of your own:',
    ...`${role},`.split('\n').map((line) => `  // ${line}`),
  ]
}

const ELSEWHERE = '  // The database comes from DATABASE_URL or the command line.'

function tableText(definition: TableDefinition, corrected: TableOptions = {}): string {
  const { columns: correctedColumns, ...ofTable } = corrected
  const { columns, ...inferred } = optionsOf(definition)
  // That something is not there is inferred by saying nothing, and corrected by saying so.
  const options = { ...inferred, ...ofTable }
  const { name, kind } = definition.table
  const lines = Object.entries(options).map(([name, value]) => line('      ', name, value))
  const columnLines = [...definition.columns.values()].map((column) =>
    line(
      '        ',
      column.name,
      {
        ...own<ColumnOptions | undefined>(columns, column.name),
        ...own<ColumnOptions | undefined>(correctedColumns, column.name),
      },
      noteOf(column),
    ),
  )
  return [
    `    ${keyOf(name)}: {${kind === 'table' ? '' : ` // a ${kind}`}\n`,
    ...lines,
    ...(columnLines.length > 0 ? ['      columns: {\n', ...columnLines, '      },\n'] : []),
    '    },\n',
  ].join('')
}

const line = (indent: string, name: string, value: unknown, note = ''): string =>
  `${indent}${propertyOf(name, value, indent)},${note && ` // ${note}`}\n`

/** What the options alone do not say; names may hold line breaks, which a comment must not. */
function noteOf(column: ColumnDefinition): string {
  const { hidden, relation, kind } = column
  if (hidden) return 'looks like a secret'
  if (isGuessedPicture(column)) return `with kind: '${kind}', pages load what the values name`
  return relation ? `refers to ${relation.table.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}` : ''
}
