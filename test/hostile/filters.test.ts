/** Hostile filters: each is refused by name, or looked for as the text that it is. */

import { afterAll, beforeAll, describe, test } from 'vitest'
import { withstand } from './attack.ts'
import { addresses, anything, forms, queries, updates } from './filters.ts'
import { openTarget, type Target } from './target.ts'

const family = 'filters'
let target: Target

beforeAll(async () => void (target = await openTarget({ table: 'strikes' })))
afterAll(() => target.close())

describe('a filter that is none, or forbidden', () => {
  test('in an address', (context) => withstand(target, context, family, addresses(target)))

  test('in the form of a page without script', (context) =>
    withstand(target, context, family, forms(target)))

  test('in an update', (context) => withstand(target, context, family, updates(target)))

  test('in a query of a control', (context) => withstand(target, context, family, queries(target)))

  test('of any JSON', (context) => withstand(target, context, family, anything(target, 400)))
})
