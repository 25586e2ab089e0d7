/** A slow part of a batch: the others do not wait for it, and it runs once. */

import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import type { ComponentRequest, ComponentResponse, UpdateResponse } from '../../protocol/wire.ts'
import { type AnyComponent, defineComponent } from '../component/define.ts'
import { KeyRing } from '../keys.ts'
import { laterAnswers, UNCLAIMED_MS } from '../lifecycle/later.ts'
import { memoryIdempotency } from '../lifecycle/memory-idempotency.ts'
import { mountComponent } from '../lifecycle/mount.ts'
import type { RequestScope } from '../lifecycle/request-scope.ts'
import { LATER_AFTER_MS } from './batch.ts'
import { answerUpdate, parseUpdate } from './update.ts'

const none = v.strictTuple([])
const base = { state: {}, authorize: () => true, mount: () => ({}), view: () => null }

/** Released by the test; how often and with what signal the slow actions have run. */
let gate: PromiseWithResolvers<void>
let signals: AbortSignal[]
let timers: { task: () => void; delayMs: number }[]
let scope: RequestScope

const slowly = async ({ signal }: { signal: AbortSignal }) => {
  signals.push(signal)
  await gate.promise
  return 'slow'
}
const quick = defineComponent({
  ...base,
  name: 'quick',
  actions: { answer: { args: none, run: () => 'quick' } },
})
const slow = defineComponent({
  ...base,
  name: 'slow',
  dispatches: { sorted: v.string() },
  actions: {
    sort: { args: none, run: slowly },
    total: { kind: 'query', args: none, run: slowly },
    save: { kind: 'write', args: none, run: () => gate.promise },
    tell: {
      args: none,
      async run(context) {
        await slowly(context)
        context.effects.dispatch('sorted', 'told')
      },
    },
  },
})
const listener = defineComponent({
  ...base,
  name: 'listener',
  state: { heard: v.array(v.string()) },
  mount: () => ({ heard: [] }),
  actions: {},
  on: { sorted: { detail: v.string(), run: ({ state }, by) => void state.heard.push(by) } },
  view: ({ state }) => state.heard,
})

beforeEach(() => {
  gate = Promise.withResolvers()
  signals = []
  timers = []
  const later = (task: () => void, delayMs: number) => {
    const timer = { task, delayMs }
    timers.push(timer)
    // The moment that slow parts have passes once everything waits.
    if (delayMs === LATER_AFTER_MS) setImmediate(() => timers.includes(timer) && task())
    return () => void (timers = timers.filter((other) => other !== timer))
  }
  scope = {
    keys: new KeyRing([randomBytes(32)]),
    components: new Map([quick, slow, listener].map((component) => [component.name, component])),
    writes: memoryIdempotency(),
    running: new Map(),
    later: laterAnswers({ later }),
    binding: { build: 'b', user: 'ana', lineage: 'l' },
    actor: { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'admin' },
    locale: 'en-US',
    language: 'en',
    signal: new AbortController().signal,
  }
})

async function partOf(component: AnyComponent, method?: string, id: string = component.name) {
  const { snapshot } = await mountComponent(scope, { component, params: null }, { id, path: '/' })
  return { snapshot, updates: {}, calls: method ? [{ method, params: [] }] : [] }
}

async function ask(
  components: ComponentRequest[],
  key: string | null = 'key-12345',
  over: Partial<RequestScope> = {},
): Promise<ComponentResponse[]> {
  const body = parseUpdate({ _token: '', components })
  const answer = await answerUpdate({ ...scope, ...over }, body, key, { version: '1' })
  return (JSON.parse(answer) as UpdateResponse).components
}

test.each(['sort', 'total'])('does not keep another waiting: %s', async (method) => {
  const parts = [await partOf(slow, method), await partOf(quick, 'answer')]
  const [late, done] = await ask(parts)
  expect(done?.effects.returns).toEqual(['quick'])
  expect(late).toEqual({ snapshot: parts[0]!.snapshot, effects: { later: 'key-12345.0' } })
  const again = ask([parts[0]!], 'key-12345.0')
  gate.resolve()
  expect((await again)[0]?.effects.returns).toEqual(['slow'])
  expect(signals).toHaveLength(1)
  expect(timers).toEqual([])
})

test('is waited for while it writes', async () => {
  const answer = ask([await partOf(slow, 'save'), await partOf(quick, 'answer')])
  gate.resolve()
  expect((await answer).map(({ effects }) => effects.later)).toEqual([undefined, undefined])
})

test('takes along what listens to it, which hears its event there', async () => {
  const parts = [
    await partOf(quick, 'answer'),
    await partOf(listener),
    await partOf(slow, 'tell'),
    await partOf(slow, 'sort', 'alone'),
  ]
  const answers = await ask(parts)
  expect(answers.map(({ effects }) => effects.later)).toEqual([
    undefined,
    'key-12345.1',
    'key-12345.1',
    'key-12345.1',
  ])
  gate.resolve()
  const [heard, told] = await ask(parts.slice(1), 'key-12345.1')
  expect(heard?.effects).toEqual({ view: ['told'], heard: [{ from: 'slow', event: 'sorted' }] })
  expect(told?.effects.dispatches).toEqual([{ name: 'sorted', detail: 'told' }])
  expect(signals).toHaveLength(2)
})

test('runs anew in a process that does not have its answer', async () => {
  const part = await partOf(slow, 'sort')
  await ask([part, await partOf(quick, 'answer')])
  gate.resolve()
  const elsewhere = { later: laterAnswers() }
  const [answer] = await ask([part], 'key-12345.0', elsewhere)
  expect(answer?.effects.returns).toEqual(['slow'])
  expect(signals).toHaveLength(2)
})

test('is kept for the same request of the same session alone', async () => {
  const [part, other] = [await partOf(slow, 'sort'), await partOf(slow, 'total')]
  await ask([part, await partOf(quick, 'answer')])
  gate.resolve()
  await ask([other], 'key-12345.0')
  expect(signals).toHaveLength(2)
  const lineage = { ...scope.binding, lineage: 'another' }
  const [outdated] = await ask([part], 'key-12345.0', { binding: lineage })
  expect(outdated?.effects.outdated).toBe(true)
  expect((await ask([part], 'key-12345.0'))[0]?.effects.returns).toEqual(['slow'])
  expect(signals).toHaveLength(2)
})

test('stops if nobody asks for it', async () => {
  await ask([await partOf(slow, 'sort'), await partOf(quick, 'answer')])
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([UNCLAIMED_MS])
  expect(signals[0]?.aborted).toBe(false)
  timers[0]!.task()
  expect(signals[0]?.aborted).toBe(true)
})

test('stops when whoever asked for it leaves', async () => {
  const part = await partOf(slow, 'sort')
  await ask([part, await partOf(quick, 'answer')])
  const leaving = new AbortController()
  const again = ask([part], 'key-12345.0', { signal: leaving.signal })
  leaving.abort()
  expect(signals[0]?.aborted).toBe(true)
  gate.resolve()
  await again
})

test('is waited for beyond what a person may leave behind', async () => {
  const keep = laterAnswers()
  const goingOn = { answers: Promise.resolve([]), abort() {} }
  const kept = (person: string) =>
    Array.from({ length: 25 }, (_, at) => keep.keep(person, `${person} ${at}`, goingOn))
  expect(kept('ana').filter(Boolean)).toHaveLength(20)
  expect(kept('ben').filter(Boolean)).toHaveLength(20)
  const full = { ...laterAnswers(), keep: () => false }
  const parts = [await partOf(slow, 'sort'), await partOf(quick, 'answer')]
  const answer = ask(parts, 'key-12345', { later: full })
  gate.resolve()
  expect((await answer)[0]?.effects.returns).toEqual(['slow'])
})
