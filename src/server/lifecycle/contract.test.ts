/** The component contract: parameters, reading, queries, events, and what is done side by side. */

import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import type { UpdateResponse } from '../../protocol/wire.ts'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { type AnyComponent, defineComponent } from '../component/define.ts'
import { testComponent } from '../component/test-component.ts'
import { KeyRing } from '../keys.ts'
import { answerUpdate, parseUpdate } from '../update/update.ts'
import type { RequestScope } from './request-scope.ts'
import { memoryIdempotency } from './memory-idempotency.ts'
import { mountComponent } from './mount.ts'
import { prepare } from './prepare.ts'
import { run } from './run.ts'

const ana: Actor = { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'admin' }
const none = v.strictTuple([])

/** Everything that happened, in order. */
let log: string[]
/** What the components below read. */
let stock: { version: string | null; rows: number }

beforeEach(() => {
  log = []
  stock = { version: '1', rows: 3 }
})

const shelf = defineComponent({
  name: 'shelf',
  params: v.object({ of: v.string() }),
  state: ({ of }) => ({ [of]: v.nullable(v.number()), page: v.number() }),
  writable: ['books'],
  open: ({ params, actor }) => {
    log.push(`open ${params.of} for ${actor.id}`)
    if (params.of === 'gone') throw new AppError('NOT_FOUND')
    return params.of.toUpperCase()
  },
  authorize: () => true,
  mount: ({ params, query }) => ({ [params.of]: Number(query.get('n') ?? 0), page: 9 }),
  actions: {
    turn: { args: v.strictTuple([v.number()]), run: ({ state }, page) => void (state.page = page) },
    count: {
      kind: 'query',
      args: none,
      run({ state }) {
        log.push('count')
        state.page = 99
        return stock.rows
      },
    },
    shout: { kind: 'query', args: none, run: ({ effects }) => effects.error('', 'No.') },
    bad: { kind: 'query', args: none, run: () => Promise.reject(new AppError('QUERY_TIMEOUT')) },
  },
  dependsOn: () => stock.version,
  load({ state }) {
    log.push('load')
    return { data: stock.rows, state: { page: Math.min(state.page, stock.rows) } }
  },
  view: ({ state, data, opened }) => ({ of: opened, page: state.page, rows: data }),
})

const openShelf = (of = 'books') => testComponent(shelf, { actor: ana, params: { of } })

describe('parameters', () => {
  test('decide the state, are sealed, and are opened by each request', async () => {
    const page = await openShelf()
    await page.set({ books: 5 })
    expect(page.data).toEqual({ books: 5, page: 3 })
    // Once for the page; then before the update, and again before the view.
    expect(log.filter((entry) => entry.startsWith('open'))).toEqual(
      Array(3).fill('open books for ana'),
    )
    await expect(page.set({ films: 5 })).rejects.toMatchObject({ code: 'UPDATE_INVALID' })
  })

  test('that lead nowhere are refused by whoever opens them', async () => {
    await expect(openShelf('gone')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('that do not fit their schema are a mistake with a name', async () => {
    const wrong = testComponent(shelf, { actor: ana, params: { of: 1 as unknown as string } })
    await expect(wrong).rejects.toThrow(
      /^Component \[shelf\]: its params do not fit their schema: \[of\]: .* \(slot \[shelf\] of the page at \[\/test\]\)$/,
    )
  })
})

describe('reading', () => {
  test('decides the next state before it is sealed, and the view shows it', async () => {
    const page = await openShelf()
    expect(page.view).toEqual({ of: 'BOOKS', page: 3, rows: 3 })
    stock = { version: '2', rows: 2 }
    await page.call.turn(8)
    expect(page.data).toEqual({ books: 0, page: 2 })
    expect(page.view).toEqual({ of: 'BOOKS', page: 2, rows: 2 })
  })

  test('is spared where what it depends on stands', async () => {
    const page = await openShelf()
    log = []
    await page.refresh()
    expect(log).toEqual(['open books for ana'])
    expect(page.effects).toEqual({})
    stock = { version: '2', rows: 5 }
    await page.refresh()
    expect(log).toContain('load')
    expect(page.view).toMatchObject({ rows: 5 })
  })

  test('waits for the browser where a page mounts it lazily', async () => {
    const own = scope(shelf)
    const mounted = await mountComponent(own, shelf.lazy({ of: 'books' }), { path: '/test' })
    expect(mounted).toMatchObject({ view: null, lazy: true })
    expect(log).toEqual(['open books for ana'])
    const body = { snapshot: mounted.snapshot, updates: {}, calls: [] }
    const prepared = await prepare(own, body, null)
    if ('outdated' in prepared) expect.unreachable()
    else expect(JSON.parse((await run(own, prepared)).view!)).toMatchObject({ rows: 3 })
  })

  test('is not spared where nobody can tell, nor after something has run', async () => {
    stock.version = null
    const page = await openShelf()
    log = []
    await page.refresh()
    expect(log).toContain('load')
    stock.version = '1'
    await page.refresh()
    log = []
    await page.call.turn(1)
    expect(log).toContain('load')
  })
})

describe('what a component stands for', () => {
  const names = new Map([[1, 'Left']])
  const shelfOf = defineComponent({
    name: 'named-shelf',
    params: v.object({ id: v.number() }),
    state: {},
    async open({ params }) {
      const name = await Promise.resolve(names.get(params.id))
      if (name === undefined) throw new AppError('NOT_FOUND')
      return { name }
    },
    authorize: ({ opened }) => opened.name !== 'Secret',
    mount: () => ({}),
    actions: {
      rename: {
        kind: 'write',
        args: v.strictTuple([v.string()]),
        run: ({ params }, name) => void names.set(params.id, name),
      },
    },
    view: ({ opened }) => opened.name,
  })
  beforeEach(() => void names.set(1, 'Left'))

  test('may be looked up in its own time, and is looked up again once something has run', async () => {
    const page = await testComponent(shelfOf, { actor: ana, params: { id: 1 } })
    await page.call.rename('Right')
    expect(page.view).toBe('Right')
  })

  test('that is not there is refused, as a promise as well', async () => {
    const open = testComponent(shelfOf, { actor: ana, params: { id: 2 } })
    await expect(open).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is authorized as it is after a write, which stays done', async () => {
    const page = await testComponent(shelfOf, { actor: ana, params: { id: 1 } })
    await page.ask('rename', 'Secret')
    expect(page.view).toBe('Left')
    expect(page.effects).toMatchObject({ returns: [null], errors: { '': [expect.any(String)] } })
    expect(names.get(1)).toBe('Secret')
  })
})

describe('a snapshot of other code', () => {
  const define = (state: object) =>
    defineComponent({
      name: 'changing',
      state: state as { n: v.NumberSchema<undefined> },
      authorize: () => true,
      mount: () => ({ n: 1 }),
      actions: {},
      view: ({ state }) => state,
    })

  test.each([
    ['has one more property', { n: v.number(), note: v.string() }],
    ['has one less', {}],
    ['has another type', { n: v.string() }],
  ])('is outdated where the state %s', async (_, state) => {
    const before = define({ n: v.number() })
    const { snapshot } = await mountComponent(scope(before), before.with(), { path: '/' })
    const parts = [{ snapshot, updates: {}, calls: [] }]
    const answer = await answerUpdate(
      scope(define(state)),
      parseUpdate({ _token: '', components: parts }),
      null,
      { version: '1' },
    )
    expect((JSON.parse(answer) as UpdateResponse).components[0]?.effects).toEqual({
      outdated: true,
    })
  })

  test('is not checked again by the process that sealed it', async () => {
    const strict = define({ n: v.number() })
    const own = { ...scope(strict), binding: { ...scope(strict).binding, process: 'p' } }
    const { snapshot } = await mountComponent(own, strict.with(), { path: '/' })
    const changed = {
      ...own,
      components: new Map([['changing', define({ n: v.number(), note: v.string() })]]),
    }
    const body = parseUpdate({ _token: '', components: [{ snapshot, updates: {}, calls: [] }] })
    const answer = await answerUpdate(changed, body, null, { version: '1' })
    expect((JSON.parse(answer) as UpdateResponse).components[0]?.effects.outdated).toBeUndefined()
  })
})

describe('what is kept of a write whose view fails', () => {
  test('is all that it asked of the browser', async () => {
    const failing = defineComponent({
      name: 'failing',
      state: { isBroken: v.boolean() },
      dispatches: { saved: v.number() },
      authorize: () => true,
      mount: () => ({ isBroken: false }),
      actions: {
        save: {
          kind: 'write',
          args: none,
          run({ state, effects }) {
            state.isBroken = true
            effects.dispatch('saved', 1)
          },
        },
      },
      load({ state }) {
        if (state.isBroken) throw new AppError('QUERY_TIMEOUT')
        return { data: null }
      },
      view: () => null,
    })
    const page = await testComponent(failing, { actor: ana })
    await page.call.save()
    expect(page.effects).toEqual({
      returns: [null],
      dispatches: [{ name: 'saved', detail: 1 }],
      errors: { '': ['The database took too long to answer.'] },
    })
  })
})

describe('a query', () => {
  test('answers, and leaves snapshot, state and view as they were', async () => {
    const page = await openShelf()
    const { data, view } = page
    log = []
    expect(await page.call.count()).toBe(3)
    expect(log).toEqual(['open books for ana', 'count'])
    expect([page.data, page.view]).toEqual([data, view])
    expect(page.effects).toEqual({ returns: [3] })
  })

  test('is named on the page, so that the browser sends it beside everything else', async () => {
    const { queries } = await mountComponent(scope(shelf), shelf.with({ of: 'books' }), {
      path: '/',
    })
    expect(queries).toEqual(['count', 'shout', 'bad'])
  })

  test('can ask nothing of the browser', async () => {
    const page = await openShelf()
    await expect(page.call.shout()).rejects.toThrow(/^A query only answers\./)
  })

  test('that fails is refused with its own code', async () => {
    const page = await openShelf()
    await expect(page.call.bad()).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
  })
})

const keys = new KeyRing([randomBytes(32)])

const scope = (...components: AnyComponent[]): RequestScope => ({
  keys,
  components: new Map(components.map((component) => [component.name, component])),
  writes: memoryIdempotency(),
  running: new Map(),
  binding: { build: 'b', user: 'ana', lineage: 'l' },
  actor: ana,
  locale: 'en-US',
  language: 'en',
  signal: new AbortController().signal,
})

/** Puts components on a page by id, and sends one batch with a call to each. */
async function batch(
  components: { [id: string]: AnyComponent },
  calls: { [id: string]: string },
): Promise<UpdateResponse['components']> {
  const own = scope(...Object.values(components))
  const ids = Object.keys(components)
  const parts = []
  for (const id of ids) {
    const mounted = { component: components[id]!, params: null }
    const { snapshot } = await mountComponent(own, mounted, { id, path: '/' })
    const method = calls[id]
    parts.push({ snapshot, updates: {}, calls: method ? [{ method, params: [] }] : [] })
  }
  log = []
  const body = parseUpdate({ _token: '', components: parts })
  const answer = await answerUpdate(own, body, 'key-12345', { version: '1' })
  return (JSON.parse(answer) as UpdateResponse).components
}

describe('a batch', () => {
  /** Runs only once the other one runs as well. */
  const meeting = () => {
    const met = new Map(['left', 'right'].map((id) => [id, Promise.withResolvers<void>()]))
    const define = (name: string, other: string) =>
      defineComponent({
        name,
        state: {},
        authorize: () => true,
        mount: () => ({}),
        actions: {
          meet: {
            args: none,
            async run() {
              met.get(name)!.resolve()
              await met.get(other)!.promise
              return name
            },
          },
        },
        view: () => null,
      })
    return { left: define('left', 'right'), right: define('right', 'left') }
  }

  test('runs independent components side by side', async () => {
    const answers = await batch(meeting(), { left: 'meet', right: 'meet' })
    expect(answers.map(({ effects }) => effects.returns)).toEqual([['left'], ['right']])
  })

  const source = defineComponent({
    name: 'source',
    state: { n: v.number() },
    dispatches: { saved: v.object({ n: v.number() }) },
    authorize: () => true,
    mount: () => ({ n: 0 }),
    actions: {
      save: {
        args: none,
        async run({ state, effects }) {
          await Promise.resolve()
          log.push('save')
          state.n++
          effects.dispatch('saved', { n: state.n })
        },
      },
      cheat: { args: none, run: ({ effects }) => effects.dispatch('other' as 'saved', { n: 1 }) },
    },
    view: ({ state }) => state.n,
  })

  const listener = defineComponent({
    name: 'listener',
    state: { heard: v.number() },
    authorize: (_context, intent) => intent.kind !== 'event' || intent.event === 'saved',
    mount: () => ({ heard: 0 }),
    actions: {},
    on: {
      saved: {
        detail: v.object({ n: v.number() }),
        run({ state }, { n }) {
          log.push(`heard ${n}`)
          state.heard += n
        },
      },
      denied: { detail: v.number(), run: () => expect.unreachable() },
    },
    view: ({ state }) => state.heard,
  })

  test('runs a listener after the component whose event it takes, wherever they stand', async () => {
    const [heard, saved] = await batch({ a: listener, b: source }, { b: 'save' })
    expect(log).toEqual(['save', 'heard 1'])
    expect(heard?.effects).toEqual({ view: 1, heard: [{ from: 'b', event: 'saved' }] })
    expect(saved?.effects.dispatches).toEqual([{ name: 'saved', detail: { n: 1 } }])
  })

  test('tells a page which channels its state asks for, and then of those that are new', async () => {
    const filtered = defineComponent({
      name: 'filtered',
      state: { by: v.array(v.string()) },
      writable: ['by'],
      channels: ({ state }) => ['a', ...state.by],
      authorize: () => true,
      mount: () => ({ by: ['b'] }),
      actions: { clear: { args: none, run: ({ state }) => void (state.by = []) } },
      view: ({ state }) => state.by.length,
    })
    const page = await mountComponent(scope(filtered), filtered.with(), { path: '/' })
    expect(page.channels).toEqual(['a', 'b'])
    const tester = await testComponent(filtered, { actor: ana })
    const asked = async (by: string[]) => {
      await tester.set({ by })
      return tester.effects.channels
    }
    expect(await asked(['b', 'c'])).toEqual(['a', 'b', 'c'])
    expect(await asked(['c'])).toBeUndefined()
    expect(await asked(['d'])).toEqual(['a', 'd'])
  })

  test('tells a page of what a component listens to, and takes an event that is passed on', async () => {
    const page = await mountComponent(scope(listener), listener.with(), { path: '/' })
    expect(page.listens).toEqual(['saved', 'denied'])
    const tester = await testComponent(listener, { actor: ana })
    await tester.ask('on:saved', { n: 4 })
    expect(tester.view).toBe(4)
    await expect(tester.ask('on:saved', 'four')).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
    })
    await expect(tester.ask('on:denied', 1)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(tester.ask('on:unknown', 1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('of two that listen to each other begins with the first', async () => {
    const echo = (name: string) =>
      defineComponent({
        name,
        state: { heard: v.array(v.string()) },
        dispatches: { called: v.string() },
        authorize: () => true,
        mount: () => ({ heard: [] }),
        actions: { call: { args: none, run: ({ effects }) => effects.dispatch('called', name) } },
        on: { called: { detail: v.string(), run: ({ state }, by) => void state.heard.push(by) } },
        view: ({ state }) => state.heard,
      })
    const answers = await batch(
      { one: echo('one'), two: echo('two') },
      { one: 'call', two: 'call' },
    )
    const heard = answers.map(({ effects }) => effects.heard ?? [])
    expect(heard).toEqual([[], [{ from: 'one', event: 'called' }]])
  })

  test('knows no event that was not declared', async () => {
    const page = await testComponent(source, { actor: ana })
    await expect(page.call.cheat()).rejects.toThrow(
      'Component [source] dispatches [other], which its `dispatches` does not declare.',
    )
  })
})

test('what JSON cannot express is a mistake with a name', async () => {
  const acts = defineComponent({
    name: 'acts',
    state: { isBig: v.boolean() },
    authorize: () => true,
    mount: () => ({ isBig: false }),
    actions: {
      big: { kind: 'query', args: none, run: () => 1n },
      grow: { args: none, run: ({ state }) => void (state.isBig = true) },
    },
    view: ({ state }) => (state.isBig ? 1n : 1),
  })
  const page = await testComponent(acts, { actor: ana })
  await expect(page.call.big()).rejects.toThrow(
    /^Component \[acts\]: its action \[big\] returned something that JSON cannot express /,
  )
  await expect(page.call.grow()).rejects.toThrow(
    /^Component \[acts\]: its view returned something /,
  )
})

test('one component may stand on a page more than once, each with an id of its own', async () => {
  const own = scope(shelf)
  const mounted = await Promise.all(
    ['books', 'films'].map((of) =>
      mountComponent(own, shelf.with({ of }), { id: `shelf-${of}`, path: '/' }),
    ),
  )
  expect(mounted.map(({ id, name }) => [id, name])).toEqual([
    ['shelf-books', 'shelf'],
    ['shelf-films', 'shelf'],
  ])
  const parts = mounted.map(({ snapshot }) => ({ snapshot, updates: {}, calls: [] }))
  const body = parseUpdate({ _token: '', components: parts })
  const answer = JSON.parse(await answerUpdate(own, body, null, { version: '1' })) as UpdateResponse
  expect(answer.components.map(({ snapshot }) => snapshot)).toEqual(
    mounted.map(({ snapshot }) => snapshot),
  )
})
