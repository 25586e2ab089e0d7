/** The board without a browser: `node --test`. */

import { deepEqual, equal, rejects } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { openSqlite } from 'tablewire'
import { sourceServices, testComponent } from 'tablewire/testing'
import { board } from './board.ts'
import { makeQueue } from './queue.ts'
import { summary } from './summary.ts'

const actor = { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'viewer' } as const
const folder = mkdtempSync(join(tmpdir(), 'board-'))
const file = join(folder, 'queue.sqlite')
makeQueue(file)
const source = await openSqlite(file)
const services = await sourceServices(source)
after(async () => {
  await source.close()
  rmSync(folder, { recursive: true })
})

const open = () => testComponent(board, { actor, services })
const sizes = (view: Awaited<ReturnType<typeof open>>['view']) =>
  view.lanes.map(({ name, cards }) => [name, cards.length])

test('has a lane for each state, in the order of the queue', async () => {
  const page = await open()
  deepEqual(sizes(page.view), [
    ['waiting', 5],
    ['scheduled', 3],
    ['in progress', 2],
    ['blocked', 2],
  ])
  equal(page.view.lanes[2]?.cards[0]?.airport, 'JFK')
})

test('a poll shows what has changed, and nothing where nothing has', async () => {
  const page = await open()
  await page.refresh()
  deepEqual(page.effects, {})
  const database = new DatabaseSync(file)
  database.exec("update inspections set state = 'scheduled' where airport = 'ORD'")
  await page.refresh()
  equal(page.view.lanes[1]?.cards.at(-1)?.airport, 'ORD')
  database.exec("update inspections set state = 'blocked' where airport = 'ORD'")
  database.close()
})

test('shows one priority, and one inspection in detail', async () => {
  const page = await open()
  await page.set({ priority: 'urgent' })
  equal(page.view.lanes.flatMap(({ cards }) => cards).length, 3)
  await page.call.choose(1)
  equal(page.view.chosen?.airport, 'JFK')
})

test('knows which inspection is to be done next', async () => {
  const page = await open()
  equal(await page.call.next(), 6)
})

test('tells how much was kept for the next shift, and locks the rest', async () => {
  const page = await open()
  await page.set({ note: 'Gulls at dusk.' })
  await page.call.keep()
  const kept = { characters: 14, remindAt: '' }
  deepEqual(page.effects.dispatches, [{ name: 'kept', detail: kept }])
  await rejects(page.set({ chosen: 1 }), { code: 'PROPERTY_LOCKED' })
})

test('reminds at a moment, and at nothing else', async () => {
  const page = await open()
  await page.set({ remindAt: '2002-08-06 05:30' })
  await page.call.keep()
  const kept = { characters: 0, remindAt: '2002-08-06 05:30' }
  deepEqual(page.effects.dispatches, [{ name: 'kept', detail: kept }])
  await page.set({ remindAt: '2002-02-30 05:30' })
  deepEqual(page.effects.errors, { remindAt: ['This is no date and time.'] })
})

test('counts by priority', async () => {
  const page = await testComponent(summary, { actor, services })
  deepEqual(page.view.toSorted((a, b) => a.count - b.count)[0], { priority: 'low', count: 2 })
})
