/** Schemas with made-up rows, and what the first screen of each of their tables is expected to be. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../../src/cli/open-database.ts'
import { inferTables } from '../../src/table/definition/infer.ts'
import type { TableDefinition } from '../../src/table/definition/table-definition.ts'
import { makeCell, type MadeColumn } from './made-rows.ts'

/** Which columns name a row, stand first and last, sort the list, and how some of them are shown. */
type Expectation = {
  readonly label?: readonly string[]
  readonly first?: readonly string[]
  readonly last?: readonly string[]
  readonly sort?: readonly string[]
  readonly deleted?: readonly string[]
  readonly kinds?: readonly string[]
}

export type Judged = { readonly table: string; readonly wrong: readonly string[] }

const FOLDER = join(import.meta.dirname, 'first-screens')

/** All tables of a set, each with what is not as expected. */
export async function judgeScreens(set: 'known' | 'kept'): Promise<Judged[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-screens-'))
  const judged: Judged[] = []
  for (const name of readdirSync(join(FOLDER, set)).toSorted()) {
    const text = readFileSync(join(FOLDER, set, name), 'utf8')
    const file = join(folder, `${name}.sqlite`)
    const tables = parse(text)
    fill(file, text, tables)
    const source = await openDatabase(file)
    const definitions = inferTables((await source.describe()).tables)
    await source.close()
    for (const { table, expected } of tables)
      judged.push({
        table: `${name.replace('.sql', '')} ${table}`,
        wrong: differences(definitions.get(table)!, expected),
      })
  }
  rmSync(folder, { recursive: true, force: true })
  return judged
}

type Parsed = {
  readonly table: string
  readonly rows: number
  readonly columns: readonly (MadeColumn & { readonly to?: string })[]
  readonly expected: Expectation
}

/** Each table of a file; what makes its values stands behind its columns, what is expected below it. */
function parse(text: string): Parsed[] {
  const tables = text.matchAll(
    /^create table (\S+) \((?: -- (\d+) rows)?\n([\s\S]*?)\n\);\n(?:create.*\n)*-- (label .*)$/gm,
  )
  return [...tables].map(([, table = '', rows = '40', body = '', expected = '']) => ({
    table,
    rows: Number(rows),
    columns: body.split('\n').flatMap((line) => parseColumn(line)),
    expected: Object.fromEntries(
      expected.split(' | ').map((part) => {
        const [name = '', ...words] = part.split(' ')
        return [name, words]
      }),
    ),
  }))
}

function parseColumn(line: string): Parsed['columns'] {
  const found = /^ {2}"?(\w+)"? (.*?),?(?: -- (.*))?$/.exec(line)
  if (!found || found[1] === 'primary') return []
  const [, name = '', declared = '', recipe = ''] = found
  const to = /references "?(\w+)"?/.exec(declared)?.[1]
  return [{ name, declared: declared.split(' ')[0]!, recipe, ...(to !== undefined && { to }) }]
}

function fill(file: string, text: string, tables: readonly Parsed[]): void {
  const db = new DatabaseSync(file)
  db.exec(`pragma synchronous = off; begin; ${text}`)
  for (const { table, rows, columns } of tables) {
    const names = columns.map(({ name }) => `"${name}"`).join()
    const statement = db.prepare(
      `insert or ignore into "${table}" (${names}) values (${columns.map(() => '?').join()})`,
    )
    for (let row = 0; row < rows; row++) {
      const made = columns.map(({ to, ...column }) =>
        to === undefined ? column : { ...column, parents: keysOf(db, to) },
      )
      statement.run(...made.map((column) => makeCell(column, made, { row, rows, scatter: table })))
    }
  }
  db.exec('commit')
  db.close()
}

/** The first column of each of these tables is its key. */
function keysOf(db: DatabaseSync, table: string): (string | number)[] {
  const statement = db.prepare(`select * from "${table}"`)
  statement.setReturnArrays(true)
  // The types of Node know rows as objects alone.
  return (statement.all() as unknown as (string | number)[][]).map(([key]) => key!)
}

function differences(definition: TableDefinition, expected: Expectation): string[] {
  const { label, first, last = [], sort, deleted, kinds = [] } = expected
  const shown = definition.defaultColumns
  const wrong = (what: string, is: readonly string[], wanted: readonly string[] | undefined) =>
    wanted === undefined || is.join(' ') === wanted.join(' ')
      ? []
      : [`${what} ${is.join(' ') || 'none'}, not ${wanted.join(' ')}`]
  const named = definition.labelColumns.length === 0 ? ['none'] : definition.labelColumns
  const order = definition.defaultSort.map(
    ({ column, descending }) => (descending ? '-' : '') + column,
  )
  const others = shown.filter((name) => !last.includes(name))
  return [
    ...wrong('label', named, label),
    ...wrong('first', shown.slice(0, first?.length), first),
    ...wrong('order', order, sort),
    ...wrong(
      'marks deleted',
      definition.softDelete === undefined ? [] : [definition.softDelete],
      deleted,
    ),
    ...wrong(
      'before others',
      shown.slice(0, others.length).filter((name) => last.includes(name)),
      [],
    ),
    ...kinds.flatMap((text) => {
      const [name = '', wanted = ''] = text.split('=')
      return wrong(name, [kindOf(definition, name, wanted)], [wanted])
    }),
  ]
}

function kindOf({ columns }: TableDefinition, name: string, wanted: string): string {
  const column = columns.get(name)
  if (!column) throw new Error(`no column ${name}`)
  const isGuess = column.isGuess === true || column.typedBy !== undefined
  return wanted === 'guess' && isGuess ? 'guess' : column.kind
}
