/** Rows for any schema: many ties and NULLs, keys that refer to rows, and the same ones each time. */

import { createHash } from 'node:crypto'
import type { Column, ForeignKey, Table } from '../../src/table/source/schema.ts'
import type { Value } from '../../src/table/source/value.ts'

/** The rows of a table, with a value for each of `columns`. */
export type GeneratedRows = {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
}

type Row = Map<string, Value>

/** Rows of all tables, in an order in which they can be inserted. */
export function generateRows(tables: readonly Table[], atLeast: number): GeneratedRows[] {
  const stored = tables.filter(({ kind }) => kind === 'table')
  const referred = new Set(
    stored.flatMap(({ name, foreignKeys }) =>
      foreignKeys.map(({ table }) => table).filter((table) => table !== name),
    ),
  )
  const made = new Map<string, Row[]>()
  const generated: GeneratedRows[] = []
  for (const table of parentsFirst(stored)) {
    const isEmpty = !referred.has(table.name) && chance(table.name) % 8 === 0
    const count = isEmpty ? 0 : atLeast + (chance(table.name, 'rows') % 12)
    const rows = rowsOf(table, count, made)
    made.set(table.name, rows)
    const columns = filledColumns(table).map(({ name }) => name)
    generated.push({
      table: table.name,
      columns,
      rows: rows.map((row) => columns.map((name) => row.get(name) ?? null)),
    })
  }
  return generated
}

/** Each table after those that it refers to, where no cycle forbids it. */
function parentsFirst(tables: readonly Table[]): Table[] {
  const sorted = new Set<Table>()
  const visit = (table: Table, path: readonly Table[]): void => {
    if (sorted.has(table) || path.includes(table)) return
    const links = table.foreignKeys.toSorted(
      (a, b) => Number(isOptional(a, table)) - Number(isOptional(b, table)),
    )
    for (const link of links) {
      const parent = tables.find(({ name }) => name === link.table)
      if (parent) visit(parent, [...path, table])
    }
    sorted.add(table)
  }
  for (const table of tables) visit(table, [])
  return [...sorted]
}

const filledColumns = ({ columns }: Table): readonly Column[] =>
  columns.filter(({ generated }) => !generated)

const isOptional = ({ columns }: ForeignKey, table: Table): boolean =>
  columns.some((name) => table.columns.find((column) => column.name === name)?.nullable)

function rowsOf(table: Table, count: number, made: ReadonlyMap<string, Row[]>): Row[] {
  const rows: Row[] = []
  const uniques = uniqueSets(table)
  const taken = uniques.map(() => new Set<string>())
  for (let i = 0; i < count; i++) {
    const row: Row = new Map()
    for (const column of filledColumns(table))
      row.set(column.name, valueOf(column, table, uniques, i))
    for (const link of table.foreignKeys)
      refer(link, table, row, i, link.table === table.name ? rows : (made.get(link.table) ?? []))
    // A row whose values a unique set already has is left out.
    const values = uniques.map((names) => names.map((name) => row.get(name) ?? null))
    if (values.some((some, at) => !some.includes(null) && taken[at]!.has(folded(some)))) continue
    values.forEach((some, at) => taken[at]!.add(folded(some)))
    rows.push(row)
  }
  return rows
}

/** As the most tolerant collation compares. */
const folded = (values: readonly Value[]): string =>
  values
    .map((value) => String(value).normalize('NFD').replace(/\p{M}/gu, '').trimEnd())
    .join('\0')
    .toLowerCase()

const uniqueSets = ({ key, uniques = [], indexes }: Table): (readonly string[])[] => [
  ...(key.length > 0 ? [key] : []),
  ...uniques,
  ...indexes.filter(({ unique }) => unique).map(({ columns }) => columns.map(({ name }) => name)),
]

/** Lets a row refer to one of the parent's, or to itself if it is the first of its own table. */
function refer(
  { columns, references, table: parent }: ForeignKey,
  table: Table,
  row: Row,
  i: number,
  parents: readonly Row[],
): void {
  const optional = columns.filter(
    (name) =>
      !table.key.includes(name) && table.columns.find((column) => column.name === name)?.nullable,
  )
  const isLoose =
    optional.length > 0 && (parents.length === 0 || chance(parent, columns, i) % 5 === 0)
  if (isLoose) {
    for (const name of optional) row.set(name, null)
    return
  }
  const isSole = uniqueSets(table).some((names) => names.every((name) => columns.includes(name)))
  const chosen = parents[isSole ? i % parents.length : chance(columns, i) % parents.length] ?? row
  columns.forEach((name, at) => row.set(name, chosen.get(references[at]!) ?? null))
}

const WORDS = [
  ...['a', 'A', 'b', 'Zoë', 'zoe', 'ZOE ', 'Ärger', 'ärger', 'Arger', '10', '9', '-1', "O'Neil"],
  ...['ß', 'ss', '名前', 'Ωmega', 'ωmega', 'a_b', 'a%b', ' first', '', 'null', 'é', 'é', '🦆'],
  ...['x'.repeat(300), `${'x'.repeat(300)}y`, '<b>bold</b>', 'two\nlines', 'tab\tbed'],
]

function valueOf(
  column: Column,
  table: Table,
  uniques: readonly (readonly string[])[],
  i: number,
): Value {
  const { name, nullable, allowed } = column
  const isAlone = uniques.some((names) => names.length === 1 && names[0] === name)
  const isPart = table.key.includes(name)
  if (nullable && !isPart && chance(table.name, name, i) % 5 === 0) return null
  const at = isAlone ? i : chance(name, table.name, i)
  if (allowed) return allowed[at % allowed.length]!
  return VALUES[column.type](at, column, isAlone || uniques.some((names) => names.includes(name)))
}

type Maker = (at: number, column: Column, isUnique: boolean) => Value

const VALUES: Readonly<Record<Column['type'], Maker>> = {
  text(at, { maxLength = 1000 }, isUnique) {
    const word = WORDS[at % WORDS.length]!
    // A number in base 36 makes a text unique however short it must be.
    return isUnique
      ? `${at.toString(36)} ${word.trim()}`.slice(0, maxLength).trimEnd()
      : [...word].slice(0, maxLength).join('')
  },
  integer(at, { declared }, isUnique) {
    if (isUnique) return (at % 100_000) + 1
    if (/tiny/i.test(declared)) return at % 100
    const isWide = /big/i.test(declared) && !/unsigned/i.test(declared)
    if (isWide && at % 4 === 0) return 9_007_199_254_740_993n + BigInt(at % 3)
    return (at % 12) * (/unsigned/i.test(declared) ? 1 : (at % 2) * 2 - 1)
  },
  decimal: (at) => ['0', '0.10', '0.1', '1', '10.5', '9.99', '123456789.123456', '2'][at % 8]!,
  float: (at) => [0, 0.5, -1.5, 1e10, 1 / 3, 100][at % 6]!,
  boolean: (at) => at % 2 === 0,
  date: (at) => `20${10 + (at % 20)}-02-${10 + (at % 3)}`,
  datetime: (at, { declared }) =>
    `20${10 + (at % 14)}-0${1 + (at % 9)}-15 1${at % 10}:00:00${/timestamp|\(6\)/i.test(declared) ? `.${100000 + (at % 5)}` : ''}`,
  time: (at) => `1${at % 10}:30:00`,
  json: (at) => JSON.stringify({ value: String(at % 9), precision: 20 }),
  binary: (at) => Buffer.from(String(at).padStart(8, '0')),
}

/** A number that depends on nothing but its parts. */
const chance = (...parts: unknown[]): number =>
  createHash('md5').update(JSON.stringify(parts)).digest().readUInt32BE()
