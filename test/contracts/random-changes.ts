/** Tables that refer to each other, with values of every kind, and random changes to their rows. */

import type { Change, TableChange } from '../../src/table/changes/change.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type { Value } from '../../src/table/source/value.ts'
import type { Values } from '../../src/table/source/write-unit.ts'
import type { Chance } from '../simulator/chance.ts'
import type { MetadataPlace } from './metadata-places.ts'

export const TABLES = ['shelves', 'boxes', 'notes'] as const

/** Which column of which table refers to the rows of a table. */
export const REFERRING: { readonly [table: string]: readonly [table: string, column: string] } = {
  shelves: ['boxes', 'shelf_id'],
  boxes: ['notes', 'box_id'],
}

const [SHELVES, BOXES, NOTES] = [8, 40, 20]

export async function createShelves({ engine, run }: MetadataPlace): Promise<void> {
  const bytes = { sqlite: 'blob', postgres: 'bytea', mysql: 'blob' }[engine]
  for (const table of TABLES.toReversed()) await run(`drop table if exists ${table}`)
  await run(`create table shelves (id integer primary key, name varchar(200), place integer)`)
  await run(`create table boxes (id integer primary key, shelf_id integer not null, label varchar(200),
    weight decimal(12, 3), content ${bytes}, foreign key (shelf_id) references shelves (id) on delete cascade)`)
  await run(`create table notes (id integer primary key, box_id integer, body varchar(200),
    foreign key (box_id) references boxes (id) on delete set null)`)
  const rows = (count: number, row: (id: number) => string) =>
    Array.from({ length: count }, (_, at) => `(${row(at + 1)})`).join(', ')
  await run(
    `insert into shelves values ${rows(SHELVES, (id) => `${id}, 'shelf ${id}', ${id * 10}`)}`,
  )
  await run(`insert into boxes values
    ${rows(BOXES, (id) => `${id}, ${1 + (id % SHELVES)}, 'box ${id}', ${id}.25, null`)}`)
  await run(
    `insert into notes values ${rows(NOTES, (id) => `${id}, ${1 + (id % BOXES)}, 'note ${id}'`)}`,
  )
}

/** All rows, as the database writes them. */
export const storedIn = ({ run }: MetadataPlace): Promise<unknown[][][]> =>
  Promise.all(TABLES.map((table) => run(`select * from ${table} order by id`)))

/** Characters that are often mistaken. */
export const LETTERS = ['a', 'B', 'ß', '😀', '\'"\\', '%_', ' ', '\t\n', 'ﬁ', '中'] as const

/** What random changes are made of; rows that are added get keys that no other has. */
export function randomChanges(chance: Chance): () => Change {
  let id = 1000
  const key = (most: number) => [chance.between(1, chance.happens(0.1) ? id : most)]
  const orNull = <T>(value: T): T | null => (chance.happens(0.15) ? null : value)
  const text = () =>
    orNull(Array.from({ length: chance.between(0, 8) }, () => chance.pick(LETTERS)).join(''))
  const weight = () => orNull(`${chance.between(0, 99_999)}.${chance.between(100, 999)}`)
  const bytes = () =>
    orNull(
      new Uint8Array(Array.from({ length: chance.between(0, 6) }, () => chance.between(0, 255))),
    )
  const some = (values: Values): Values => {
    const all = Object.entries(values)
    const kept = all.filter(() => chance.happens(0.6))
    return Object.fromEntries(kept.length > 0 ? kept : all)
  }
  const shelf = () => chance.between(1, SHELVES)
  const box = (): Record<string, Value> => ({ label: text(), weight: weight(), content: bytes() })
  const one = (table: string, change: Omit<TableChange, 'table'>): TableChange[] => [
    { table, ...change },
  ]

  const kinds: readonly (() => TableChange[])[] = [
    () => one('boxes', { rows: [{ update: key(BOXES), set: some(box()) }] }),
    () => one('boxes', { rows: [{ update: key(BOXES), set: { shelf_id: shelf() } }] }),
    () => one('boxes', { rows: [{ insert: { id: ++id, shelf_id: shelf(), ...box() } }] }),
    () => one('boxes', { rows: [{ delete: key(BOXES) }] }),
    () => one('notes', { rows: [{ update: key(NOTES), set: { body: text() } }] }),
    () =>
      one('notes', { rows: [{ update: key(NOTES), set: { box_id: chance.between(1, BOXES) } }] }),
    () => one('shelves', { ranks: { column: 'place', at: [[[shelf()], shelf()]] } }),
    () =>
      one('boxes', {
        sets: [
          {
            in: Array.from({ length: 5 }, (_, at) => [at * 7 + chance.between(1, 7)]),
            ...{ where: everything, set: some({ label: text(), weight: weight() }) },
          },
        ],
      }),
    () => {
      const added = ++id
      const boxes = [++id, ++id].map((id) => ({ insert: { id, shelf_id: added, ...box() } }))
      return [
        ...one('shelves', { rows: [{ insert: { id: added, name: text(), place: added } }] }),
        ...one('boxes', { rows: boxes }),
      ]
    },
    () =>
      chance.happens(0.3)
        ? one('shelves', { rows: [{ delete: [shelf()] }] })
        : one('shelves', { rows: [{ update: [shelf()], set: { name: text() } }] }),
  ]
  const [first, ...others] = kinds
  if (!first) throw new Error('There is no kind of change.')
  return () => ({ door: 'code', tables: chance.pick([first, ...others])() })
}
