/** Selections and exports: counts and sums of chosen rows, and files of them, the same on every engine. */

import readSheets from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import { exportRows } from '../../src/table/actions/export-rows.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import type { Definitions } from '../../src/table/definition/define-table.ts'
import { type ExportChoice, FILE_FORMATS, FIRST_EXPORT } from '../../src/protocol/export.ts'
import { LISTING } from '../../src/table/list/fold.ts'
import type { Selected } from '../../src/protocol/selection.ts'
import type { Grant, Policy } from '../../src/table/source/access.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { LinesPart, RowSource } from '../../src/table/source/row-source.ts'
import { selectedPredicate } from '../../src/table/selection.ts'
import type { Value } from '../../src/table/source/value.ts'
import { sourceWith } from '../source-with.ts'
import { actor } from './actors.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { openBench, writeTo } from './opened.ts'

const ROWS = 1300

/** More rows than one chunk, with equal values and NULLs in the order, and a key of two parts. */
const pairs: FixtureTable = {
  name: 'pairs',
  columns: [
    { name: 'land', type: 'text' },
    { name: 'number', type: 'integer' },
    { name: 'grade', type: 'integer', nullable: true },
    { name: 'note', type: 'text', nullable: true },
  ],
  key: ['land', 'number'],
  rows: Array.from({ length: ROWS }, (_, i): Value[] => [
    i % 2 === 0 ? 'at' : 'a,b',
    i,
    i % 7 === 0 ? null : i % 5,
    i % 3 === 0 ? null : `note ${i}`,
  ]),
}

const kinds: FixtureTable = {
  name: 'kinds',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'words', type: 'text', nullable: true },
    { name: 'whole', type: 'integer', nullable: true },
    { name: 'exact', type: 'decimal', nullable: true },
    { name: 'double', type: 'float', nullable: true },
    { name: 'yes', type: 'boolean', nullable: true },
    { name: 'day', type: 'date', nullable: true },
    { name: 'moment', type: 'datetime', nullable: true },
    { name: 'bytes', type: 'binary', nullable: true },
  ],
  key: ['id'],
  rows: [
    [1, '=1+1', 7, '12.50', 0.5, true, '2024-02-29', '2024-02-29 23:59:58', Uint8Array.of(0, 255)],
    [2, 'two\nlines, "so"', -3, '-0.25', -2.25, false, '1999-12-31', '1999-12-31 00:00:00', null],
    [3, '', 9_007_199_254_740_993n, null, null, null, null, null, Uint8Array.of()],
    [4, null, null, '1.00', 1, null, null, null, null],
  ],
}

/** Names of two parts, and references to rows that are there, are not, or are hidden. */
const people: FixtureTable = {
  name: 'people',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'first_name', type: 'text', nullable: true },
    { name: 'last_name', type: 'text', nullable: true },
    { name: 'team', type: 'text' },
  ],
  key: ['id'],
  rows: [
    [1, 'Ana', 'Berg', 'a'],
    [2, null, null, 'a'],
    [3, '=Eve', 'Hidden', 'b'],
    [4, null, 'Cox', 'a'],
  ],
}

const tasks: FixtureTable = {
  name: 'tasks',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'person_id', type: 'integer', nullable: true },
    { name: 'title', type: 'text', nullable: true },
  ],
  key: ['id'],
  foreignKeys: [{ columns: ['person_id'], table: 'people', references: ['id'] }],
  rows: [
    [1, 1, 'one'],
    [2, 2, 'two'],
    [3, 3, 'three'],
    [4, 4, 'four'],
    [5, null, null],
  ],
}

/** From some, all people of another team are hidden. */
const hiding: Policy = {
  version: '1',
  grant(_actor, { name, columns }) {
    const readable = columns.map((column) => column.name)
    const rows: Predicate =
      name === 'people' ? { op: 'eq', column: 'team', value: 'a' } : everything
    return { actions: ['read'], rows, readable, writable: [] }
  },
}

const LONG = 150_000

/** Short rows, from which nobody can tell how long the others are. */
const files: FixtureTable = {
  name: 'files',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'bytes', type: 'binary', nullable: true },
  ],
  key: ['id'],
  rows: Array.from({ length: 130 }, (_, i): Value[] => [
    i,
    i < 105 || i % 5 === 0 ? null : new Uint8Array(LONG).fill(i),
  ]),
}

const policyOf = (less: Partial<Grant> = {}): Policy => ({
  version: '1',
  grant(_actor, { columns }) {
    const readable = columns.map(({ name }) => name)
    return { actions: ['read'], rows: everything, readable, writable: [], ...less }
  },
})

type Asked = {
  readonly query?: string
  readonly selected?: Selected
  readonly less?: Partial<Grant>
  /** In place of `less`. */
  readonly policy?: Policy
  readonly definitions?: Definitions
} & Partial<ExportChoice>

/** The lines of a file in CSV. */
async function exported(source: RowSource, table: string, asked: Asked = {}): Promise<string[]> {
  const text = (await fileOf(source, table, asked)).toString()
  expect(text.startsWith('\uFEFF')).toBe(true)
  expect(text.endsWith('\r\n')).toBe(true)
  return text.slice(1, -2).split('\r\n')
}

async function fileOf(
  source: RowSource,
  table: string,
  { query = '', selected = [], less, policy = policyOf(less), definitions, ...choice }: Asked,
): Promise<Buffer> {
  const catalog = await createCatalog(source, policy, { ...(definitions && { definitions }) })
  const opened = catalog.open({ ...actor }, table)
  const state = LISTING.parse(new URLSearchParams(query), opened)
  const open = await LISTING.prepare(opened, state, undefined)
  const { signal } = new AbortController()
  const clock = { now: Date.now(), locale: 'en', timeZone: 'UTC' }
  const wanted = { open, state, selected, clock, language: 'en' }
  const file = exportRows(
    LISTING,
    { ...wanted, ...FIRST_EXPORT, columns: 'all', ...choice },
    { source, signal },
  )
  const pieces: Uint8Array[] = []
  for await (const piece of file) pieces.push(piece)
  return Buffer.concat(pieces)
}

export function selectingContract(name: string, open: OpenFixture): void {
  describe(`${name}: a selection`, () => {
    test('of a composite key counts the rows that it names, or all others', async () => {
      const { source } = await openBench(open, { tables: [pairs] })
      const catalog = await createCatalog(source, policyOf())
      const table = catalog.open({ ...actor }, 'pairs')
      const keys = Array.from({ length: 1000 }, (_, i) =>
        table.keys.name([i % 2 === 0 ? 'at' : 'a,b', i + 800]),
      )
      const count = async (selected: Selected) =>
        (await source.count(table.access, selectedPredicate(selected, table))).count
      expect(await count(keys)).toBe(500)
      expect(await count({ except: keys })).toBe(ROWS - 500)
      expect(await count([])).toBe(0)
      expect(await count({ except: [] })).toBe(ROWS)
    })

    test('is added up by the database, exact where the values are', async () => {
      const { source, access } = await openBench(open, { tables: [kinds] })
      const table = await access('kinds')
      const where: Predicate = { op: 'in', column: 'id', values: [1, 2, 4] }
      const sums = await source.sums(table, where, ['whole', 'exact', 'double'])
      expect(sums.map(({ sum, count }) => [Number(sum), count])).toEqual([
        [4, 2],
        [13.25, 3],
        [-0.75, 3],
      ])
      expect((await source.sums(table, everything, ['whole']))[0]!.sum).toBe('9007199254740997')
      expect(await source.sums(table, { op: 'or', all: [] }, ['exact'])).toEqual([
        { sum: null, count: 0 },
      ])
      expect(await source.sums(table, where, [])).toEqual([])
      const hidden = await access('kinds', { readable: ['id'] })
      await expect(source.sums(hidden, everything, ['whole'])).rejects.toMatchObject({
        code: 'TABLE_UNKNOWN_COLUMN',
      })
      const few = await access('kinds', { rows: { op: 'eq', column: 'id', value: 2 } })
      expect((await source.sums(few, everything, ['whole']))[0]).toEqual({ sum: '-3', count: 1 })
    })
  })

  describe(`${name}: an export`, () => {
    test('writes every kind of value exactly, and no formula', async () => {
      const { source } = await openBench(open, { tables: [kinds] })
      const lines = (await exported(source, 'kinds', { query: 'sort=id' })).join('\r\n')
      expect(lines).toContain("1,'=1+1,7,12.5")
      expect(lines).toMatch(/0\.5,true,2024-02-29,2024-02-29T23:59:58[^,]*,0x00ff\r\n/)
      const second =
        /2,"two\nlines, ""so""",-3,-0\.250*,-2\.25,false,1999-12-31,1999-12-31T00:00:00/
      expect(lines).toMatch(second)
      expect(lines).toContain('3,"",9007199254740993,,,,,,0x')
      expect(lines).toMatch(/4,,,1(\.0+)?,1,,,,$/)
    })

    test('has every row once, in the order of the list, over many chunks', async () => {
      const { source } = await openBench(open, { tables: [pairs] })
      for (const sort of ['number', '-number', 'grade,-number', '-grade,land', 'note']) {
        const [head, ...lines] = await exported(source, 'pairs', { query: `sort=${sort}` })
        expect(head).toBe('Land,Number,Grade,Note')
        const numbers = lines.map((line) => Number(/(\d+),\d*,[^,]*$/.exec(line)?.[1]))
        expect(new Set(numbers).size).toBe(ROWS)
        expect(lines).toHaveLength(ROWS)
        const first = Number(pairs.rows && numbers[0])
        if (sort === 'number') expect([first, numbers.at(-1)]).toEqual([0, ROWS - 1])
        if (sort === '-number') expect([first, numbers.at(-1)]).toEqual([ROWS - 1, 0])
        // NULLs come last, and equal grades in the other column's order.
        if (sort === 'grade,-number') expect([first, numbers.at(-1)]).toEqual([1290, 0])
      }
    })

    test('holds the chosen rows that match, or all that match', async () => {
      const { source } = await openBench(open, { tables: [pairs] })
      const of = async (asked: Asked) => (await exported(source, 'pairs', asked)).slice(1)
      const shown = 'sort=number&columns=number,note'
      const query = `search="note 10"&${shown}`
      expect(await of({ query: `search="note 100"&${shown}`, columns: 'shown' })).toEqual([
        ...['100,note 100', '1000,note 1000', '1001,note 1001', '1003,note 1003', '1004,note 1004'],
        ...['1006,note 1006', '1007,note 1007', '1009,note 1009'],
      ])
      const selected = ['at,1000', 'a%2cb,1001', 'at,2', 'at,9999']
      expect(await of({ query, columns: 'shown', selected })).toEqual([
        '1000,note 1000',
        '1001,note 1001',
      ])
      const all = await of({ query, columns: 'shown' })
      expect(await of({ query, columns: 'shown', selected: { except: selected } })).toEqual(
        all.filter((line) => !/^100[01],/.test(line)),
      )
      await expect(of({ selected: ['nonsense'] })).rejects.toMatchObject({ code: 'TABLE_BAD_KEY' })
    })

    test('has neither rows nor columns that are hidden, nor columns that are masked', async () => {
      const { source } = await openBench(open, { tables: [pairs] })
      const less: Partial<Grant> = {
        readable: ['land', 'number', 'grade'],
        masked: [{ column: 'note', by: 'land' }],
        rows: { op: 'eq', column: 'grade', value: 1 },
      }
      const [head, ...lines] = await exported(source, 'pairs', { less })
      expect(head).toBe('Land,Number,Grade')
      expect(lines.every((line) => line.endsWith(',1'))).toBe(true)
      expect(lines).toHaveLength([...pairs.rows].filter(([, , grade]) => grade === 1).length)
      const keys: Selected = ['at,0', 'a%2cb,1', 'at,6']
      expect(await exported(source, 'pairs', { less, selected: keys })).toHaveLength(3)
    })

    test('has no row twice that is changed, inserted or deleted meanwhile, each as it was read', async () => {
      const { source, access } = await openBench(open, { tables: [pairs] })
      const table = await access('pairs')
      const query = {
        columns: ['number', 'note'],
        where: everything,
        sort: [{ column: 'number', descending: false }],
        format: 'csv',
        size: 10,
        bytes: 2 ** 20,
      } as const
      let part = await source.lines(table, { ...query, place: { at: 'first' } })
      const pieces = [...part.pieces]
      const land = (number: number) => (number % 2 === 0 ? 'at' : 'a,b')
      const key = (number: number) => [land(number), number]
      await writeTo(source, table, {
        rows: [
          { update: key(3), set: { note: 'after it was read' } },
          { update: key(15), set: { note: 'before it is read' } },
          { insert: { land: 'at', number: -1, note: 'behind' } },
          { insert: { land: 'at', number: ROWS, note: 'ahead' } },
          // The last row that was read: the next part begins where it was.
          { delete: key(9) },
          { delete: key(16) },
        ],
      })
      while (part.next) {
        part = await source.lines(table, { ...query, place: part.next })
        pieces.push(...part.pieces)
      }
      const lines = Buffer.concat(pieces).toString().split('\r\n').slice(0, -1)
      const numbers = lines.map((line) => Number(line.split(',')[0]))
      const before = Array.from({ length: ROWS + 1 }, (_, i) => i)
      expect(numbers).toEqual(before.filter((number) => number !== 16))
      expect([lines[3], lines[15]]).toEqual(['3,', '15,before it is read'])
      expect(lines.at(-1)).toBe(`${ROWS},ahead`)
    })

    test('reads few long rows at once, however short those before them were', async () => {
      const { source } = await openBench(open, {
        tables: [files],
        views: [{ name: 'seen', of: 'files' }],
      })
      const parts: LinesPart[] = []
      const seen = new Proxy(source, {
        get(target, name) {
          if (name === 'lines')
            return async (...asked: Parameters<RowSource['lines']>) => {
              const part = await target.lines(...asked)
              parts.push(part)
              return part
            }
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      for (const table of ['seen', 'files']) {
        parts.length = 0
        const lines = (await exported(seen, table, { query: 'sort=id' })).slice(1)
        expect(lines.map((line) => line.length)).toEqual(
          [...files.rows].map(
            ([id, bytes]) => `${String(id)},`.length + (bytes === null ? 0 : 2 + 2 * LONG),
          ),
        )
      }
      const lengths = parts.map(({ pieces }) => pieces.reduce((sum, { length }) => sum + length, 0))
      // Of the table, which is the last: four times the limit of bytes, each of which is two digits, and the rows at its ends.
      expect(Math.max(...lengths)).toBeLessThan(4 * 2 * 2 ** 18 + 2 * 2 * LONG)
    })

    test('asks the source for no column that is masked or hidden', async () => {
      const { source, access } = await openBench(open, { tables: [pairs] })
      const less = await access('pairs', {
        readable: ['land', 'number'],
        masked: [{ column: 'note', by: 'land' }],
      })
      for (const column of ['note', 'grade', 'nowhere'])
        await expect(
          source.lines(less, {
            format: 'csv',
            columns: ['number', column],
            where: everything,
            sort: [],
            size: 10,
            bytes: 2 ** 20,
            place: { at: 'first' },
          }),
        ).rejects.toMatchObject({ code: 'TABLE_UNKNOWN_COLUMN' })
    })

    test('has in JSON and in a workbook the very values', async () => {
      const { source } = await openBench(open, { tables: [kinds] })
      const query = 'sort=id'
      const json = await fileOf(source, 'kinds', { query, format: 'json' })
      const [one, two, three, four] = JSON.parse(json.toString()) as Record<string, unknown>[]
      expect(one).toMatchObject({ id: 1, words: '=1+1', whole: 7, double: 0.5, yes: true })
      expect(one).toMatchObject({ exact: expect.stringMatching(/^12\.50*$/), day: '2024-02-29' })
      expect(one).toMatchObject({
        moment: expect.stringContaining('2024-02-29T23:59:58'),
        bytes: 'AP8=',
      })
      expect(two).toMatchObject({ words: 'two\nlines, "so"', yes: false, bytes: null })
      expect(three).toMatchObject({ words: '', whole: '9007199254740993', bytes: '' })
      expect(four).toMatchObject({ words: null, whole: null, yes: null, day: null })

      const sheets = await readSheets(await fileOf(source, 'kinds', { query, format: 'xlsx' }))
      expect(sheets.map(({ sheet }) => sheet)).toEqual(['Kinds'])
      const [head, ...rows] = sheets[0]!.data
      expect(head?.slice(0, 4)).toEqual(['ID', 'Words', 'Whole', 'Exact'])
      const day = new Date('2024-02-29')
      const moment = new Date('2024-02-29T23:59:58Z')
      expect(rows[0]).toEqual([1, '=1+1', 7, 12.5, 0.5, true, day, moment, '0x00ff'])
      expect(rows[1]?.slice(0, 6)).toEqual([2, 'two\nlines, "so"', -3, -0.25, -2.25, false])
      // The reader makes no difference between an empty text and an empty cell.
      expect(rows[2]?.slice(0, 4)).toEqual([3, null, '9007199254740993', null])
      expect(rows[3]?.slice(0, 5)).toEqual([4, null, null, 1, 1])
    })

    test('has every row once in a workbook, in the order of the list, though some are deleted meanwhile', async () => {
      const { source, access } = await openBench(open, { tables: [pairs] })
      const table = await access('pairs')
      let asked = 0
      const deleting = sourceWith(source, {
        async lines(...query) {
          const part = await source.lines(...query)
          // The last row that was read, after which the next part begins.
          if (++asked === 1) await writeTo(source, table, { rows: [{ delete: ['a,b', 99] }] })
          return part
        },
      })
      const file = await fileOf(deleting, 'pairs', { query: 'sort=number', format: 'xlsx' })
      const [sheet] = await readSheets(file)
      const numbers = sheet!.data.slice(1).map(([, number]) => number)
      expect(numbers).toEqual(Array.from({ length: ROWS }, (_, i) => i))
    })

    test.each(FILE_FORMATS)(
      'goes on in %s where the row at which it stopped is deleted',
      async (format) => {
        const { source, access } = await openBench(open, { tables: [pairs] })
        const table = await access('pairs')
        const sort = [{ column: 'number', descending: false }]
        const query = { format, columns: ['number'], where: everything, sort, bytes: 2 ** 20 }
        const one = await source.lines(table, {
          ...query,
          size: 1,
          place: { at: 'first' },
          first: 0,
        })
        await writeTo(source, table, { rows: [{ delete: ['at', 0] }] })
        const three = await source.lines(table, { ...query, size: 3, place: one.next!, first: 1 })
        expect([three.rows, three.next !== undefined]).toEqual([3, true])
        const written = Buffer.concat([...one.pieces, ...three.pieces]).toString()
        const numbers = {
          csv: () => written.trim().split('\r\n').map(Number),
          json: () => (JSON.parse(`[${written}]`) as { number: number }[]).map((row) => row.number),
          xlsx: () =>
            [...written.matchAll(/<row r="(\d+)">.*?<v>(\d+)/g)].map(([, at, value]) => {
              expect(Number(at)).toBe(Number(value) + 2)
              return Number(value)
            }),
        }
        expect(numbers[format]()).toEqual([0, 1, 2, 3])
      },
    )

    test('names related rows beside their keys, or in their place, as far as they may be seen', async () => {
      const { source } = await openBench(open, { tables: [people, tasks] })
      const definitions: Definitions = {
        people: { labelColumn: ['first_name', 'last_name'] },
      }
      const of = (asked: Asked) =>
        exported(source, 'tasks', { query: 'sort=id', definitions, ...asked })
      expect(await of({ references: 'both' })).toEqual([
        'ID,Person,"Person, name",Title',
        ...['1,1,Ana Berg,one', '2,2,,two', "3,3,'=Eve Hidden,three", '4,4,Cox,four', '5,,,'],
      ])
      expect((await of({ references: 'names' })).slice(1)).toEqual([
        ...['1,Ana Berg,one', '2,2,two', "3,'=Eve Hidden,three", '4,Cox,four', '5,,'],
      ])
      // A hidden row and one without a name look alike.
      const less = {
        policy: hiding,
        columns: 'shown',
        query: 'sort=-id&columns=person_id',
      } as const
      expect((await of({ ...less, references: 'names' })).slice(1)).toEqual([
        '',
        'Cox',
        '3',
        '2',
        'Ana Berg',
      ])
      const json = await fileOf(source, 'tasks', { ...less, references: 'both', format: 'json' })
      expect(JSON.parse(json.toString())[2]).toEqual({ person_id: 3, 'person_id.name': null })
    })

    test('reads what has no key to its end, too', async () => {
      const { source } = await openBench(open, {
        tables: [pairs],
        views: [{ name: 'seen', of: 'pairs' }],
      })
      const lines = (await exported(source, 'seen', { query: 'sort=number' })).slice(1)
      expect(lines).toHaveLength(ROWS)
      expect(new Set(lines).size).toBe(ROWS)
    })
  })
}
