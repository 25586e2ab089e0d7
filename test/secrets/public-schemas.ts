/** Column names of public schemas, half of which hold secrets: what the rules are judged by. */

import { readFileSync } from 'node:fs'
import type { Column, Table, ValueType } from '../../src/table/source/schema.ts'
import { columnOf, tableOf } from '../table-of.ts'

/** A column with what is known to be true of it. */
export type JudgedColumn = {
  /** Such as `Devise users.email`. */
  readonly title: string
  readonly column: Column
  readonly table: Table
  readonly isSecret: boolean
}

const TYPES: Readonly<Record<string, ValueType>> = {
  i: 'integer',
  b: 'boolean',
  d: 'datetime',
  j: 'json',
  x: 'binary',
}

const COLUMN = /^(?<star>\*?)(?<name>[^!:*]+)(?<key>!?)(?::(?<type>[ibdjx]))?$/

/** Every column; the key of a table of sessions may be a secret, too. */
export function judgedColumns(): JudgedColumn[] {
  const text = readFileSync(new URL('public-schemas.txt', import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap(columnsOf)
}

function columnsOf(line: string): JudgedColumn[] {
  const [project, name = '', ...written] = line.split(' ')
  const parts = written.map((text) => {
    const { groups } = COLUMN.exec(text) ?? {}
    if (!groups) throw new Error(`[${text}] of ${name} is not written like a column.`)
    const type = TYPES[groups['type'] ?? ''] ?? 'text'
    const column = columnOf(groups['name']!, { type })
    return { column, isSecret: groups['star'] === '*', isKey: groups['key'] === '!' }
  })
  const key = parts.filter(({ isKey }) => isKey).map(({ column }) => column.name)
  const table = tableOf(
    parts.map(({ column }) => column),
    { name, key },
  )
  return parts.map(({ column, isSecret }) => ({
    title: `${project} ${name}.${column.name}`,
    ...{ column, table, isSecret },
  }))
}
