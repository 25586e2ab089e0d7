/** Small offices that differ in nothing but what a policy hides. */

import { DatabaseSync } from 'node:sqlite'
import type { Role } from '../../src/server/actor.ts'
import type { Grant, Policy } from '../../src/table/source/access.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import { sampledRows, sampledSchema, type SwitchType } from './sampled-worlds.ts'

export type World = 'one' | 'two'

/** Tables whose every row may be seen, some of whose rows, and none. */
const SCHEMA: readonly string[] = [
  `CREATE TABLE teams (
    id INTEGER PRIMARY KEY, name VARCHAR(200) NOT NULL, budget INTEGER, region VARCHAR(200) NOT NULL)`,
  `CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    salary INTEGER NOT NULL,
    name VARCHAR(200) NOT NULL,
    hired_on VARCHAR(200) NOT NULL,
    diagnosis VARCHAR(200),
    grade INTEGER,
    team_id INTEGER REFERENCES teams (id)
  )`,
  `CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    position INTEGER NOT NULL,
    title VARCHAR(200) NOT NULL,
    body VARCHAR(200),
    visible INTEGER NOT NULL,
    person_id INTEGER REFERENCES people (id),
    team_id INTEGER REFERENCES teams (id)
  )`,
  `CREATE TABLE payroll (
    id INTEGER PRIMARY KEY,
    person_id INTEGER REFERENCES people (id),
    amount INTEGER,
    badge VARCHAR(200)
  )`,
  `CREATE TABLE reviews (
    id INTEGER PRIMARY KEY,
    name VARCHAR(200) NOT NULL,
    payroll_id INTEGER REFERENCES payroll (id),
    score INTEGER,
    due_on VARCHAR(200)
  )`,
  'CREATE INDEX people_salary ON people (salary, id)',
  'CREATE INDEX people_hired ON people (hired_on, id)',
  'CREATE INDEX reviews_due ON reviews (due_on, id)',
  'CREATE INDEX notes_position ON notes (position, id)',
]

/** Words of the hidden values of either world: none of them may ever be read. */
export const HIDDEN_WORDS = ['zyzzyva', 'quokka']

type Cell = string | number | null

const literal = (value: Cell): string =>
  typeof value === 'string' ? `'${value}'` : String(value ?? 'NULL')

/**
 * Statements that make the office of that world, which all engines take. What is hidden differs
 * wherever it can.
 */
export function officeOf(world: World, switchType: SwitchType): string[] {
  const isTwo = world === 'two'
  const word = HIDDEN_WORDS[isTwo ? 1 : 0]!
  const rows = new Map<string, string[]>()
  const insert = (table: string, ...values: Cell[]) =>
    rows.set(table, [...(rows.get(table) ?? []), `(${values.map(literal).join()})`])
  for (let id = 1; id <= 12; id++) {
    const isHidden = id % 3 === 0
    // Teams of the hidden region bear other names, too.
    const name = isHidden ? `${word}${id}` : `Team ${id}`
    insert('teams', id, name, isTwo ? id * 7 : 9000 - id, isHidden ? 'north' : 'south')
  }
  for (let id = 1; id <= 90; id++)
    insert(
      'people',
      id,
      isTwo ? 100_000 - id * 37 : 30_000 + ((id * 7919) % 5000),
      `Person ${String(id).padStart(3, '0')}`,
      `20${String(10 + (id % 15))}-0${1 + (id % 9)}-1${id % 9}`,
      id % 4 === (isTwo ? 1 : 2) ? null : `${word} ${id}`,
      id % 5 === 0 ? null : id % 7,
      id % 6 === 0 ? null : 1 + (id % 12),
    )
  for (let id = 1; id <= 120; id++) {
    const isVisible = id % 2 === 0
    // Hidden rows differ in everything, and there are more of them in one world.
    if (!isVisible && isTwo && id % 3 === 0) continue
    const text = isVisible ? `Note ${id % 40}` : `${word} ${id}`
    const [person, team] = isVisible ? [1 + (id % 90), 1 + (id % 12)] : [1 + ((id * 7) % 90), null]
    const position = isVisible ? 1 + (id % 50) : isTwo ? 500 - id : id
    insert('notes', id, position, text, id % 3 === 0 ? null : text, Number(isVisible), person, team)
  }
  for (let id = 1; id <= (isTwo ? 400 : 15); id++)
    insert(
      'payroll',
      id,
      1 + (id % 90),
      isTwo ? id : -id,
      isTwo ? word : `https://a.example/${id}.png`,
    )
  for (let id = 1; id <= 40; id++) {
    const due = `2026-0${1 + ((isTwo ? id : id * 5) % 9)}-11`
    insert('reviews', id, `Review ${id}`, 1 + (id % 15), isTwo ? id % 9 : id % 4, due)
  }
  const inserts = [...rows].map(([table, all]) => `INSERT INTO ${table} VALUES ${all.join()}`)
  return [...SCHEMA, ...inserts, ...sampledSchema(switchType), ...sampledRows(world, word)]
}

/** Writes the office of that world to a SQLite file. */
export function makeOffice(file: string, world: World): void {
  const db = new DatabaseSync(file)
  for (const statement of ['BEGIN', ...officeOf(world, 'TINYINT(1)'), 'ANALYZE', 'COMMIT'])
    db.exec(statement)
  db.close()
}

const HIDDEN_COLUMNS = new Set([
  ...['salary', 'diagnosis', 'budget', 'score', 'due_on', 'sketch', 'made'],
])

const IS_VISIBLE: Predicate = { op: 'eq', column: 'visible', value: 1 }

const ROWS: Readonly<Record<string, Predicate>> = {
  notes: IS_VISIBLE,
  makers: IS_VISIBLE,
  parts: IS_VISIBLE,
  teams: { op: 'not', of: { op: 'eq', column: 'region', value: 'north' } },
}

/** Hides a table, some rows of four others, and seven columns; administrators see all of it. */
export const hidingPolicy: Policy = {
  version: 'hiding-1',
  grant({ role }: { role: Role }, table): Grant {
    const names = table.columns.map(({ name }) => name)
    if (role === 'admin')
      return { actions: ['read', 'update'], rows: everything, readable: names, writable: names }
    const readable = names.filter((name) => !HIDDEN_COLUMNS.has(name))
    return {
      actions: table.name === 'payroll' ? [] : ['read'],
      rows: ROWS[table.name] ?? everything,
      readable,
      writable: [],
    }
  },
}

/** The sabotage twin: everybody may see everything. */
export const openPolicy: Policy = {
  version: 'hiding-1',
  grant: (actor, table) => hidingPolicy.grant({ ...actor, role: 'admin' }, table),
}
