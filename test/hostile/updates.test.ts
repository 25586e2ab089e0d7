/** Hostile updates: nothing forged is taken, nothing undeclared runs, nothing odd is read. */

import { afterAll, beforeAll, describe, test } from 'vitest'
import { withstand } from './attack.ts'
import { edits, flips, oddities, replays, splices, truncations } from './tampering.ts'
import { openTarget, type Target } from './target.ts'

let target: Target

beforeAll(async () => void (target = await openTarget()))
afterAll(() => target.close())

describe('a snapshot is refused', () => {
  const family = 'F1 snapshots'

  test('when a bit of it is flipped', (context) =>
    withstand(target, context, family, flips(target, 0.4)))

  test('when it is cut', (context) => withstand(target, context, family, truncations(target)))

  test('when characters come or go', (context) =>
    withstand(target, context, family, edits(target, 1500)))

  test('when its MAC belongs to another snapshot, person, session or purpose', (context) =>
    withstand(target, context, family, splices(target)))

  test('when it is another person’s; an old one is told to come anew', (context) =>
    withstand(target, context, family, replays(target)))

  test('when it is none', (context) => withstand(target, context, family, oddities(target)))
})
