/** The tally without a browser: `node --test`. */

import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { testComponent } from 'tablewire/testing'
import { tally } from './tally.ts'

const actor = { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'editor' } as const
const params = { of: 'North gate', start: 3 }

test('counts as many as are chosen', async () => {
  const page = await testComponent(tally, { actor, params })
  await page.call.add()
  await page.set({ step: 10 })
  await page.call.add()
  deepEqual(page.view, { of: 'North gate', count: 14 })
})

test('takes no step that counts nothing', async () => {
  const page = await testComponent(tally, { actor, params })
  await page.set({ step: 0 })
  equal(page.data.step, 1)
})

test('is read by everybody, and kept by those who may edit', async () => {
  const page = await testComponent(tally, { actor: { ...actor, role: 'viewer' }, params })
  equal(page.view.count, 3)
  await rejects(page.call.add(), { code: 'FORBIDDEN' })
})
