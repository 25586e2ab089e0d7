/** Lists that people put in order, two of them alike but for hidden rows, and hostile moves in them. */

import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import type { ReorderResult } from '../../src/protocol/reorder.ts'
import type { Policy } from '../../src/table/source/access.ts'
import { MOVES_MAX } from '../../src/protocol/reorder.ts'
import { type Part, update } from './requests.ts'
import { openTarget, type Answer, type Person, readPage, type Target } from './target.ts'
import { HIDDEN_WORDS, type World } from './worlds.ts'

/** A target and its database. */
export type Ordered = { readonly target: Target; readonly file: string }

export const TASKS = 30

/**
 * Tasks in one order, and songs in one for each list. Rows that are hidden lie between the others;
 * one world has more of them, at other places, and under keys that the other does not have.
 */
function makeLists(file: string, world: World): void {
  const isTwo = world === 'two'
  const word = HIDDEN_WORDS[isTwo ? 1 : 0]!
  const db = new DatabaseSync(file)
  db.exec(`
    CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, visible INTEGER NOT NULL, position INTEGER);
    CREATE TABLE lists (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE songs (
      list_id INTEGER REFERENCES lists (id), song TEXT, visible INTEGER NOT NULL, position INTEGER,
      PRIMARY KEY (list_id, song)
    );
    CREATE INDEX tasks_position ON tasks (position, id);
    INSERT INTO lists VALUES (1, 'Calm'), (2, 'Loud'), (3, 'Slow');
  `)
  const task = db.prepare('INSERT INTO tasks VALUES (?, ?, ?, ?)')
  for (let id = 1; id <= TASKS; id++) task.run(id, `Task ${id}`, 1, id * 10)
  for (let id = TASKS + 1; id <= TASKS + (isTwo ? 45 : 20); id++)
    task.run(id, `${word} ${id}`, 0, isTwo ? id * 4 - 101 : id % 3 === 0 ? null : 333 - id * 5)
  const song = db.prepare('INSERT INTO songs VALUES (?, ?, ?, ?)')
  for (const list of [1, 2, 3])
    for (const [i, name] of [...'ABCDEFGH'].entries()) song.run(list, name, 1, i + 1)
  for (let i = 0; i < (isTwo ? 9 : 4); i++) song.run(1 + (i % 3), `${word} ${i}`, 0, i + 2)
  db.close()
}

/** Editors put what they see in order; the viewer reads it; nobody but administrators sees the rest. */
const listPolicy: Policy = {
  version: 'lists-1',
  grant: ({ role }, { columns }) => ({
    actions: role === 'viewer' ? ['read'] : ['read', 'update'],
    rows: columns.some(({ name }) => name === 'visible')
      ? { op: 'eq', column: 'visible', value: 1 }
      : { op: 'and', all: [] },
    readable: columns.map(({ name }) => name).filter((name) => name !== 'visible'),
    writable: role === 'viewer' ? [] : ['position'],
  }),
}

export async function openOrdered(world: World, write = true): Promise<Ordered> {
  let made = ''
  const target = await openTarget({
    prepare: (file) => {
      made = file
      makeLists(file, world)
    },
    table: 'tasks',
    policy: listPolicy,
    write,
    definitions: { songs: { reorder: { column: 'position', within: ['list_id'] } } },
  })
  return { target, file: made }
}

type StoredRow = {
  /** Names the order that the row stands in: the table, and the parent where there is one. */
  readonly list: string
  readonly key: string
  readonly position: number | null
  readonly visible: number
  /** Everything else that the row holds. */
  readonly rest: string
}

/** All rows, sorted by list and place. */
export function readRows({ file }: Ordered): readonly StoredRow[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare(`
    SELECT 'tasks' AS list, CAST(id AS TEXT) AS key, position, visible, title AS rest, id FROM tasks
    UNION ALL
    SELECT 'songs ' || list_id, list_id || ',' || song, position, visible, song, song FROM songs
    ORDER BY 1, position NULLS LAST, id`)
  // The columns are those that the statement names.
  const found = rows.all() as unknown as StoredRow[]
  db.close()
  return found
}

/** Keys of the rows that people see in a list, in order. */
export const orderIn = (rows: readonly StoredRow[], list: string): string[] =>
  rows.filter((row) => row.list === list && row.visible === 1).map(({ key }) => key)

type Told = {
  readonly list: string
  readonly result: ReorderResult | undefined
  readonly moves: Moved
}

/** What is wrong with the data after an answer, in words. */
export function wrongChange(
  before: readonly StoredRow[],
  after: readonly StoredRow[],
  { list, result, moves }: Told,
): string[] {
  const old = new Map(before.map((row) => [`${row.list} ${row.key}`, row]))
  const changed = after.filter(
    (row) => old.get(`${row.list} ${row.key}`)?.position !== row.position,
  )
  const isKept = ({ list, key, visible, rest }: StoredRow) => {
    const was = old.get(`${list} ${key}`)
    return was?.visible === visible && was.rest === rest
  }
  const wrong: string[] = []
  if (after.length !== before.length || !after.every(isKept)) wrong.push('rows are others')
  const written = result?.status === 'done' ? result.written : 0
  if (changed.length !== written) wrong.push(`${changed.length} rows written, ${written} told`)
  if (changed.some((row) => row.visible === 0 || row.list !== list))
    wrong.push('a row of no concern was written')
  const order = orderIn(before, list)
  const expected = result?.status === 'done' ? movedOrder(order, moves) : order
  if (orderIn(after, list).join() !== expected.join()) wrong.push('another order')
  const shown = after.filter((row) => row.list === list && row.visible === 1)
  if (new Set(shown.map(({ position }) => position)).size < shown.length)
    wrong.push('two rows in one place')
  return wrong
}

type Moved = readonly (readonly [key: string, rank: number])[]

/** The order that these moves ask for. */
function movedOrder(order: readonly string[], moves: Moved): string[] {
  const moved = new Set(moves.map(([key]) => key))
  const rest = order.filter((key) => !moved.has(key))
  for (const [key, rank] of moves.toSorted(([, a], [, b]) => a - b)) rest.splice(rank - 1, 0, key)
  return rest
}

/** A list as a person has it open. */
export async function openList(
  { target }: Ordered,
  person: Person,
  address: string,
): Promise<string> {
  const { components } = await readPage(target.send, address, person.cookie)
  return components.find(({ name }) => name === 'list')?.snapshot ?? ''
}

export const storeReorder = (
  person: Person,
  snapshot: unknown,
  ...params: readonly unknown[]
): ReturnType<typeof update> =>
  update(person, { snapshot, calls: [{ method: 'storeReorder', params }] } satisfies Part)

/** What the call returned; `undefined` where it was refused. */
export function resultIn<T = ReorderResult>({ status, body }: Answer): T | undefined {
  if (status !== 200) return undefined
  const answer = JSON.parse(body) as { components: { effects: { returns?: (T | null)[] } }[] }
  return answer.components[0]?.effects.returns?.[0] ?? undefined
}

const visibleKey = fc.integer({ min: 1, max: TASKS }).map(String)
/** Keys that are hidden in both worlds, in one of them, or in none. */
const hiddenKey = fc.integer({ min: TASKS + 1, max: TASKS + 60 }).map(String)
const oddKey = fc.constantFrom<unknown>(
  ...[
    '',
    ' 1',
    '1 ',
    '01',
    '1.0',
    '1e0',
    '0x1',
    '-1',
    '1,2',
    '1/..',
    "1' or '1'='1",
    '%',
    '*',
    '٣',
  ],
  ...['null', '9223372036854775807', '9223372036854775808', '9'.repeat(4001), '\u0000', '\ud800'],
  ...[1, 1.5, -1, 1e300, null, true, [], ['1'], {}, { id: '1' }, '__proto__', 'constructor'],
)
const anyKey = fc.oneof(
  { weight: 6, arbitrary: visibleKey as fc.Arbitrary<unknown> },
  { weight: 2, arbitrary: hiddenKey },
  { weight: 1, arbitrary: oddKey },
)

const goodRank = fc.integer({ min: 1, max: TASKS })
const oddRank = fc.constantFrom<unknown>(
  ...[
    0,
    -1,
    1.5,
    TASKS + 1,
    TASKS + 21,
    2 ** 31,
    2 ** 53,
    1e300,
    -0,
    null,
    true,
    '1',
    '',
    [],
    [1],
    {},
  ],
)
const anyRank = fc.oneof(
  { weight: 9, arbitrary: goodRank as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: oddRank },
)

const rowOf = ([id, position]: readonly [unknown, unknown]): unknown => ({ id, position })

/** Moves of rows, most of which could be meant. */
const plausible = fc.array(fc.tuple(anyKey, anyRank).map(rowOf), { minLength: 1, maxLength: 6 })

/** Moves of distinct visible rows to distinct places, which must succeed. */
const genuine = fc
  .uniqueArray(fc.tuple(visibleKey, goodRank), {
    minLength: 1,
    maxLength: 5,
    comparator: (a, b) => a[0] === b[0] || a[1] === b[1],
  })
  .map((moves) => moves.map(rowOf))

/** Neighbours that somebody says they saw. */
const sides = {
  previous: fc.oneof(anyKey, fc.constant(null)),
  next: fc.oneof(anyKey, fc.constant(null)),
}
const neighbour = fc.record(
  { key: anyKey, ...sides, from: fc.record(sides, { requiredKeys: [] }) },
  { requiredKeys: ['key'] },
)

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: String(i + 1), position: i + 1 }))

export const strangeParams: readonly unknown[][] = [
  ...[[], [null], [{}], ['all'], [[]], [[[]]], [[null]], [[{}]], [[['1', 1]]], [{ length: 1 }]],
  ...[MOVES_MAX, MOVES_MAX + 1, 20_000].map((count) => [many(count)]),
  ...[
    { id: '1' },
    { position: 1 },
    { id: '1', position: 1, title: 'x' },
    { id: '1', position: 1, visible: 0 },
    { id: '1', visible: 2 },
    { id: '1', title: 2 },
    { key: '1', position: 2 },
    { ID: '1', POSITION: 2 },
    { id: '1', 'position"; drop table tasks; --': 2 },
    { 'id" = 1 or "1': '1', position: 2 },
    { rowid: '1', position: 2 },
    { id: { toString: '1' }, position: 2 },
    JSON.parse('{"__proto__":"1","position":2}') as unknown,
    { id: '1', position: 2, constructor: 'x' },
  ].map((row) => [[row]]),
  [[{ id: '1', position: 2 }], null],
  [[{ id: '1', position: 2 }], {}],
  [[{ id: '1', position: 2 }], [{ key: '2' }]],
  [[{ id: '1', position: 2 }], [{ key: '1', previous: '31', next: '32' }]],
  [[{ id: '1', position: 2 }], [{ key: '1', between: '3' }]],
  [[{ id: '1', position: 2 }], [{ key: '1', from: '3' }]],
  [[{ id: '1', position: 2 }], [{ key: '1', from: { previous: '31', after: '3' } }]],
  [[{ id: '1', position: 2 }], [], []],
  [
    [{ id: '1', position: 2 }],
    Array.from({ length: MOVES_MAX + 1 }, () => ({ key: '1', next: '2' })),
  ],
]

export const plausibleParams = fc.oneof(
  plausible.map((rows) => [rows]),
  genuine.map((rows) => [rows]),
  fc.tuple(plausible, fc.array(neighbour, { maxLength: 3 })).map((params): unknown[] => params),
  fc.tuple(genuine, fc.array(neighbour, { maxLength: 2 })).map((params): unknown[] => params),
)

/** The moves that parameters name, as far as they make sense. */
export const movesOf = (params: readonly unknown[], keyName = 'id'): Moved =>
  Array.isArray(params[0])
    ? params[0].map((row: Record<string, unknown> | null): readonly [string, number] => [
        JSON.stringify(row?.[keyName] ?? null).replaceAll('"', ''),
        Number(row?.['position'] ?? Number.NaN),
      ])
    : []

/** Calls of the mode's queries with anything. */
export const queries = fc.oneof(
  fc
    .tuple(
      fc.array(fc.tuple(anyKey, anyRank), { maxLength: 5 }) as fc.Arbitrary<unknown>,
      fc.oneof(fc.integer({ min: 1, max: 4 }) as fc.Arbitrary<unknown>, oddRank),
    )
    .map((params) => ({ method: 'reorderPage', params: params as unknown[] })),
  fc
    .constantFrom<unknown>(
      ...HIDDEN_WORDS,
      ...['Task 1', 'task', '', '%', '_', '3', 'zy', 'quo', 'x'.repeat(201), null, 7, ['Task'], {}],
    )
    .map((text) => ({ method: 'findInOrder', params: [text] })),
  fc.constantFrom<unknown[]>([], [1], [null]).map((params) => ({ method: 'orderLength', params })),
)
