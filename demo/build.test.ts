/** Checks the demo's promises: real rows, valid references, nothing random. */

import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDemo } from './build.ts'
import { parseCsv } from './csv.ts'
import { addMillion } from './million.ts'
import { orderOf } from './orders.ts'

const folder = mkdtempSync(join(tmpdir(), 'tablewire-demo-'))
const file = join(folder, 'demo.sqlite')
let db: DatabaseSync

beforeAll(() => {
  buildDemo(file)
  db = new DatabaseSync(file, { readOnly: true })
})

afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

/** The one column of a query's rows. */
function values(sql: string, from = db): unknown[] {
  const rows = from.prepare(sql).all()
  return rows.flatMap((row) => Object.values(row))
}

function tableNames(from = db): string[] {
  return values("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", from).map(
    String,
  )
}

function contentHash(from: DatabaseSync): string {
  const hash = createHash('sha256')
  for (const name of tableNames(from)) {
    for (const row of from.prepare(`SELECT * FROM ${name}`).iterate()) {
      hash.update(JSON.stringify(row))
    }
  }
  return hash.digest('hex')
}

function withDatabase<T>(path: string, use: (db: DatabaseSync) => T): T {
  const other = new DatabaseSync(path)
  try {
    return use(other)
  } finally {
    other.close()
  }
}

describe('the demo', () => {
  test.each([
    ['airports', 3_376],
    ['operators', 46],
    ['species', 49],
    ['aircraft_types', 225],
    ['reporters', 40],
    ['strikes', 10_000],
    ['strike_events', 30_489],
    ['comments', 2_936],
    ['damage_reports', 1_061],
    ['airport_operators', 840],
    ['routes', 5_366],
    ['inspections', 24],
    ['inspection_strikes', 52],
  ])('has in %s %i rows', (table, rows) => {
    expect(values(`SELECT count(*) FROM ${table}`)).toEqual([rows])
  })

  test('is sound, and every reference holds', () => {
    expect(values('PRAGMA integrity_check')).toEqual(['ok'])
    expect(values('PRAGMA foreign_key_check')).toEqual([])
  })

  test('is the same at every build', () => {
    const second = join(folder, 'second.sqlite')
    buildDemo(second)
    expect(withDatabase(second, contentHash)).toBe(contentHash(db))
  })

  test('knows how many rows each table has, for estimates', () => {
    const analyzed = values('SELECT DISTINCT tbl FROM sqlite_stat1 ORDER BY tbl')
    expect(analyzed).toEqual(tableNames().filter((name) => !name.startsWith('sqlite_')))
  })

  test.each([
    ['speed_kt', 2_836],
    ['airport_id', 435],
    ['cost_total_usd', 1_305],
  ])('leaves %s out where the report does', (column, nulls) => {
    expect(values(`SELECT count(*) FROM strikes WHERE ${column} IS NULL`)).toEqual([nulls])
  })

  test('has the name of the one airport that the airport file lacks', () => {
    const names = values('SELECT DISTINCT airport_name FROM strikes WHERE airport_id IS NULL')
    expect(names).toEqual(['Barksdale Air Force Base'])
  })

  test('queues the inspections from 1 to n, in another order than they came', () => {
    const positions = values('SELECT position FROM inspections ORDER BY position')
    expect(positions).toEqual(Array.from({ length: 24 }, (_, index) => index + 1))
    expect(values('SELECT id FROM inspections ORDER BY position')).not.toEqual(positions)
  })

  test('ends every trail of events at the status of its strike, before the office’s today', () => {
    const astray = values(`SELECT strikes.id FROM strikes WHERE status IS NOT (
      SELECT to_status FROM strike_events WHERE strike_id = strikes.id ORDER BY happened_at DESC)`)
    expect(astray).toEqual([])
    expect(values("SELECT count(*) FROM strike_events WHERE happened_at > '2002-08-02'")).toEqual([
      0,
    ])
  })

  test('has views that answer', () => {
    expect(values('SELECT sum(strikes) FROM strikes_by_month')).toEqual([10_000])
    expect(values('SELECT count(*) FROM costly_strikes')).toEqual([131])
  })

  test('replaces what stood there, leaves no draft behind, and makes a folder that others may not read', () => {
    const other = join(folder, 'other', 'demo.sqlite')
    buildDemo(other)
    writeFileSync(other, 'not a database')
    writeFileSync(`${other}-wal`, 'left over')
    buildDemo(other)
    expect(readdirSync(join(folder, 'other'))).toEqual(['demo.sqlite'])
    expect(withDatabase(other, contentHash)).toBe(contentHash(db))
    // The secret comes to lie beside it.
    expect(statSync(join(folder, 'other')).mode & 0o077).toBe(0)
  })
})

describe('the million', () => {
  const small = join(folder, 'small.sqlite')

  function build(rows: number): string {
    addMillion(small, rows)
    return withDatabase(small, contentHash)
  }

  test('gives the same rows for the same number, and replaces the ones before', () => {
    const first = build(2_000)
    expect(build(500)).not.toBe(first)
    expect(build(2_000)).toBe(first)
    const counts = withDatabase(small, (other) =>
      values('SELECT count(*) FROM orders UNION ALL SELECT count(*) FROM customers', other),
    )
    expect(counts).toEqual([2_000, 2_000])
  })

  test('has sound references, checked statuses and the indexes of the reference', () => {
    build(2_000)
    withDatabase(small, (other) => {
      expect(values('PRAGMA foreign_key_check', other)).toEqual([])
      expect(() => other.exec("UPDATE orders SET status = 'lost'")).toThrow('CHECK')
      const sql = values("SELECT sql FROM sqlite_schema WHERE type = 'index'", other)
      const columns = sql.map((text) => String(text).replace(/.* ON /, ''))
      expect(columns.toSorted()).toEqual([
        'orders (customer_id, id)',
        'orders (placed_at, id)',
        'orders (placed_at, total, id)',
        'orders (position, id)',
        'orders (status, id)',
      ])
      expect(values("SELECT stat FROM sqlite_stat1 WHERE idx = 'orders_status'", other)).toEqual([
        '2000 400 1',
      ])
    })
  })

  test('counts as the reference measurements do: 10,787 orders in their range at a million', () => {
    let inRange = 0
    for (let id = 1; id <= 1_000_000; id += 1) {
      const [, , , total, placedAt] = orderOf(id, 100_000)
      const inQuarter = placedAt >= '2023-01-01' && placedAt < '2023-04-01'
      if (inQuarter && total >= 100 && total <= 500) inRange += 1
    }
    expect(inRange).toBe(10_787)
  })

  test('reports its work up to the whole', () => {
    const reports: number[] = []
    addMillion(small, 20_000, (done, total) => reports.push(done / total))
    expect(reports).toEqual(reports.toSorted((a, b) => a - b))
    expect(reports.at(-1)).toBe(1)
  })

  test.each([0, -1, 1.5, NaN])('refuses %d rows', (rows) => {
    expect(() => addMillion(small, rows)).toThrow(RangeError)
  })
})

describe('comma-separated text', () => {
  test('may hold quoted commas and quotes', () => {
    const text = 'code,name,state\r\nDBN,"W. H. ""Bud"" Barron, Field",\r\nATL,Hartsfield,GA'
    expect(parseCsv(text)).toEqual([
      { code: 'DBN', name: 'W. H. "Bud" Barron, Field', state: '' },
      { code: 'ATL', name: 'Hartsfield', state: 'GA' },
    ])
  })

  test('names the line that has too few cells', () => {
    expect(() => parseCsv('a,b\n1,2\n3')).toThrow('Line 3 has 1 cells, not 2')
  })
})
