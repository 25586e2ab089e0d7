/** Finding records over all tables: what is found first, what stays hidden, and when it ends. */

import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { type Hidden, policyHiding } from '../../../test/hiding-policy.ts'
import { admin } from '../../../test/table-of.ts'
import { AppError } from '../../server/app-error.ts'
import { createCatalog } from '../catalog.ts'
import type { RowSource } from '../source/row-source.ts'
import type { Schema, Table } from '../source/schema.ts'
import { type FindLimits, findRecords } from './find-records.ts'

const DATABASE = `
  create table airports (code text primary key not null, name text not null, state text);
  insert into airports values ('MEM', 'Memphis Intl', 'TN'), ('STL', 'St Louis', 'MO'),
    ('17', 'Runway Seventeen', 'KS');
  create table species (id integer primary key, name text not null);
  create unique index species_name on species (name);
  insert into species select value, 'Gull ' || value from
    (with recursive n (value) as (values (1) union all select value + 1 from n where value < 40) select value from n);
  insert into species values (98, 'Owl, memphian'), (99, 'memory gull');
  create table parts (id integer primary key, name text, serial text unique, batch text);
  insert into parts values (1, 'Fan blade', 'FB-2046', 'x'), (2, 'Fan disk', 'FD-17', 'fb-2046'), (3, 'Fan case', null, null);
  create table clients (id integer primary key, name text, email text, phone text);
  insert into clients values (1, 'Olga', 'olga.hoffmann19@mail.example', '+49 590 4244951'), (2, 'Hoffmann AG', 'info@ag.example', null),
    (3, 'Uwe', 'uwe@mail.example', '+49 111 222333');
  create table readings (taken_on text, size integer);
  insert into readings values ('2026-01-01', 17);
`

let data: OpenDataFile
let sqlite: RowSource

beforeAll(async () => {
  data = await openDataFile(DATABASE, {})
  sqlite = data.source
})
afterAll(() => data.close())

type Options = {
  hidden?: Hidden
  source?: RowSource
  signal?: AbortSignal
  limits?: Partial<FindLimits>
}

const NAMES = ['airports', 'species', 'readings', 'parts', 'clients', 'nowhere']

async function find(text: string, options: Options = {}) {
  const { hidden = {}, source = sqlite, limits = {} } = options
  const catalog = await createCatalog(source, policyHiding(hidden))
  const signal = options.signal ?? new AbortController().signal
  // The machine may be busy; only tests of time limits have short ones.
  const patient = { queryMs: 60_000, totalMs: 60_000, ...limits }
  const asked = { source, catalog, actor: admin, tables: NAMES, signal, limits: patient }
  const found = await findRecords(asked, text)
  return {
    ...found,
    texts: found.records.map(
      ({ open, key, label }) => `${open.access.table.name} ${key}: ${label}`,
    ),
    skipped: found.skipped.map(({ access }) => access.table.name),
  }
}

/** The source with what a test replaces. */
const wrapped = (over: Partial<RowSource>): RowSource => {
  const bound = (name: string | symbol) => {
    const value: unknown = Reflect.get(sqlite, name)
    return typeof value === 'function' ? (value.bind(sqlite) as unknown) : value
  }
  return new Proxy(sqlite, {
    get: (_, name) => (Object.hasOwn(over, name) ? Reflect.get(over, name) : bound(name)),
  })
}

/** The source with tables that are described otherwise. */
const described = (change: (table: Table) => Partial<Table>) =>
  wrapped({
    async describe(run): Promise<Schema> {
      const schema = await sqlite.describe(run)
      return { ...schema, tables: schema.tables.map((table) => ({ ...table, ...change(table) })) }
    },
  })

describe('finds', () => {
  test('a record by its key before all others, and by the beginning before the middle', async () => {
    expect((await find('17')).texts).toEqual([
      'airports 17: Runway Seventeen',
      'species 17: Gull 17',
    ])
    expect((await find(' mem ')).texts).toEqual([
      'airports MEM: Memphis Intl',
      'species 99: memory gull',
      'species 98: Owl, memphian',
    ])
    expect((await find('mem')).isPartial).toBe(false)
  })

  test('a record by its code, in any usual spelling, before all that is found by name', async () => {
    for (const spelled of ['FB-2046', 'fb-2046']) {
      const { records, texts } = await find(spelled)
      expect(texts).toEqual(['parts 1: Fan blade'])
      expect(records[0]?.code).toMatchObject({ column: { name: 'serial' }, value: 'FB-2046' })
    }
    // A part of a code is none.
    expect((await find('FB-20')).texts).toEqual([])
  })

  test('people by a part of an email or a phone number, after those who are called so', async () => {
    const { records, texts } = await find('hoffmann')
    expect(texts).toEqual(['clients 2: Hoffmann AG', 'clients 1: Olga'])
    const email = { column: { name: 'email' }, value: 'olga.hoffmann19@mail.example' }
    expect(records.map(({ code }) => code)).toEqual([null, expect.objectContaining({})])
    expect(records[1]?.code).toMatchObject(email)
    expect((await find('424495')).texts).toEqual(['clients 1: Olga'])
    // Three signs are in too many.
    expect((await find('495')).texts).toEqual([])
  })

  test('what is named by itself before the many rows that bear its name, each with its day', async () => {
    const strikes = await openDataFile(
      `create table strikes (id integer primary key, airport_name text not null, struck_on date);
       insert into strikes values ${Array.from({ length: 9 }, (_, at) => `(${at + 1}, 'Memphis Intl', '2026-11-1${at}')`).join()};
       create table airports (code text primary key not null, name text not null);
       insert into airports values ('MEM', 'Memphis International'), ('X', 'New Memphis');`,
      {},
    )
    onTestFinished(() => strikes.close())
    const catalog = await createCatalog(strikes.source, policyHiding({}), {
      definitions: { strikes: { labelColumn: 'airport_name' } },
    })
    const { signal } = new AbortController()
    const asked = { source: strikes.source, catalog, actor: admin, signal }
    const limits = { queryMs: 60_000, totalMs: 60_000 }
    const tables = ['strikes', 'airports']
    const { records } = await findRecords({ ...asked, tables, limits }, 'memphis')
    expect(records.map(({ label, moment }) => [label, moment])).toEqual([
      ['Memphis International', null],
      ['New Memphis', null],
      ...[10, 11, 12, 13, 14].map((day) => ['Memphis Intl', `2026-11-${day}`]),
    ])
  })

  test('nothing for an empty text, and nothing in tables whose rows have no page', async () => {
    expect((await find('  ')).texts).toEqual([])
    expect((await find('2026')).texts).toEqual([])
  })

  test('no more of a table, and no more in all, than is wanted', async () => {
    expect((await find('gull')).texts).toHaveLength(5)
    expect((await find('l', { limits: { total: 4 } })).texts).toHaveLength(4)
    expect((await find('17', { limits: { byKey: 1 } })).texts[0]).toContain('17')
  })
})

describe('under a policy', () => {
  test('finds nothing in hidden tables', async () => {
    const { texts } = await find('mem', { hidden: { tables: ['species'] } })
    expect(texts).toEqual(['airports MEM: Memphis Intl'])
  })

  test('does not search hidden labels, nor show them', async () => {
    const hidden = { columns: ['name'] }
    expect((await find('memory', { hidden })).texts).toEqual([])
    const { texts } = await find('98', { hidden })
    expect(texts.join()).toContain('species 98: ')
    expect(texts.join()).not.toContain('Owl')
  })

  test('finds no hidden row, by key, code or label, and nothing by a hidden code', async () => {
    const parts = { parts: { op: 'eq', column: 'id', value: 2 } } satisfies Hidden['rows']
    expect((await find('FB-2046', { hidden: { rows: parts } })).texts).toEqual([])
    expect((await find('FB-2046', { hidden: { columns: ['serial'] } })).texts).toEqual([])
    const contacts = await find('hoffmann', { hidden: { columns: ['email'] } })
    expect(contacts.texts).toEqual(['clients 2: Hoffmann AG'])
    const rows = { species: { op: 'lt', column: 'id', value: 50 } } satisfies Hidden['rows']
    expect((await find('98', { hidden: { rows } })).texts).toEqual([])
    expect((await find('memory', { hidden: { rows } })).texts).toEqual([])
  })
})

describe('in a large table', () => {
  const large = (indexes?: []) =>
    described(({ name }) =>
      name === 'species' ? { estimate: 5_000_000, ...(indexes && { indexes, uniques: [] }) } : {},
    )

  test('finds beginnings by an index, whatever their case', async () => {
    expect((await find('GULL 3', { source: large() })).texts).toContain('species 3: Gull 3')
    expect((await find('mem', { source: large() })).texts).not.toContain(
      'species 98: Owl, memphian',
    )
  })

  test('finds keys alone where no index serves, and says so', async () => {
    const found = await find('gull 3', { source: large([]) })
    expect([found.texts, found.skipped]).toEqual([[], ['species']])
    expect((await find('3', { source: large([]) })).texts).toContain('species 3: Gull 3')
  })

  test('finds codes by their index, and only by it', async () => {
    const asked: string[] = []
    const huge = described(({ name }) => (name === 'parts' ? { estimate: 10_000_000 } : {}))
    const source = new Proxy(huge, {
      get: (target, name) =>
        name === 'page'
          ? (...[access, query, run]: Parameters<RowSource['page']>) => {
              if (access.table.name === 'parts')
                asked.push(
                  `${query.where && 'op' in query.where && query.where.op} by ${query.sort[0]?.column}`,
                )
              return sqlite.page(access, query, run)
            }
          : Reflect.get(target, name),
    })
    const found = await find('fd-17', { source })
    expect([found.texts, found.skipped]).toEqual([['parts 2: Fan disk'], ['parts']])
    expect(asked).toEqual(['in by serial'])
  })
})

describe('a table that does not answer', () => {
  const endless = (run: { signal?: AbortSignal } = {}) =>
    new Promise<never>((_, reject) => {
      const { signal } = run
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
  const slow = () =>
    wrapped({
      page: (access, query, run) =>
        access.table.name === 'species' ? endless(run) : sqlite.page(access, query, run),
    })

  test('keeps the answer waiting no longer than the limit', async () => {
    const limit = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    onTestFinished(() => void vi.restoreAllMocks())
    const answered: string[] = []
    const page: RowSource['page'] = async (access, query, run) => {
      if (access.table.name === 'species') return endless(run)
      const rows = await sqlite.page(access, query, run)
      answered.push(access.table.name)
      return rows
    }
    const asked = find('mem', { source: wrapped({ page }) })
    await vi.waitUntil(() => answered.includes('airports'))
    limit.abort(new DOMException('', 'TimeoutError'))
    const found = await asked
    expect(found.isPartial).toBe(true)
    expect(found.texts).toContain('airports MEM: Memphis Intl')
  })

  test.each(['QUERY_TIMEOUT', 'BUSY', 'DATABASE_REFUSED'] as const)(
    'is left out after %s',
    async (code) => {
      const page: RowSource['page'] = (access, query, run) =>
        access.table.name === 'species'
          ? Promise.reject(new AppError(code))
          : sqlite.page(access, query, run)
      const found = await find('mem', { source: wrapped({ page }) })
      expect([found.isPartial, found.texts]).toEqual([true, ['airports MEM: Memphis Intl']])
    },
  )

  test('is no longer asked once the person has typed on', async () => {
    const stop = new AbortController()
    const asked = find('mem', { source: slow(), signal: stop.signal })
    stop.abort(new Error('typed on'))
    await expect(asked).rejects.toThrow('typed on')
  })

  test('passes on that the database is gone', async () => {
    const page = () => Promise.reject(new AppError('DATABASE_UNAVAILABLE'))
    await expect(find('mem', { source: wrapped({ page }) })).rejects.toThrow('does not answer')
  })
})

test('searches no more tables at the same time than it may', async () => {
  let [now, most] = [0, 0]
  const page: RowSource['page'] = async (...args) => {
    most = Math.max(most, ++now)
    return sqlite.page(...args).finally(() => now--)
  }
  await find('mem', { source: wrapped({ page }), limits: { concurrently: 1 } })
  expect(most).toBe(1)
})
