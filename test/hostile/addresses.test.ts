/** Hostile addresses: clamped, refused by name, or not found; never run, never believed. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  doors,
  injectedAddresses,
  injectedCalls,
  mixtures,
  places,
  spellings,
} from './addresses.ts'
import { withstand } from './attack.ts'
import { INJECTIONS } from './injections.ts'
import { openTarget, type Target } from './target.ts'

const family = 'F9 addresses'
let target: Target

beforeAll(async () => void (target = await openTarget({ table: 'operators' })))
afterAll(() => target.close())

test('there are at least 300 injections', () => {
  expect(INJECTIONS.length).toBeGreaterThanOrEqual(300)
})

describe('an address says nothing but where to look', () => {
  test('with SQL in every part of it', (context) =>
    withstand(target, context, family, injectedAddresses(target)))

  test('with SQL in what the live page sends', (context) =>
    withstand(target, context, family, injectedCalls(target)))

  test('with pages, sizes and places that are not there', (context) =>
    withstand(target, context, family, places(target)))

  test('spelt wrongly, doubled, or too long', (context) =>
    withstand(target, context, family, spellings(target)))

  test('with sound and broken parameters thrown together', (context) =>
    withstand(target, context, family, mixtures(target, 1500)))

  test('of doors that are not there', (context) =>
    withstand(target, context, family, doors(target)))
})
