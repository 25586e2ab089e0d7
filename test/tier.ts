/**
 * How much a run tries, by `TABLEWIRE_TIER`: `plain` (`npm test`), `nightly` or `release`. Suites
 * that can try more read their counts here and nowhere else.
 */

const TIERS = {
  plain: { hostileCases: 32_000, times: 1, depthRows: 20_000 },
  nightly: { hostileCases: 250_000, times: 10, depthRows: 1_000_000 },
  release: { hostileCases: 1_000_000, times: 50, depthRows: 10_000_000 },
} as const

const isTier = (name: string): name is keyof typeof TIERS => Object.hasOwn(TIERS, name)

const name = process.env['TABLEWIRE_TIER'] ?? 'plain'
if (!isTier(name)) {
  const known = Object.keys(TIERS).join(', ')
  throw new Error(`TABLEWIRE_TIER is [${name}]; it takes one of ${known}.`)
}
const tier = TIERS[name]

/** Whether this is the run that everybody waits for, which tries the same cases every time. */
export const isPlain = name === 'plain'

/** Hostile requests to be sent, all families together. */
export const HOSTILE_CASES: number = tier.hostileCases

/** Rows of the tables whose pages must cost the same at any depth. */
export const DEPTH_ROWS: number = tier.depthRows

/** Runs of a property that a plain run tries `count` times. */
export const runs = (count: number): number => count * tier.times

/** Time for a test that takes at most `ms` in a plain run, in ms. */
export const within = (ms: number): number => ms * tier.times
