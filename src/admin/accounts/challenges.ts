/** Challenges that a passkey signs: made for one purpose, once, and for five minutes. */

import type { Limits } from '../../database/metadata/limits.ts'
import type { Sealer } from '../../server/keys.ts'
import { makeId, type RandomBytes } from './tokens.ts'

/** How long a challenge is good, ms. */
const CHALLENGE_MS = 5 * 60_000

export type Challenges = {
  make(purpose: string): string
  /** Whether it was made for the purpose, is not late, and was not taken before, on any node. */
  take(purpose: string, challenge: string): Promise<boolean>
}

export type ChallengeOptions = {
  readonly sealer: Sealer
  readonly limits: Pick<Limits, 'take'>
  readonly now: () => number
  readonly randomBytes: RandomBytes
}

/** Nothing is stored until one is taken, so that strangers fill no table. */
export function createChallenges({
  sealer,
  limits,
  now,
  randomBytes,
}: ChallengeOptions): Challenges {
  const context = (purpose: string) => `challenge to ${purpose}`
  return {
    make: (purpose) =>
      sealer.seal(context(purpose), `${now() + CHALLENGE_MS} ${makeId(randomBytes)}`),
    async take(purpose, challenge) {
      const [until] = sealer.open(context(purpose), challenge)?.split(' ') ?? []
      if (!(Number(until) > now())) return false
      const key = JSON.stringify(['challenge', challenge])
      return (await limits.take({ key, limit: 1, windowMs: 2 * CHALLENGE_MS })) === 0
    },
  }
}
