/** One admin on two nodes, in two browsers: what is saved at one appears at the other, without a reload. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Admin } from '../../src/admin/compose/admin-options.ts'
import { createAdmin } from '../../src/admin/compose/create-admin.ts'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import { REDIS } from '../contracts/servers.ts'
import { openLive } from './live-list.ts'
import { collectComplaints, type Office, openOffice } from './office.ts'
import { keysOn } from './shown-rows.ts'

const live = { live: true, bus: REDIS.href, write: true }

let office: Office
let other: Admin
let otherOrigin: string

beforeAll(async () => {
  office = await openOffice((file) => {
    const made = new DatabaseSync(file)
    made.exec(`pragma journal_mode = wal;
      create table tasks (id integer primary key, title text not null, position integer);
      create index tasks_position on tasks (position, id);
      insert into tasks values (1, 'Wing', 10), (2, 'Door', 20), (3, 'Nose', 30)`)
    made.close()
  }, live)
  other = await createAdmin({
    ...live,
    source: await openSqlite(join(office.folder, 'demo.sqlite')),
    dataFolder: join(office.folder, 'data'),
  })
  otherOrigin = await other.app.listen({ host: '127.0.0.1', port: 0 })
}, 240_000)
afterAll(async () => {
  await other.close()
  await office.close()
})

test('an order that is saved at one node is seen at the other, without a reload', async () => {
  // The cookie is the host's, whichever the port.
  const [here, there] = [
    await openLive(office, `${office.origin}/tables/tasks`),
    await openLive(office, `${otherOrigin}/tables/tasks`),
  ]
  const complaints = [here, there].map(collectComplaints)
  expect(new URL(here.url()).port).not.toBe(new URL(there.url()).port)
  await there.evaluate(() => Object.assign(window, { mark: 1 }))
  await expect.poll(() => keysOn(there)).toEqual(['1', '2', '3'])
  await here.getByRole('button', { name: 'Reorder', exact: true }).click()
  // To the top.
  await here.getByRole('button', { name: 'Move Nose' }).press('t')
  await here.getByRole('button', { name: 'Save order' }).click()
  await expect.poll(() => keysOn(there)).toEqual(['3', '1', '2'])
  await expect.poll(() => there.evaluate(() => 'mark' in window)).toBe(true)
  expect(complaints).toEqual([[], []])
  await here.context().close()
  await there.context().close()
})
