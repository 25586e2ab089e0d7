import { expect, test } from 'vitest'
import { GIVEN_SEED, isPlain, SEED, SIMULATIONS, within } from '../tier.ts'
import { simulate, simulateSplits } from './simulate.ts'

const FIRST = isPlain ? 1 : SEED

/** The seeds to run: those of the tier, or the one that is to be repeated. */
const seedsOf = (count: number): number[] =>
  GIVEN_SEED === null ? Array.from({ length: count }, (_, at) => FIRST + at) : [GIVEN_SEED]

/** Runs all seeds, and fails with the first ones that go wrong. */
async function expectNone(count: number, run: (seed: number) => Promise<string[]>): Promise<void> {
  const failures: string[] = []
  for (const seed of seedsOf(count)) {
    const violations = await run(seed)
    if (violations.length > 0) failures.push(`TABLEWIRE_SEED=${seed}`, ...violations)
    if (failures.length > 20) break
  }
  expect(failures).toEqual([])
}

test(
  'clients lose and double nothing, and agree with the server in the end',
  () => expectNone(SIMULATIONS, simulate),
  within(120_000),
)

test(
  'edits and calls end in the same state however they are split into batches',
  () => expectNone(SIMULATIONS / 4, simulateSplits),
  within(60_000),
)
