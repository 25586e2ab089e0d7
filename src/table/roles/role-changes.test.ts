/** Random changes by somebody whose role has some rows and columns: all else stays as it is. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doorTo } from '../../../test/door-to.ts'
import { runs } from '../../../test/tier.ts'
import { rolePolicy } from '../../admin/accounts/roles.ts'
import { openSqlite } from '../../database/sqlite/open.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { type Catalog, createCatalog } from '../catalog.ts'
import type { ChangeDoor } from '../changes/door.ts'
import type { RowSource } from '../source/row-source.ts'
import { everything } from '../source/predicate.ts'
import type { Changes } from '../source/write-unit.ts'
import type { Roles } from './role.ts'

type Shop = {
  orders: {
    id: number
    region: string
    status: string | null
    notes: string | null
    margin: number
  }
}

const roles: Roles<Shop> = {
  support: {
    tables: {
      orders: {
        read: ['region', 'status', 'notes'],
        create: ['region', 'status'],
        update: ['region', 'notes'],
        delete: true,
        rows: { op: 'eq', column: 'region', value: ({ actor }) => actor.name },
      },
    },
  },
}

const sam: Actor = { id: 'sam', name: 'south', email: '', role: 'support' }

let folder: string
let database: DatabaseSync
let source: RowSource
let catalog: Catalog
let door: ChangeDoor

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-role-changes-'))
  const file = join(folder, 'shop.sqlite')
  database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = wal;
    create table orders (id integer primary key, region text not null, status text, notes text,
      margin integer not null default 7)`)
  source = await openSqlite(file, { readOnly: false })
  catalog = await createCatalog(source, rolePolicy, { roles })
  door = doorTo(source, () => catalog)
})
afterAll(async () => {
  await source.close()
  database.close()
  rmSync(folder, { recursive: true })
})

type Order = Shop['orders']

function fill(): void {
  database.exec('delete from orders')
  for (let id = 1; id <= 8; id++)
    database
      .prepare('insert into orders values (?, ?, ?, ?, ?)')
      .run(id, id % 2 ? 'south' : 'north', 'open', `note ${id}`, id)
}

const all = (): Map<number, Order> =>
  new Map(
    // The table has these columns.
    (database.prepare('select * from orders').all() as Order[]).map((row) => [row.id, row]),
  )

const id = fc.integer({ min: 1, max: 9 })
const values = fc.record(
  {
    region: fc.constantFrom('south', 'north'),
    status: fc.constantFrom('open', 'paid', null),
    notes: fc.constantFrom('new', null),
    margin: fc.integer({ min: 0, max: 3 }),
    id: fc.integer({ min: 20, max: 22 }),
  },
  { requiredKeys: [] },
)
/** What is allowed, so that more than refusals are tried. */
const allowed = fc.record(
  { region: fc.constant('south'), notes: fc.constantFrom('new', null) },
  { requiredKeys: [] },
)
const some = fc.oneof(allowed, values)
const row = fc.oneof(
  some.map((insert) => ({ insert })),
  fc
    .record({ region: fc.constant('south'), status: fc.constant('open') })
    .map((insert) => ({ insert })),
  fc.tuple(id, some).map(([key, set]) => ({ update: [key], set })),
  id.map((key) => ({ delete: [key] })),
)
const change: fc.Arbitrary<Changes> = fc.oneof(
  fc.array(row, { minLength: 1, maxLength: 2 }).map((rows) => ({ rows })),
  fc
    .tuple(fc.uniqueArray(id, { minLength: 1, maxLength: 3 }), some)
    .map(([keys, set]) => ({ sets: [{ in: keys.map((key) => [key]), where: everything, set }] })),
)

test('nothing but rows and columns of the role changes, and rows stay in it', async () => {
  let written = 0
  await fc.assert(
    fc.asyncProperty(change, async (asked) => {
      fill()
      const before = all()
      const outcome = await door
        .save(sam, { door: 'code', tables: [{ table: 'orders', ...asked }] })
        .catch((error: unknown) => {
          if (error instanceof AppError) return { status: 'refused' }
          throw error
        })
      const after = all()
      if (outcome.status !== 'done') {
        expect(after).toEqual(before)
        return
      }
      written++
      for (const [key, now] of after) {
        const was = before.get(key)
        if (!was) expect(now).toEqual({ ...now, region: 'south', notes: null, margin: 7 })
        else if (JSON.stringify(was) !== JSON.stringify(now)) {
          expect([was.region, now.region]).toEqual(['south', 'south'])
          expect(now).toEqual({ ...was, notes: now.notes })
        }
      }
      for (const [key, was] of before) if (!after.has(key)) expect(was.region).toBe('south')
    }),
    { numRuns: runs(400, 80) },
  )
  expect(written).toBeGreaterThan(runs(400, 80) / 10)
})
