/** Hostile addresses of rows: not found or refused, never an error, and nothing of other rows. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withstand } from './attack.ts'
import { calls, drawnKeys, filters, oddKeys, odysseys } from './records.ts'
import { visit } from './requests.ts'
import { withoutSecrets } from './walks.ts'
import { openTarget, type Target } from './target.ts'

const family = 'records'
let target: Target

beforeAll(async () => void (target = await openTarget({ table: 'operators' })))
afterAll(() => target.close())

describe('the address of a row', () => {
  test('with keys that are none', (context) => withstand(target, context, family, oddKeys(target)))

  test('with any key and any origin', (context) =>
    withstand(target, context, family, drawnKeys(target, 2500)))

  test('with origins that are no lists', (context) =>
    withstand(target, context, family, odysseys(target)))

  test('and what its live page may be asked', (context) =>
    withstand(target, context, family, calls(target)))
})

test('filters by every column and text', (context) =>
  withstand(target, context, family, filters(target)))

test('a row that is not there, a key that is none and a table that is hidden are told alike', async () => {
  const { admin } = target.people
  for (const as of ['data', 'html'] as const) {
    const bodies = new Set<string>()
    for (const path of ['strikes/records/999999', 'strikes/records/abc', 'nowhere/records/1']) {
      const { status, body } = await target.send(visit(admin, `/tables/${path}`, as))
      expect(status).toBe(404)
      bodies.add(withoutSecrets(body, admin).replaceAll(path, 'PATH'))
    }
    expect(bodies.size).toBe(1)
  }
})
