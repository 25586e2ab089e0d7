/** The simulator finds what it is for: one broken piece for each property. */

import { afterEach, expect, test, vi } from 'vitest'
import type { Environment } from '../../src/client/environment.ts'
import { CallError } from '../../src/client/call-error.ts'
import { Store } from '../../src/client/store.ts'
import { HEADERS, type UpdateRequest } from '../../src/protocol/wire.ts'
import { AppError } from '../../src/server/app-error.ts'
import { memoryIdempotency } from '../../src/server/lifecycle/memory-idempotency.ts'
import { FIRST_BUILD } from './server.ts'
import { type Sabotage, simulate, simulateSplits } from './simulate.ts'

afterEach(() => vi.restoreAllMocks())

/** Enough seeds to find each of the mistakes below many times. */
const SEEDS = 200

/** What the first seed that finds anything of this kind has found. */
async function firstFound(
  kind: RegExp,
  run: (seed: number) => Promise<string[]>,
): Promise<string | undefined> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const found = (await run(seed)).find((violation) => kind.test(violation))
    if (found !== undefined) return found
  }
}

const withClient = (breakEnvironment: (environment: Environment) => Environment): Sabotage => ({
  client: { breakEnvironment },
})

test('a server that makes the calls of a batch in another order', async () => {
  const read = (body: string) => {
    // The client has written it.
    const update = JSON.parse(body) as UpdateRequest
    for (const { calls } of update.components) calls.reverse()
    return JSON.stringify(update)
  }
  expect(
    await firstFound(/different states/, (seed) => simulateSplits(seed, { server: { read } })),
  ).toBeDefined()
})

test('a client that adopts the answer of a refresh however late it comes', async () => {
  const { applyRefresh } = Store.prototype
  vi.spyOn(Store.prototype, 'applyRefresh').mockImplementation(function (this: Store, response) {
    applyRefresh.call(this, response, this.version)
  })
  expect(await firstFound(/^The results are those of/, simulate)).toBeDefined()
})

test('a client that forgets what was typed when the page is loaded anew', async () => {
  const forgetful = withClient((environment) => ({
    ...environment,
    savedEdits: { put: () => undefined, take: () => null },
  }))
  expect(
    await firstFound(/^\[.*\] shows \[.*\], typed was/, (seed) => simulate(seed, forgetful)),
  ).toBeDefined()
})

test('a client that forgets the idempotency key when it retries', async () => {
  const forgetful = withClient((environment) => ({
    ...environment,
    fetch(href, init = {}) {
      const headers = new Headers(init.headers)
      if (headers.has(HEADERS.idempotencyKey))
        headers.set(HEADERS.idempotencyKey, environment.newKey())
      return environment.fetch(href, { ...init, headers })
    },
  }))
  expect(await firstFound(/counts 2 times/, (seed) => simulate(seed, forgetful))).toBeDefined()
})

test('a server that ignores idempotency keys', async () => {
  const sabotage = () => {
    const writes = memoryIdempotency()
    return { server: { writes: { ...writes, claim: async () => ({ kind: 'claimed' as const }) } } }
  }
  expect(await firstFound(/counts 2 times/, (seed) => simulate(seed, sabotage()))).toBeDefined()
})

test('a client whose request never ends when the network fails', async () => {
  const patient = withClient((environment) => ({
    ...environment,
    fetch: (href, init) =>
      environment.fetch(href, init).catch(() => new Promise<never>(() => undefined)),
  }))
  expect(await firstFound(/never settled/, (seed) => simulate(seed, patient))).toBeDefined()
})

const deploys: Sabotage = { happenings: ['deploy', 'rollingDeploy'] }

test('a deploy after which every call is refused', async () => {
  const read = (body: string, build: string) => {
    if (build !== FIRST_BUILD) throw new AppError('OUTCOME_UNKNOWN')
    return body
  }
  const refusing = { ...deploys, server: { read } }
  expect(
    await firstFound(/was refused with \[OUTCOME_UNKNOWN\]/, (seed) => simulate(seed, refusing)),
  ).toBeDefined()
})

test('a client whose next build drops the calls that wait', async () => {
  const forgetful = withClient((environment) => ({
    ...environment,
    savedEdits: {
      ...environment.savedEdits,
      take: () =>
        environment.savedEdits.take()?.replace(/"calls":\[\[.*?\]\]\]/g, '"calls":[]') ?? null,
    },
  }))
  const found = await firstFound(/is lost, left/, (seed) =>
    simulate(seed, { ...deploys, ...forgetful }),
  )
  expect(found).toBeDefined()
})

test.each(['deploy', 'rotation'] as const)(
  'a client that does not repeat what a %s has made outdated',
  async (happening) => {
    const { outdated } = Store.prototype
    vi.spyOn(Store.prototype, 'outdated').mockImplementation(function (this: Store, effects) {
      if (!effects?.returns) this.fail(new CallError('OUTCOME_UNKNOWN', '', 409))
      return outdated.call(this, effects)
    })
    expect(
      await firstFound(/was refused with \[OUTCOME_UNKNOWN\]/, (seed) =>
        simulate(seed, { happenings: [happening] }),
      ),
    ).toBeDefined()
  },
)

test('a client that forgets what was typed before the session ended', async () => {
  const forgetful = withClient((environment) => ({
    ...environment,
    savedEdits: { put: () => undefined, take: () => null },
  }))
  const found = await firstFound(/^\[.*\] shows \[.*\], typed was/, (seed) =>
    simulate(seed, { happenings: ['expiry'], ...forgetful }),
  )
  expect(found).toBeDefined()
})

test('a client that goes on to show that the session has ended', async () => {
  const deaf = withClient((environment) => ({ ...environment, load: () => undefined }))
  const found = await firstFound(/never settled|still waits|still shown/, (seed) =>
    simulate(seed, { happenings: ['expiry'], ...deaf }),
  )
  expect(found).toBeDefined()
})

test('a client that takes a network that is down for a refusal', async () => {
  const hasty = withClient((environment) => ({
    ...environment,
    fetch: (href, init) =>
      environment.fetch(href, init).catch(() => new Response('', { status: 500 })),
  }))
  const found = await firstFound(/was refused with \[SERVER_ERROR\]/, (seed) =>
    simulate(seed, { happenings: ['offline'], ...hasty }),
  )
  expect(found).toBeDefined()
})

test('a client that leaves a timer behind', async () => {
  const busy = withClient((environment) => {
    const tick = () => void environment.later(tick, 1000)
    tick()
    return environment
  })
  expect(await firstFound(/^Error: Timers remain/, (seed) => simulate(seed, busy))).toBeDefined()
})
