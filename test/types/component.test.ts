import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  type Component,
  type Context,
  defineComponent,
  type EffectSink,
  type Intent,
} from '../../src/exports/index.ts'
import type { Json } from '../../src/exports/protocol.ts'
import { type ComponentTester, testComponent } from '../../src/exports/testing.ts'

const actor = { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'admin' } as const
const state = { count: v.number(), note: v.nullable(v.string()), tags: v.array(v.string()) }
type State = { count: number; note: string | null; tags: string[] }

/** What every definition below has, and none is about. */
const rest = { authorize: () => true, actions: {}, view: () => null }

// The tests hold types; that they hold is what the compiler says, in the last one.
describe('a component', () => {
  test('knows its state, its arguments and its parameters by their schemas', () => {
    const tally = defineComponent({
      name: 'tally',
      state,
      writable: ['note', 'tags'],
      authorize(context, intent) {
        expectTypeOf(context).toEqualTypeOf<Context<State>>()
        expectTypeOf(intent).toEqualTypeOf<Intent>()
        return context.actor.role !== 'viewer'
      },
      mount(context, params: { from: number }) {
        expectTypeOf(context).not.toHaveProperty('state')
        return { count: params.from, note: null, tags: [] }
      },
      updated({ state }, paths) {
        expectTypeOf(state).toEqualTypeOf<State>()
        expectTypeOf(paths).toEqualTypeOf<readonly string[]>()
      },
      actions: {
        add: {
          args: v.strictTuple([v.number(), v.optional(v.string())]),
          run({ state, effects }, by, note) {
            expectTypeOf(state).toEqualTypeOf<State>()
            expectTypeOf(effects).toEqualTypeOf<EffectSink>()
            expectTypeOf(by).toEqualTypeOf<number>()
            expectTypeOf(note).toEqualTypeOf<string | undefined>()
          },
        },
        clear: { args: v.strictTuple([]), write: true, run: ({ state }) => void (state.count = 0) },
      },
      view: ({ state }) => ({ count: state.count }),
    })
    expectTypeOf(tally).toEqualTypeOf<Component<{ from: number }>>()
  })

  test('without parameters needs none', () => {
    const bare = defineComponent({ ...rest, name: 'bare', state: {}, mount: () => ({}) })
    expectTypeOf(bare).toEqualTypeOf<Component<void>>()
  })

  test('cannot let the browser write what it does not declare', () => {
    const mount = () => ({ count: 0, note: null, tags: [] })
    // @ts-expect-error There is no property `total`.
    defineComponent({ ...rest, name: 'wrong', state, writable: ['total'], mount })
    // @ts-expect-error A path is not a name.
    defineComponent({ ...rest, name: 'wrong', state, writable: ['tags.0'], mount })
    defineComponent({ ...rest, name: 'right', state, writable: ['tags'], mount })
  })

  test('starts with exactly the state that it declares', () => {
    // @ts-expect-error `note` and `tags` are missing.
    defineComponent({ ...rest, name: 'wrong', state, mount: () => ({ count: 0 }) })
    const mount = () => ({ count: '0', note: '', tags: [] })
    // @ts-expect-error `count` is a number.
    defineComponent({ ...rest, name: 'wrong', state, mount })
  })

  test('keeps in its state only what JSON can say', () => {
    const [at, id] = [v.date(), v.bigint()]
    const mount = (): never => expect.unreachable()
    // @ts-expect-error A date is not JSON.
    defineComponent({ ...rest, name: 'wrong', state: { at }, mount })
    // @ts-expect-error A bigint is not JSON.
    defineComponent({ ...rest, name: 'wrong', state: { id }, mount })
  })

  test('has arguments as a list', () => {
    defineComponent({
      ...rest,
      name: 'wrong',
      state,
      mount: () => ({ count: 0, note: null, tags: [] }),
      // @ts-expect-error The schema of the arguments is one of a list.
      actions: { add: { args: v.string(), run: () => {} } },
    })
  })

  test('has to say who may use it', () => {
    const mount = () => ({})
    // @ts-expect-error `authorize` is missing.
    void (() => defineComponent({ name: 'wrong', state: {}, mount, actions: {}, view: mount }))
  })
})

describe('testComponent', () => {
  const tally = defineComponent({
    ...rest,
    name: 'tally',
    state: { count: v.number() },
    mount: (_context, { from }: { from: number }) => ({ count: from }),
  })

  test('wants the parameters of the component, and somebody who acts', async () => {
    const page = await testComponent(tally, { actor, params: { from: 1 } })
    expectTypeOf(page).toEqualTypeOf<ComponentTester>()
    expectTypeOf(page.call).returns.toEqualTypeOf<Promise<Json>>()
    // @ts-expect-error `from` is a number.
    void (() => testComponent(tally, { actor, params: { from: '1' } }))
    // @ts-expect-error Nobody acts.
    void (() => testComponent(tally, { params: { from: 1 } }))
  })
})

test('the types are as these tests say', () => {
  const root = join(import.meta.dirname, '../..')
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'test/types'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})
