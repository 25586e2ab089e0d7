import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/tier.ts'
import { pageOf, simulateBrowser } from '../../test/simulated-browser.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { PageData } from '../protocol/page.ts'
import type { ComponentResponse, Snapshot, UpdateRequest } from '../protocol/wire.ts'
import { createRuntime } from './create-runtime.ts'
import type { Environment } from './environment.ts'

const NAMES = ['list', 'shell']
const PATHS = ['a', 'b', 'c.d']

/** What happens to one request on its way; once these are used up, all goes well. */
const FATES = ['ok', 'lost', 'answer lost', 'twice', 'busy', 'broken', 'slow', 'deploy'] as const
type Fate = (typeof FATES)[number]

type Step = { what: 'edit' | 'live' | 'call'; name: string; path: string; text: string }

/**
 * A server as the wire promises it: it believes the snapshot, remembers what writes answered, and
 * tells an outdated build. What it was last told of each component is its page.
 */
class ModelServer {
  build = 0
  /** Every call that had an effect, in order. */
  readonly effects: string[] = []
  readonly #pages = new Map(
    NAMES.map((name) => [name, { a: '', b: '', c: { d: '' } } as JsonObject]),
  )
  readonly #answers = new Map<string, string[]>()

  data = (name: string): JsonObject => this.#pages.get(name)!

  page(): PageData {
    const components = NAMES.map((name) => ({
      id: name,
      name,
      snapshot: this.#seal(name, this.data(name)),
      view: null,
    }))
    return pageOf(components)
  }

  /**
   * Answers a request; `breaksAt` is the place of a component that it fails at, `later` of one whose
   * answer is not ready.
   */
  answer(
    { components }: UpdateRequest,
    key: string,
    { breaksAt = Infinity, later = -1 } = {},
  ): Response {
    const answers: ComponentResponse[] = []
    for (const [place, { snapshot, updates, calls }] of components.entries()) {
      if (place >= breaksAt) return refusal(500, 'SERVER_ERROR')
      if (place === later) {
        answers.push({ snapshot, effects: { later: `${key}.${place}` } })
        continue
      }
      const { data, memo } = JSON.parse(snapshot) as Snapshot
      const ownKey = components.length > 1 ? `${key}.${place}` : key
      const known = this.#answers.get(ownKey)
      if (memo.build !== String(this.build)) {
        answers.push({
          snapshot: '',
          effects: { outdated: true, ...(known && { returns: known }) },
        })
        continue
      }
      const returns = known ?? calls.map(({ method }) => method)
      if (!known) this.effects.push(...returns)
      this.#answers.set(ownKey, returns)
      const next = structuredClone(data)
      for (const [path, value] of Object.entries(updates))
        if (path === 'c.d') next['c'] = { d: value }
        else next[path] = value
      this.#pages.set(memo.name, next)
      answers.push({ snapshot: this.#seal(memo.name, next), effects: { returns } })
    }
    return respond(200, { components: answers, assets: { version: 'v1' } })
  }

  #seal(name: string, data: JsonObject): string {
    const memo = {
      id: name,
      name,
      path: '/',
      build: String(this.build),
      user: '',
      lineage: '',
      view: '',
    }
    return JSON.stringify({ data, memo, checksum: '' } satisfies Snapshot)
  }
}

const respond = (status: number, body: unknown): Response =>
  ({
    ok: status === 200,
    status,
    redirected: false,
    headers: new Headers({ 'content-type': 'application/json' }),
    text: async () => JSON.stringify(body),
  }) as Response

const refusal = (status: number, code: string) => respond(status, { error: { code, message: '' } })

/** A browser whose timers and requests go on in whatever order the scheduler likes. */
function browserOf(scheduler: fc.Scheduler, server: ModelServer, fates: readonly Fate[]) {
  const left = [...fates]
  const flying = new Map<string, number>()
  let mostFlying = 0
  let keys = 0

  async function travel(body: UpdateRequest, key: string): Promise<Response> {
    const fate = left.shift() ?? 'ok'
    await scheduler.schedule(Promise.resolve(), `request ${key} ${fate}`)
    if (fate === 'lost') throw new TypeError('Failed to fetch')
    if (fate === 'busy') return refusal(503, 'BUSY')
    if (fate === 'deploy') server.build++
    const hasOthers = body.components.length > 1
    const response = server.answer(body, key, {
      ...(fate === 'broken' && hasOthers && { breaksAt: 1 }),
      ...(fate === 'slow' && hasOthers && { later: 0 }),
    })
    const repeated = fate === 'twice' ? server.answer(body, key) : response
    await scheduler.schedule(Promise.resolve(), `answer ${key}`)
    if (fate === 'answer lost') throw new TypeError('Failed to fetch')
    return repeated
  }

  const environment: Environment = {
    ...simulateBrowser({ location: '/' }).environment,
    async fetch(_url, init = {}) {
      if (init.method !== 'POST') {
        await scheduler.schedule(Promise.resolve(), 'page')
        return respond(200, server.page())
      }
      const body = JSON.parse(init.body as string) as UpdateRequest
      const names = body.components.map(
        ({ snapshot }) => (JSON.parse(snapshot) as Snapshot).memo.name,
      )
      for (const name of names) flying.set(name, (flying.get(name) ?? 0) + 1)
      mostFlying = Math.max(mostFlying, ...flying.values())
      const key = new Headers(init.headers).get('idempotency-key') ?? ''
      return travel(body, key).finally(() => {
        for (const name of names) flying.set(name, flying.get(name)! - 1)
      })
    },
    later(task, delayMs) {
      let isCancelled = false
      void scheduler
        .schedule(Promise.resolve(), `${delayMs} ms`)
        .then(() => void (isCancelled || task()))
      return () => void (isCancelled = true)
    },
    random: () => 0.5,
    newKey: () => `key-${++keys}`,
    csrf: () => 'token',
    load: (href) => expect.unreachable(`The page was loaded anew: ${href}`),
  }
  return { environment, mostFlying: () => mostFlying }
}

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('edit', 'live', 'call'),
  name: fc.constantFrom(...NAMES),
  path: fc.constantFrom(...PATHS),
  text: fc.string({ maxLength: 3 }),
})

/** As many deploys as a page puts up with, even if they come one right after the other. */
const fatesArbitrary = fc
  .array(fc.constantFrom(...FATES), { maxLength: 10 })
  .filter((fates) => fates.filter((fate) => fate === 'deploy').length <= 3)

const readPath = (data: JsonObject, path: string) =>
  path === 'c.d' ? (data['c'] as JsonObject)['d'] : data[path]

describe('however edits, calls and the network are interleaved', () => {
  test('nothing typed is lost, each call has one effect, and client and server agree', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(stepArbitrary, { minLength: 1, maxLength: 12 }),
        fatesArbitrary,
        async (scheduler, steps, fates) => {
          const server = new ModelServer()
          const { environment, mostFlying } = browserOf(scheduler, server, fates)
          const runtime = createRuntime(server.page(), environment)
          const typed = new Map<string, string>()
          const settled: Promise<unknown>[] = []
          const asked: string[] = []

          const lost: string[] = []
          const lookForLost = () => {
            for (const [key, text] of typed) {
              const [name = '', path = ''] = key.split(':')
              const shown = readPath(runtime.component(name).getState().data, path)
              if (shown !== text) lost.push(`${key} shows ${JSON.stringify(shown)}, not [${text}]`)
            }
          }
          for (const name of NAMES) runtime.component(name).subscribe(lookForLost)

          const call = (name: string) => {
            const id = `${name} ${asked.length}`
            asked.push(id)
            settled.push(
              runtime
                .component(name)
                .call(id)
                .then((value) => expect(value).toBe(id)),
            )
          }
          const perform = ({ what, name, path, text }: Step) => {
            if (what === 'call') return call(name)
            typed.set(`${name}:${path}`, text)
            runtime.component(name).set(path, text, { live: what === 'live' })
          }
          scheduler.scheduleSequence(
            steps.map((step, at) => ({
              label: `${at} ${step.what} ${step.name}`,
              builder: async () => perform(step),
            })),
          )
          await scheduler.waitIdle()
          for (const name of NAMES) call(name)
          await scheduler.waitIdle()

          await Promise.all(settled)
          lookForLost()
          expect(lost).toEqual([])
          for (const name of NAMES) {
            const own = (ids: readonly string[]) => ids.filter((id) => id.startsWith(name))
            expect(runtime.component(name).getState().data).toEqual(server.data(name))
            expect(own(server.effects)).toEqual(own(asked))
          }
          expect(mostFlying()).toBe(1)
          expect(runtime.failures.getState()).toBe(null)
        },
      ),
      { numRuns: runs(300) },
    )
  })
})
