import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { requestDigest } from './calls.ts'
import type { Intent } from '../component/component.ts'
import { type Component, defineComponent } from '../component/define.ts'
import { KeyRing } from '../keys.ts'
import type { RequestScope } from './request-scope.ts'
import { mountComponent } from './mount.ts'
import { prepare } from './prepare.ts'
import { run } from './run.ts'
import { memoryIdempotency } from './memory-idempotency.ts'
import { testComponent } from '../component/test-component.ts'

const ana: Actor = { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'admin' }
const bo: Actor = { id: 'bo', name: 'Bo', email: 'bo@example.org', role: 'viewer' }

/** Everything that happened, in order. */
let log: string[]
let asked: { actor: string; intent: Intent; record: number }[]
let isAllowed: (actor: Actor, intent: Intent, record: number) => boolean

const notes = defineComponent({
  name: 'notes',
  params: v.object({ record: v.number() }),
  state: { record: v.number(), draft: v.string(), count: v.number() },
  writable: ['record', 'draft'],
  authorize({ actor, state }, intent) {
    asked.push({ actor: actor.id, intent, record: state.record })
    return isAllowed(actor, intent, state.record)
  },
  mount: ({ params: { record } }) => ({ record, draft: '', count: 0 }),
  updated: (_context, paths) => void log.push(`updated ${paths.join()}`),
  actions: {
    add: {
      args: v.strictTuple([v.number()]),
      run({ state }, by) {
        log.push(`add ${by}`)
        state.count += by
        return state.count
      },
    },
    save: {
      args: v.tuple([]),
      kind: 'write',
      run({ state, effects }) {
        log.push('save')
        if (state.draft === 'refused') throw new AppError('NOT_FOUND')
        if (state.draft === 'busy') throw new AppError('BUSY')
        if (state.draft === 'broken') throw new Error('broken')
        if (state.draft === '') effects.error('draft', 'Write something.')
        state.count++
        return state.draft.length > 4000 ? state.draft : `saved ${state.count}`
      },
    },
    open: { args: v.tuple([v.number()]), run: ({ state }, record) => void (state.record = record) },
    leave: {
      args: v.tuple([]),
      run: ({ effects }) => effects.redirect('/elsewhere'),
    },
    constructorOf: { args: v.tuple([]), run: () => Object },
    nothing: { args: v.tuple([]), run: () => undefined },
  },
  view: ({ state }) => ({ text: `${state.record}: ${state.draft}`, count: state.count }),
})

const open = (actor = ana) => testComponent(notes, { actor, params: { record: 1 } })

type Asked = { updates?: { [path: string]: Json }; calls?: string[] }

/** A component driven by whole requests; a call is a name and a number, such as `add 1`. */
function testScope(component: Component<{ record: number }>) {
  const scope: RequestScope = {
    keys: new KeyRing([randomBytes(32)]),
    components: new Map([[component.name, component]]),
    writes: memoryIdempotency(),
    running: new Map(),
    binding: { build: 'b', user: 'ana', lineage: 'l' },
    actor: ana,
    locale: 'en-US',
    language: 'en',
    signal: new AbortController().signal,
  }
  const opened = mountComponent(scope, component.with({ record: 1 }), { path: '/' }).then(
    ({ snapshot }) => ({
      scope,
      snapshot,
    }),
  )
  return {
    opened,
    /** Every request starts from the snapshot of the page. */
    async send({ updates = {}, calls = [] }: Asked, { key = 'key-12345', over = {} } = {}) {
      const request = {
        snapshot: (await opened).snapshot,
        updates,
        calls: calls.map((call) => {
          const [method = '', ...params] = call.split(' ')
          return { method, params: params.map(Number) }
        }),
      }
      const prepared = await prepare({ ...scope, ...over }, request, key)
      if ('outdated' in prepared) throw new Error('The snapshot is outdated.')
      return run({ ...scope, ...over }, prepared)
    },
  }
}

const intents = () =>
  asked.map(({ intent }) => (intent.kind === 'call' ? intent.action : intent.kind))

beforeEach(() => {
  log = []
  asked = []
  isAllowed = () => true
})

describe('a component', () => {
  test('is drawn, changed, called and drawn again', async () => {
    const page = await open()
    expect(page.view).toEqual({ text: '1: ', count: 0 })
    await page.set({ draft: 'hello' })
    expect(page.view).toEqual({ text: '1: hello', count: 0 })
    expect(await page.call.add(2)).toBe(2)
    expect(page.data).toEqual({ record: 1, draft: 'hello', count: 2 })
    expect(log).toEqual(['updated draft', 'add 2'])
  })

  test('leaves out a view that has not changed', async () => {
    const page = await open()
    const before = page.view
    expect(await page.ask('nothing')).toBe(null)
    expect(page.view).toBe(before)
    await page.call.add(1)
    expect(page.view).not.toBe(before)
  })

  test('draws nothing when it sends the person elsewhere', async () => {
    const page = await open()
    await page.call.leave()
    expect(page.effects).toEqual({ redirect: '/elsewhere', returns: [null] })
  })

  test('gives away no function, whatever an action returns', async () => {
    const page = await open()
    expect(await page.ask('constructorOf')).toBe(null)
  })
})

describe('authorization', () => {
  test('is asked when a page is drawn, with whoever looks at it', async () => {
    await open(bo)
    expect(asked).toEqual([{ actor: 'bo', intent: { kind: 'view' }, record: 1 }])
    isAllowed = () => false
    await expect(open()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('is asked on every update, call and view, with the actor of that request', async () => {
    const page = await open()
    asked = []
    await page.set({ draft: 'x' })
    expect(intents()).toEqual(['update', 'view'])
    asked = []
    await page.actingAs({ ...ana, role: 'viewer' })
    await page.call.add(1)
    expect(intents()).toEqual(['view', 'add', 'view'])
    expect(asked.every(({ actor }) => actor === 'ana')).toBe(true)
  })

  test('that is taken away counts from the next request', async () => {
    const page = await open()
    await page.call.add(1)
    isAllowed = () => false
    for (const attempt of [page.call.add(1), page.call.save(), page.set({ draft: 'x' })])
      await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(log).toEqual(['add 1'])
  })

  test.each(['add', 'save', 'open', 'leave', 'nothing'])(
    'can be denied for %s alone',
    async (name) => {
      isAllowed = (_actor, intent) => intent.kind !== 'call' || intent.action !== name
      const page = await open()
      const args: Json[] = name === 'add' || name === 'open' ? [1] : []
      await expect(page.ask(name, ...args)).rejects.toMatchObject({ code: 'FORBIDDEN' })
      expect(log).toEqual([])
    },
  )

  test('covers what an update leads to, not only where it starts', async () => {
    isAllowed = (_actor, _intent, record) => record === 1
    const page = await open()
    await expect(page.set({ record: 2 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(log).toEqual([])
    expect(page.view).toEqual({ text: '1: ', count: 0 })
  })

  test('covers what a call leads to before it is drawn', async () => {
    isAllowed = (_actor, _intent, record) => record === 1
    const page = await open()
    await expect(page.call.open(2)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(page.view).toEqual({ text: '1: ', count: 0 })
  })

  test('is asked again before each call once something has run', async () => {
    isAllowed = (_actor, intent, record) => record === 1 || intent.kind !== 'call'
    const page = testScope(notes)
    await expect(page.send({ calls: ['open 2', 'add 1'] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(log).toEqual([])
    asked = []
    await page.send({ updates: { draft: 'x' }, calls: ['add 1', 'add 1'] })
    expect(intents()).toEqual(['update', 'add', 'add', 'add', 'add', 'view'])
    asked = []
    await page.send({ calls: ['add 1'] })
    expect(intents()).toEqual(['add', 'view'])
  })

  test('is asked anew of whoever else opens the page', async () => {
    const page = await open()
    await page.call.add(1)
    await page.actingAs(bo)
    expect(page.data).toEqual({ record: 1, draft: '', count: 0 })
    asked = []
    expect(await page.call.add(1)).toBe(1)
    expect(asked.every(({ actor }) => actor === 'bo')).toBe(true)
  })

  test('refuses the snapshot of somebody else', async () => {
    const { scope, snapshot } = await testScope(notes).opened
    const other = { ...scope, actor: bo, binding: { ...scope.binding, user: 'bo' } }
    const request = { snapshot, updates: {}, calls: [{ method: 'add', params: [1] }] }
    await expect(prepare(other, request, null)).rejects.toMatchObject({
      code: 'PAGE_EXPIRED',
      status: 419,
    })
    expect(log).toEqual([])
  })
})

describe('calls', () => {
  const namesOf = (value: object) => Object.getOwnPropertyNames(value)
  const names = new Set([
    ...[Object, Function, Array, Map, Set, Promise, String, RegExp, Error, Date].flatMap((type) => [
      ...namesOf(type),
      ...namesOf(type.prototype),
    ]),
    ...namesOf(notes),
    ...['authorize', 'mount', 'updated', 'view', 'state', 'writable', 'actions', 'name', 'run'],
    ...['then', 'catch', 'finally', 'toJSON', '__proto__', 'constructor', 'prototype', '', ' '],
    ...['add ', ' add', 'Add', 'ADD', 'add()', 'add.call', 'add.bind', 'actions.add', 'notes.add'],
    ...['add[0]', "['add']", '["add"]', 'this.add', 'аdd', 'adԁ', 'add\0', 'add\u200b', 'ａdd'],
    ...['add\n', '../add', 'add?', '*', '$', '_add', '0', '-1', 'null', 'undefined', 'NaN'],
    ...['add'.repeat(350_000), '\u202eadd', 'add\ufe0f', 'a\u0301dd', 'save.add', 'add,save'],
  ])
  for (const name of ['add', 'save', 'open', 'leave', 'nothing']) names.delete(name)

  test(`of ${names.size} names that are no actions are all refused alike`, async () => {
    expect(names.size).toBeGreaterThan(200)
    const page = await open()
    for (const name of names) {
      const error: unknown = await page.ask(name, 1).catch((error: unknown) => error)
      expect(error).toMatchObject({ code: 'NOT_FOUND', status: 404, detail: undefined })
    }
    expect(log).toEqual([])
    expect(page.data).toEqual({ record: 1, draft: '', count: 0 })
  })

  test.each<[string, Json[]]>([
    ['too few', []],
    ['too many', [1, 2]],
    ['a text for a number', ['1']],
    ['an object for a number', [{ valueOf: 1 }]],
    ['a list for a number', [[1]]],
    ['null', [null]],
  ])('with %s arguments are refused', async (_, args) => {
    const page = await open()
    await expect(page.ask('add', ...args)).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
      status: 422,
    })
    expect(log).toEqual([])
  })
})

describe('writes', () => {
  const keys = new KeyRing([randomBytes(32)])
  let writes: ReturnType<typeof memoryIdempotency>
  let running: Map<string, Promise<string>>
  let snapshot: string

  const scope = (over: Partial<RequestScope> = {}): RequestScope => ({
    keys,
    components: new Map([['notes', notes]]),
    writes,
    running,
    binding: { build: 'b', user: 'ana', lineage: 'l' },
    actor: ana,
    locale: 'en-US',
    language: 'en',
    signal: new AbortController().signal,
    ...over,
  })
  const request = (draft: string, ...methods: string[]) => ({
    snapshot,
    updates: { draft },
    calls: methods.map((method) => ({ method, params: method === 'add' ? [1] : [] })),
  })
  async function send(body: ReturnType<typeof request>, key: string | null, over = {}) {
    const prepared = await prepare(scope(over), body, key)
    if ('outdated' in prepared) throw new Error('The snapshot is outdated.')
    return run(scope(over), prepared)
  }
  /** A process that dies after it has claimed the key, and perhaps after it has written. */
  async function die(body: ReturnType<typeof request>) {
    const prepared = await prepare(scope(), body, 'key-12345')
    if ('outdated' in prepared) throw new Error('The snapshot is outdated.')
    await writes.claim('ana', 'key-12345', requestDigest(prepared.request))
  }
  const times = (entry: string) => log.filter((one) => one === entry).length

  beforeEach(async () => {
    writes = memoryIdempotency()
    running = new Map()
    snapshot = (await mountComponent(scope(), notes.with({ record: 1 }), { path: '/' })).snapshot
  })

  test('happen once, however often the batch is tried again', async () => {
    const first = await send(request('x', 'save', 'save'), 'key-12345')
    expect(first.effects.returns).toEqual(['saved 1', 'saved 2'])
    for (let retry = 0; retry < 5; retry++)
      expect(await send(request('x', 'save', 'save'), 'key-12345')).toEqual(first)
    expect(times('save')).toBe(2)
  })

  test('happen once when retries arrive while the first is under way', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(request('x', 'save'), 'key-12345')),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(times('save')).toBe(1)
    expect(running.size).toBe(0)
  })

  test('that have just begun are not forgotten by those who waited for the ones before', async () => {
    const newer = Promise.resolve('null')
    const forget = running.delete.bind(running)
    vi.spyOn(running, 'delete').mockImplementationOnce((name) => {
      const had = forget(name)
      running.set(name, newer)
      return had
    })
    await Promise.all([
      send(request('x', 'save'), 'key-12345'),
      send(request('x', 'save'), 'key-12345'),
    ])
    expect(running.values().next().value).toBe(newer)
  })

  test('of several processes that share the records happen once', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        send(request('x', 'save'), 'key-12345', { running: new Map() }),
      ),
    )
    expect(times('save')).toBe(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('OUTCOME_UNKNOWN')
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  })

  test('keep their errors for a retry', async () => {
    const first = await send(request('', 'save'), 'key-12345')
    expect(first.effects.errors).toEqual({ draft: ['Write something.'] })
    expect((await send(request('', 'save'), 'key-12345')).effects).toEqual(first.effects)
  })

  test('store what has changed alone, since a retry brings the rest again', async () => {
    const settled = vi.spyOn(writes, 'settle')
    await send(request('x'.repeat(1000), 'save'), 'key-12345')
    expect(settled.mock.calls[0]?.[2].length).toBeLessThan(500)
    const first = await send(request('x'.repeat(1000), 'save', 'add'), 'key-67890')
    expect(await send(request('x'.repeat(1000), 'save', 'add'), 'key-67890')).toEqual(first)
  })

  test('refuse a key that belongs to another request', async () => {
    await send(request('x', 'save'), 'key-12345')
    await expect(send(request('y', 'save'), 'key-12345')).rejects.toMatchObject({
      code: 'KEY_REUSED',
      status: 422,
    })
    expect(times('save')).toBe(1)
  })

  test('of two people with the same key are two writes', async () => {
    await send(request('x', 'save'), 'key-12345')
    const binding = { build: 'b', user: 'bo', lineage: 'l' }
    const other = { actor: bo, binding }
    snapshot = (await mountComponent(scope(other), notes.with({ record: 1 }), { path: '/' }))
      .snapshot
    await send(request('x', 'save'), 'key-12345', other)
    expect(times('save')).toBe(2)
  })

  test('whose process died are not repeated, and the person is told', async () => {
    const body = request('x', 'save')
    await die(body)
    for (let retry = 0; retry < 3; retry++)
      await expect(send(body, 'key-12345')).rejects.toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        status: 503,
      })
    expect(times('save')).toBe(0)
  })

  test.each(['refused', 'busy'])('that were %s may be tried again', async (draft) => {
    const code = draft === 'busy' ? 'BUSY' : 'NOT_FOUND'
    for (let retry = 0; retry < 2; retry++)
      await expect(send(request(draft, 'save'), 'key-12345')).rejects.toMatchObject({ code })
    expect(times('save')).toBe(2)
  })

  test('that broke in the middle are not repeated', async () => {
    await expect(send(request('broken', 'save'), 'key-12345')).rejects.toThrow('broken')
    await expect(send(request('broken', 'save'), 'key-12345')).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    })
    expect(times('save')).toBe(1)
  })

  test('after which another one is refused are told as done, and not repeated', async () => {
    const sequence = defineComponent({
      name: 'notes',
      state: { record: v.number(), draft: v.string(), count: v.number() },
      writable: ['draft'],
      authorize: () => true,
      mount: () => ({ record: 1, draft: '', count: 0 }),
      actions: {
        save: { args: v.tuple([]), kind: 'write', run: () => void log.push('save') },
        refuse: {
          args: v.tuple([]),
          kind: 'write',
          run() {
            throw new AppError('NOT_FOUND')
          },
        },
      },
      view: () => null,
    })
    const components = new Map([['notes', sequence as unknown as Component]])
    for (let retry = 0; retry < 2; retry++) {
      const { effects } = await send(request('x', 'save', 'refuse', 'save'), 'key-12345', {
        components,
      })
      expect(effects).toEqual({
        returns: [null],
        errors: { '': ['There is nothing here, or you may not see it.'] },
      })
    }
    expect(times('save')).toBe(1)
  })

  test('that a mere reading goes before may be refused and tried again', async () => {
    for (let retry = 0; retry < 2; retry++)
      await expect(send(request('refused', 'add', 'save'), 'key-12345')).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
    expect(times('save')).toBe(2)
  })

  test('with an answer too long to keep are done all the same, and once', async () => {
    const draft = 'x'.repeat(5000)
    const first = await send(request(draft, 'save'), 'key-12345')
    expect(first.effects.returns).toEqual([draft])
    const again = await send(request(draft, 'save'), 'key-12345')
    expect(again.effects.shortened).toBe(true)
    expect(again.effects.returns).toEqual([expect.stringMatching(/^x+…$/)])
    expect(times('save')).toBe(1)
  })

  test('with a state too long to keep still give their answer to a retry', async () => {
    const draft = '漢'.repeat(1500)
    await send(request(draft, 'save'), 'key-12345')
    const again = await send(request(draft, 'save'), 'key-12345')
    expect(again.effects.returns).toEqual(['saved 1'])
    expect(times('save')).toBe(1)
  })

  test('whose record cannot be kept are told as unknown, and not repeated', async () => {
    const failing = { ...writes, settle: () => Promise.reject(new Error('disk full')) }
    await expect(
      send(request('x', 'save'), 'key-12345', { writes: failing }),
    ).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await expect(send(request('x', 'save'), 'key-12345')).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    })
    expect(times('save')).toBe(1)
  })

  test('need a key, and without one nothing has run', async () => {
    await expect(send(request('x', 'add', 'save'), null)).rejects.toMatchObject({
      code: 'REQUEST_MALFORMED',
    })
    expect(log).toEqual([])
  })

  test('done before a deploy are told by the next build, and not asked for again', async () => {
    const deployed = { binding: { build: 'next', user: 'ana', lineage: 'l' } }
    const body = request('x', 'save')
    await send(body, 'key-12345')
    expect(await prepare(scope(deployed), body, 'key-12345')).toEqual({
      outdated: true,
      returns: ['saved 1'],
    })
    expect(await prepare(scope(deployed), body, 'key-other')).toEqual({ outdated: true })
    expect(await prepare(scope(deployed), body, null)).toEqual({ outdated: true })
    expect(times('save')).toBe(1)
  })

  test('that the next build has called outdated do not run when a copy arrives late', async () => {
    const deployed = { binding: { build: 'next', user: 'ana', lineage: 'l' } }
    const body = request('x', 'save')
    expect(await prepare(scope(deployed), body, 'key-12345')).toEqual({ outdated: true })
    expect((await send(body, 'key-12345')).effects).toEqual({ outdated: true })
    expect(await prepare(scope(deployed), body, 'key-12345')).toEqual({ outdated: true })
    expect(times('save')).toBe(0)
  })

  test('that the next build calls outdated are called so to all copies at once', async () => {
    const deployed = { binding: { build: 'next', user: 'ana', lineage: 'l' } }
    const body = request('x', 'save')
    const copies = [1, 2].map(() => prepare(scope(deployed), body, 'key-12345'))
    expect(await Promise.all(copies)).toEqual([{ outdated: true }, { outdated: true }])
    expect(times('save')).toBe(0)
  })

  test('cut off by a deploy are told as unknown by the next build', async () => {
    const body = request('x', 'save')
    await die(body)
    const deployed = { binding: { build: 'next', user: 'ana', lineage: 'l' } }
    await expect(prepare(scope(deployed), body, 'key-12345')).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    })
  })

  test('leave no record where an action only reads', async () => {
    await send(request('x', 'add'), 'key-12345')
    await send(request('x', 'add'), 'key-12345')
    expect(times('add 1')).toBe(2)
  })
})

describe('a value that does not fit its schema', () => {
  const form = defineComponent({
    name: 'form',
    params: v.object({ record: v.number() }),
    state: {
      age: v.pipe(v.number(), v.maxValue(150, 'Nobody is as old.')),
      person: v.strictObject({ name: v.pipe(v.string(), v.minLength(1, 'Say a name.')) }),
      fixed: v.string(),
    },
    writable: ['age', 'person'],
    authorize: () => true,
    mount: () => ({
      age: 7,
      person: { name: 'Bo' },
      fixed: '',
    }),
    updated: () => void log.push('updated'),
    actions: { save: { args: v.tuple([]), kind: 'write', run: () => void log.push('save') } },
    view: ({ state }) => state,
  })
  const start = () => testComponent(form, { actor: ana, params: { record: 1 } })

  test('is told at its path, and nothing of the request is done', async () => {
    const page = await start()
    const before = [page.data, page.view]
    await page.set({ age: 151, 'person.name': '' })
    expect(page.effects).toEqual({
      errors: { age: ['Nobody is as old.'], 'person.name': ['Say a name.'] },
    })
    expect([page.data, page.view]).toEqual(before)
    expect(log).toEqual([])
    await page.set({ age: 150 })
    expect(page.view).toMatchObject({ age: 150 })
    expect(page.effects.errors).toBeUndefined()
  })

  test('leaves calls undone, and the snapshot as it was', async () => {
    const page = testScope(form)
    const { snapshot } = await page.opened
    const answer = await page.send({
      updates: { age: 'x', person: { name: 'A' } },
      calls: ['save'],
    })
    expect(answer).toEqual({
      snapshot,
      effects: { errors: { age: [expect.stringContaining('number')] } },
      view: null,
    })
    expect(log).toEqual([])
  })

  test.each([
    ['nowhere', 'UPDATE_INVALID'],
    ['age.years', 'UPDATE_INVALID'],
    ['fixed', 'PROPERTY_LOCKED'],
  ])('does not hide that %s is refused', async (path, code) => {
    const page = await start()
    await expect(page.set({ age: 'x', [path]: 1 })).rejects.toMatchObject({ code, status: 422 })
  })

  test('does not hide that a call is refused', async () => {
    const page = testScope(form)
    await expect(page.send({ updates: { age: 'x' }, calls: ['nothing'] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('state', () => {
  const leaky = (mount: () => object, change: (state: { a: unknown }) => void = () => {}) =>
    defineComponent({
      name: 'leaky',
      state: { a: v.pipe(v.number(), v.maxValue(3)) },
      authorize: () => true,
      mount: mount as () => { a: number },
      actions: { change: { args: v.tuple([]), run: ({ state }) => change(state) } },
      view: () => null,
    })
  const open = (...args: Parameters<typeof leaky>) => testComponent(leaky(...args), { actor: ana })

  test('is what was declared: nothing else is sealed', async () => {
    const page = await open(
      () => ({ a: 1, password: 'hunter2' }),
      (state) => Object.assign(state, { b: 2 }),
    )
    expect(page.data).toEqual({ a: 1 })
    await page.call.change()
    expect(page.data).toEqual({ a: 1 })
  })

  test('that does not fit is a mistake with a name', async () => {
    const sentence = /Component \[leaky\]: its state \[a\] does not fit its schema: /
    await expect(open(() => ({ a: 99 }))).rejects.toThrow(sentence)
    const page = await open(
      () => ({ a: 1 }),
      (state) => void (state.a = 'text'),
    )
    await expect(page.call.change()).rejects.toThrow(sentence)
  })

  test('that is too large to be opened again is never sealed', async () => {
    const big = defineComponent({
      name: 'big',
      state: { text: v.string() },
      authorize: () => true,
      mount: () => ({ text: '' }),
      actions: {
        grow: { args: v.tuple([]), run: ({ state }) => void (state.text = 'x'.repeat(140_000)) },
      },
      view: () => null,
    })
    const page = await testComponent(big, { actor: ana })
    await expect(page.call.grow()).rejects.toThrow(
      /The snapshot of component \[big\] has 140\d{3} characters, more than 131072\. Keep /,
    )
  })
})

describe('a declared write', () => {
  const component = defineComponent({
    name: 'writing',
    params: v.object({ record: v.number() }),
    state: { n: v.number() },
    dispatches: { saved: v.number() },
    authorize: () => true,
    mount: () => ({ n: 0 }),
    actions: {
      save: {
        args: v.tuple([]),
        kind: 'write',
        async run({ signal, effects }) {
          leave.abort()
          signal.throwIfAborted()
          log.push('save')
          effects.dispatch('saved', 1)
          effects.url('/?saved', 'replace')
          effects.download('/file', 'file')
          effects.redirect('/there')
        },
      },
    },
    view: () => null,
  })
  let leave: AbortController
  beforeEach(() => void (leave = new AbortController()))

  test('is not broken off when its person leaves', async () => {
    const page = testScope(component)
    const first = await page.send({ calls: ['save'] }, { over: { signal: leave.signal } })
    expect(leave.signal.aborted).toBe(true)
    expect(first.effects.returns).toEqual([null])
    expect(await page.send({ calls: ['save'] })).toEqual(first)
    expect(log).toEqual(['save'])
  })

  test('gives a retry all its effects', async () => {
    const page = testScope(component)
    for (let retry = 0; retry < 2; retry++)
      expect((await page.send({ calls: ['save'] })).effects).toEqual({
        dispatches: [{ name: 'saved', detail: 1 }],
        url: { href: '/?saved', mode: 'replace' },
        download: { href: '/file', name: 'file' },
        redirect: '/there',
        returns: [null],
      })
    expect(log).toEqual(['save'])
  })
})
