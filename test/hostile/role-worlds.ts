/** Roles of one's own by chance, and for each two offices that differ in nothing but what it hides. */

import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import type { Roles, RoleTable, RowCondition } from '../../src/table/roles/role.ts'
import { HIDDEN_WORDS, makeOffice, type World } from './worlds.ts'

/** A condition on rows as a role has it, and in SQL; `of`: the columns that it compares. */
type Rows = { readonly rows: RowCondition; readonly sql: string; readonly of: readonly string[] }

type Drawn = {
  readonly name: string
  readonly read: true | readonly string[]
  readonly rows: Rows | null
}

/** Columns by table: those of the key, texts, and numbers. */
const TABLES = {
  teams: { texts: ['name', 'region'], numbers: ['budget'] },
  people: {
    texts: ['name', 'hired_on', 'diagnosis'],
    numbers: ['salary', 'grade', 'team_id'],
  },
  notes: {
    texts: ['title', 'body'],
    numbers: ['position', 'visible', 'person_id', 'team_id'],
  },
  payroll: { texts: ['badge'], numbers: ['person_id', 'amount'] },
  reviews: { texts: ['name', 'due_on'], numbers: ['payroll_id', 'score'] },
  makers: { texts: ['mark', 'alias'], numbers: ['visible'] },
} as const

type Name = keyof typeof TABLES

const NAMES = Object.keys(TABLES) as Name[] // The names that stand there.

const eq = (column: string, value: string | number): Rows => ({
  rows: { op: 'eq', column, value: typeof value === 'number' ? () => value : value },
  sql: `${column} = ${typeof value === 'number' ? value : `'${value}'`}`,
  of: [column],
})
const atMost = (column: string, value: number): Rows => ({
  rows: { op: 'lte', column, value },
  sql: `${column} <= ${value}`,
  of: [column],
})
const not = ({ rows, sql, of }: Rows): Rows => ({
  rows: { op: 'not', of: rows },
  sql: `(${sql}) is not true`,
  of,
})
const either = (one: Rows, other: Rows): Rows => ({
  rows: { op: 'or', all: [one.rows, other.rows] },
  sql: `(${one.sql} or ${other.sql})`,
  of: [...one.of, ...other.of],
})
const isNull = (column: string): Rows => ({
  rows: { op: 'null', column },
  sql: `${column} is null`,
  of: [column],
})

/** Conditions that leave some rows of each table. */
const CONDITIONS: { readonly [name in Name]: readonly Rows[] } = {
  teams: [eq('region', 'south'), not(eq('region', 'north')), atMost('id', 7)],
  people: [
    atMost('id', 60),
    not(isNull('grade')),
    either(eq('grade', 2), eq('team_id', 3)),
    {
      rows: { op: 'in', column: 'grade', values: ({ actor }) => (actor.id ? [1, 2, 3] : []) },
      sql: 'grade in (1, 2, 3)',
      of: ['grade'],
    },
  ],
  notes: [eq('visible', 1), atMost('position', 30), not(isNull('body')), eq('team_id', 4)],
  payroll: [atMost('id', 9), eq('person_id', 5)],
  reviews: [not(eq('score', 1)), atMost('payroll_id', 8)],
  makers: [eq('visible', 1)],
}

const columnsOf = (name: Name): readonly string[] => [
  ...TABLES[name].texts,
  ...TABLES[name].numbers,
]

const drawnTable = (name: Name): fc.Arbitrary<Drawn> =>
  fc.record({
    name: fc.constant(name),
    read: fc.oneof(
      { weight: 1, arbitrary: fc.constant(true as const) },
      { weight: 4, arbitrary: fc.subarray([...columnsOf(name)], { minLength: 1 }) },
    ),
    rows: fc.option(fc.constantFrom(...CONDITIONS[name]), { freq: 3 }),
  })

/** A role that sees people, and of the other tables some. */
export const drawnRoles: fc.Arbitrary<readonly Drawn[]> = fc
  .subarray(NAMES.filter((name) => name !== 'people'))
  .chain((names) => fc.tuple(...(['people', ...names] as const).map(drawnTable)))

/** The role `support` of a definition. */
export const rolesOf = (drawn: readonly Drawn[]): Roles => ({
  support: {
    tables: Object.fromEntries(
      drawn.map(({ name, read, rows }): [string, RoleTable] => [
        name,
        { read, ...(rows && { rows: rows.rows }) },
      ]),
    ),
  },
})

/** Writes the office of that world for a role. What the role hides bears a word that the other world has not. */
export function makeRoleOffice(file: string, world: World, drawn: readonly Drawn[]): void {
  makeOffice(file, 'one')
  const db = new DatabaseSync(file)
  db.exec('PRAGMA foreign_keys = off; BEGIN')
  for (const name of NAMES) {
    const seen = drawn.find((one) => one.name === name)
    // What the offices of policies hide is seen by some roles.
    for (const column of TABLES[name].texts)
      for (const word of HIDDEN_WORDS)
        db.exec(`UPDATE ${name} SET ${column} = replace(${column}, '${word}', 'plain')`)
    const compared = seen?.rows?.of ?? []
    const isRead = (column: string) => seen?.read === true || seen?.read.includes(column)
    const free = columnsOf(name).filter((column) => !compared.includes(column))
    scramble(db, name, world, { columns: free.filter((column) => !isRead(column)), where: '1' })
    if (seen && !seen.rows) continue
    const where = seen?.rows ? `(${seen.rows.sql}) is not true` : '1'
    scramble(db, name, world, { columns: free, where })
    if (world === 'one') continue
    db.exec(`DELETE FROM ${name} WHERE ${where} AND id % 3 = 0`)
    db.exec(`INSERT INTO ${name} SELECT id + 1000, ${namesIn(db, name).join()} FROM ${name}
      WHERE ${where} AND id % 3 = 1`)
  }
  db.exec('COMMIT; ANALYZE')
  db.close()
}

const namesIn = (db: DatabaseSync, table: string): string[] =>
  db
    .prepare(`SELECT name FROM pragma_table_info('${table}') WHERE name <> 'id'`)
    .all()
    .map(({ name }) => String(name))

/** Other values in both worlds, of the same types. */
function scramble(
  db: DatabaseSync,
  name: Name,
  world: World,
  { columns, where }: { readonly columns: readonly string[]; readonly where: string },
): void {
  const isTwo = world === 'two'
  const texts: readonly string[] = TABLES[name].texts
  for (const column of columns) {
    const text = isTwo ? `'${HIDDEN_WORDS[1]} ' || (200 - id)` : `'${HIDDEN_WORDS[0]} ' || id`
    const number = isTwo ? '1 + (id * 7) % 9' : '1 + (id * 5) % 11'
    const value = texts.includes(column) ? text : number
    db.exec(`UPDATE ${name} SET ${column} = ${value} WHERE ${where}`)
  }
}
