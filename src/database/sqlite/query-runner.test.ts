import { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { AppError } from '../../server/app-error.ts'
import { everything, type Predicate } from '../../table/source/predicate.ts'
import type { PageQuery, Run } from '../../table/source/row-source.ts'
import { jumpQuestion, startQuestion } from '../query/question.ts'
import { pageShape, type PageShape, runsOf } from '../query/page-sql.ts'
import { statementOf } from '../query/select.ts'
import { followingDialect, foundBy, guardedDialect } from './dialect.ts'
import { SqliteQueryRunner } from './query-runner.ts'
import { SqliteFile } from './file.ts'
import { openSqlite } from './open.ts'
import type { SqliteCatalogue } from './tables.ts'
import type { WorkerPool } from './worker-pool.ts'

const NOTES = `create table notes (id integer primary key, note text, at text not null);
  create index notes_at on notes (at, id);`

/** A new file with the tables of a script. */
function fileWith(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-runner-'))
  const path = join(folder, 'notes.db')
  const db = new DatabaseSync(path)
  db.exec(script)
  db.close()
  const own = { name: 'notes', isWritable: false, onReplaced: () => undefined }
  const file = new SqliteFile(path, own)
  onTestFinished(() => {
    file.close()
    rmSync(folder, { recursive: true })
  })
  return { path, file, catalogue: file.describe() }
}

/** A page of the table of a file. */
const shapeOf = (catalogue: SqliteCatalogue, query: Omit<PageQuery, 'size'>): PageShape =>
  pageShape(catalogue, fullAccess(catalogue.schema.tables[0]!), { ...query, size: 50 })

/** A runner whose threads answer with `ask`, and a page of the notes that fulfil a condition. */
function open(
  ask: (text: string, timeoutMs: number | undefined, signal?: AbortSignal) => unknown,
  fill = '',
) {
  const { file, catalogue } = fileWith(`${NOTES} ${fill}`)
  const workers = {
    ask: async ({ text }: { text: string }, { timeoutMs, signal }: Run) => ({
      id: 1,
      rows: JSON.stringify(await ask(text, timeoutMs, signal)),
    }),
  } as unknown as WorkerPool // What else a pool does is not asked for here.
  const runner = new SqliteQueryRunner({
    file,
    catalogue,
    threads: workers,
    processes: workers,
    now: () => 0,
    smallRows: -1,
  })
  const [table] = [...catalogue.tables.values()]
  const shape = (where: Predicate) =>
    shapeOf(catalogue, {
      columns: ['id', 'note'],
      where,
      sort: [{ column: 'at', descending: true }],
      place: { at: 'first' },
    })
  const ends = { backwards: false }
  const page = (where: Predicate) =>
    runner.read({ ...startQuestion(runner, shape(where), ends, 51), table: table! })
  /** The page that begins so many rows after the first. */
  const far = (where: Predicate, skip: number) => {
    const [run] = runsOf(runner, shape(where), ends)
    const jump = { run: run!, skip, limit: 51 }
    return runner.read({ ...jumpQuestion(runner, shape(where), jump), table: table! })
  }
  return { page, far }
}

const search: Predicate = { op: 'contains', column: 'note', text: 'rare' }

test('a walk that finds its rows is the answer', async () => {
  const asked: string[] = []
  const { page } = open((text) => {
    asked.push(text)
    return [[1, 'rare', 'x']]
  })
  expect((await page(search)).rows).toEqual([[1, 'rare', 'x']])
  expect(asked).toHaveLength(1)
  expect(asked[0]).not.toContain('not indexed')
})

test('a walk that finds too little in its time gives way to one scan', async () => {
  const asked: [isScan: boolean, timeoutMs: number | undefined][] = []
  const { page } = open((text, timeoutMs) => {
    const isScan = text.includes('not indexed')
    asked.push([isScan, timeoutMs])
    if (!isScan) throw new AppError('QUERY_TIMEOUT')
    return [[7, 'rare', 'x']]
  })
  expect((await page(search)).rows).toEqual([[7, 'rare', 'x']])
  expect(asked).toEqual([
    [false, 50],
    [true, undefined],
  ])
})

test('a walk that has not found enough soon is overtaken by the scan, and ended', async () => {
  let ended: AbortSignal | undefined
  const { page } = open((text, _timeoutMs, signal) => {
    if (text.includes('not indexed')) return [[7, 'rare', 'x']]
    ended = signal
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    )
  })
  expect((await page(search)).rows).toEqual([[7, 'rare', 'x']])
  expect(ended?.aborted).toBe(true)
})

test('what an index serves is never scanned', async () => {
  const asked: string[] = []
  const { page } = open((text) => {
    asked.push(text)
    return []
  })
  await page({ op: 'gte', column: 'at', value: '2024' })
  expect(asked.filter((text) => text.includes('not indexed'))).toEqual([])
})

const INDEXED = 'create index notes_note on notes (note)'
const often: Predicate = { op: 'eq', column: 'note', value: 'often' }

test('rows of a value that are many are found along the order instead of being sorted', async () => {
  let ended: AbortSignal | undefined
  const { page } = open((text, _timeoutMs, signal) => {
    if (text.includes('indexed by "notes_at"')) return [[7, 'often', 'x']]
    ended = signal
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    )
  }, INDEXED)
  expect((await page(often)).rows).toEqual([[7, 'often', 'x']])
  expect(ended?.aborted).toBe(true)
})

test('few rows of a range are found by its index, though others are walked in order', async () => {
  let ended: AbortSignal | undefined
  const { page } = open((text, _timeoutMs, signal) => {
    if (text.includes('indexed by "notes_note"')) return [[7, 'rare', 'x']]
    ended = signal
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    )
  }, INDEXED)
  const all: Predicate[] = [
    { op: 'eq', column: 'at', value: '2024' },
    { op: 'gte', column: 'note', value: 'rare' },
  ]
  expect((await page({ op: 'and', all })).rows).toEqual([[7, 'rare', 'x']])
  expect(ended?.aborted).toBe(true)
})

test('few rows of a value are sorted, and nothing else is begun', async () => {
  const asked: string[] = []
  const { page } = open((text) => {
    asked.push(text)
    return [[7, 'often', 'x']]
  }, INDEXED)
  expect((await page(often)).rows).toEqual([[7, 'often', 'x']])
  expect(asked).toHaveLength(1)
  expect(asked[0]).not.toContain('indexed by')
})

test('a page far away of rows that an index has in their order is asked for once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const asked: string[] = []
  const { far } = open((text) => {
    asked.push(text)
    // As long as another way would be given to begin.
    vi.advanceTimersByTime(60_000)
    return [[7, 'often', 'x']]
  })
  expect((await far(everything, 5000)).rows).toEqual([[7, 'often', 'x']])
  expect(asked).toHaveLength(1)
})

test.each([
  [{ column: 'at', descending: false }],
  [{ column: 'at', descending: true }],
  [{ column: 'rank', descending: false }],
  [{ column: 'rank', descending: true }],
  [],
])('each way finds the same rows in the same order: %j', (...sort) => {
  const { path, catalogue } =
    fileWith(`create table notes (id integer primary key, note text, at text not null, rank int);
    create index notes_at on notes (at, id); create index notes_rank on notes (rank, id); ${INDEXED};
    with recursive seq (i) as (select 1 union all select i + 1 from seq where i < 500)
    insert into notes select i, iif(i % 3, 'often', 'seldom'), i * 7919 % 50, nullif(i * 7919 % 40, 7) from seq`)
  const db = new DatabaseSync(path)
  db.function('alive', () => 1)
  onTestFinished(() => db.close())
  for (const key of [undefined, 100, 333]) {
    const [row] = key === undefined ? [] : db.prepare(`select * from notes where id = ${key}`).all()
    const values = sort.map(({ column }) => row?.[column] as string | number | null)
    const anchor = row && { sort: values, key: [key!] }
    const shape = shapeOf(catalogue, {
      ...{ columns: ['id'], where: often, sort },
      place: anchor ? { at: 'after', anchor } : { at: 'first' },
    })
    const rowsBy = (dialect: typeof guardedDialect, backwards: boolean) => {
      const context = { catalogue, dialect }
      const start = { backwards, ...(anchor && { anchor }) }
      const { text, binds } = statementOf(context, startQuestion(context, shape, start, 51).select)
      return db.prepare(text).all(...(binds as (string | number | null)[]))
    }
    for (const backwards of [false, true]) {
      const planned = rowsBy(guardedDialect, backwards)
      expect(planned).not.toEqual([])
      expect(rowsBy(followingDialect, backwards)).toEqual(planned)
      expect(rowsBy(foundBy('notes_note'), backwards)).toEqual(planned)
    }
  }
})

test('any other failure of the walk is the answer', async () => {
  const { page } = open(() => {
    throw new AppError('BUSY')
  })
  await expect(page(search)).rejects.toMatchObject({ code: 'BUSY' })
})

test.each([
  ['close together', 5, true],
  ['far apart', 2 ** 53, false],
])(
  'a table whose row numbers lie %s is scanned by its pieces: %3$s',
  async (_, last, isInPieces) => {
    const asked: string[] = []
    const { page } = open((text) => {
      asked.push(text)
      if (!text.includes('not indexed')) throw new AppError('QUERY_TIMEOUT')
      return [[7, 'rare', 'x']]
    }, `insert into notes values (1, 'a', ''), (${last}, 'b', '')`)
    await page(search)
    expect(asked[1]?.includes('tablewire_piece')).toBe(isInPieces)
  },
)

test('a condition may name more values than a statement can bind', async () => {
  const { path } = fileWith(
    `${NOTES} insert into notes values (1, 'a', 'x'), (2, 'b', 'y'), (40000, 'c', 'z')`,
  )
  const source = await openSqlite(path)
  onTestFinished(() => source.close())
  const { tables } = await source.describe()
  const values = Array.from({ length: 40_000 }, (_, at) => at + 2)
  const { rows } = await source.page(fullAccess(tables[0]!), {
    columns: ['note'],
    where: { op: 'in', column: 'id', values },
    sort: [{ column: 'id', descending: false }],
    place: { at: 'first' },
    size: 10,
  })
  expect(rows.map((row) => row.values)).toEqual([['b'], ['c']])
})
