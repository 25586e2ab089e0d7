import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { runs } from '../../../test/tier.ts'
import { ANSWER_BYTES } from './idempotency.ts'
import { type Answer, keptAnswer } from './kept-answer.ts'

const kept = (answer: Answer): Answer => {
  const text = keptAnswer(answer)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_BYTES)
  // What was kept was an answer.
  return JSON.parse(text) as Answer
}

const outcome = fc.record({
  status: fc.constantFrom('done', 'conflict', 'refused', 'missing'),
  changed: fc.array(
    fc.record({ key: fc.string({ unit: 'binary', maxLength: 300 }), place: fc.nat() }),
    { maxLength: 200 },
  ),
  message: fc.option(fc.string({ unit: 'binary', maxLength: 6000 })),
})

test('whatever the size of an answer, a retry is told what decides, and what is missing is said', () => {
  fc.assert(
    fc.property(
      fc.array(outcome, { minLength: 1, maxLength: 20, size: 'max' }),
      fc.string({ maxLength: 6000, size: 'max' }),
      fc.option(fc.array(fc.string({ unit: 'binary', maxLength: 900 }), { maxLength: 5 })),
      (outcomes, text, errors) => {
        const returns = outcomes as Json[]
        const effects = { returns, ...(errors && { errors: { '': errors, name: errors } }) }
        const { effects: told } = kept({ effects, state: { text } })
        const statuses = (told.returns as { status?: string }[]).map(({ status }) => status)
        expect(statuses).toEqual(outcomes.map(({ status }) => status))
        if (!told.shortened) expect(told).toEqual(effects)
        else expect(Buffer.byteLength(JSON.stringify({ effects, state: {} }))).toBeGreaterThan(4096)
        for (const [at, one] of outcomes.entries()) {
          const { changed = [] } = (told.returns ?? [])[at] as { changed?: unknown[] }
          expect(one.changed.slice(0, changed.length)).toEqual(changed)
        }
        if (errors?.[0]) expect(told.errors?.['']?.length).toBeGreaterThan(0)
      },
    ),
    { numRuns: runs(300) },
  )
})

test('values of any shape are cut to what there is room for', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 5 }), { minLength: 1, maxLength: 20 }),
      (some) => {
        // Each many times, so that it is too much.
        const returns = some.map((value) => Array.from({ length: 200 }, () => value) as Json)
        expect(kept({ effects: { returns }, state: {} }).effects.returns).toHaveLength(some.length)
      },
    ),
    { numRuns: runs(300) },
  )
})

test('of an answer that is too long by its state alone, nothing is missing', () => {
  const effects = { returns: [{ status: 'conflict', changed: [1, 2] }] }
  expect(kept({ effects, state: { text: 'x'.repeat(5000) } })).toEqual({ effects, state: {} })
})

test('the short effects of a long answer stay', () => {
  const url = { href: '/tables/orders', mode: 'push' } as const
  const returns = [{ status: 'refused', message: 'é'.repeat(3000) }]
  const { effects } = kept({
    effects: { returns, url, redirect: `/${'x'.repeat(4000)}` },
    state: {},
  })
  expect(effects).toMatchObject({ shortened: true, url, returns: [{ status: 'refused' }] })
  expect(effects.redirect).toBeUndefined()
})
