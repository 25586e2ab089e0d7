import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { defineComponent, type Intent, type MountContext } from '../../src/exports/index.ts'
import type { TypesOf } from '../../src/exports/protocol.ts'
import {
  type ReactComponent,
  useComponent,
  useDirty,
  useEntangled,
  useEvents,
  useLazy,
  useLoading,
} from '../../src/exports/react.ts'
import { testComponent } from '../../src/exports/testing.ts'

const actor = { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'admin' } as const
const state = { count: v.number(), note: v.nullable(v.string()), tags: v.array(v.string()) }
type State = { count: number; note: string | null; tags: string[] }

const ana = (name: string | undefined) => ({ name }).name

/** What every definition below needs, but no test is about. */
const rest = { authorize: () => true, actions: {}, view: () => null }

// These tests check types, which `npm run check` does; here they only run.
describe('a component', () => {
  const tally = defineComponent({
    name: 'tally',
    params: v.object({ from: v.number() }),
    state,
    writable: ['note', 'tags'],
    open({ params }) {
      expectTypeOf(params).toEqualTypeOf<{ from: number }>()
      return { label: params.from.toFixed() }
    },
    dispatches: { counted: v.object({ count: v.number() }) },
    authorize({ actor, state, opened, params }, intent) {
      expectTypeOf(state).toEqualTypeOf<Readonly<State>>()
      expectTypeOf(opened).toEqualTypeOf<{ label: string }>()
      expectTypeOf(params).toEqualTypeOf<{ from: number }>()
      expectTypeOf(intent).toEqualTypeOf<Intent>()
      return actor.role !== 'viewer'
    },
    mount(context) {
      expectTypeOf(context).toEqualTypeOf<MountContext<{ from: number }, { label: string }>>()
      return { count: context.params.from, note: null, tags: [] }
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
          expectTypeOf(by).toEqualTypeOf<number>()
          expectTypeOf(note).toEqualTypeOf<string | undefined>()
          effects.dispatch('counted', { count: state.count })
          // @ts-expect-error The detail has a number.
          void (() => effects.dispatch('counted', { count: '1' }))
          // @ts-expect-error There is no such event.
          void (() => effects.dispatch('other', { count: 1 }))
        },
      },
      history: {
        kind: 'query',
        args: v.strictTuple([]),
        run: async ({ opened }) => [
          { at: new Date(0), label: opened.label, ...(state && { by: ana(undefined) }) },
        ],
      },
      clear: {
        args: v.strictTuple([]),
        kind: 'write',
        run: ({ state }) => void (state.count = 0),
      },
    },
    on: {
      cleared: {
        detail: v.object({ by: v.string() }),
        run({ state }, { by }) {
          expectTypeOf(by).toEqualTypeOf<string>()
          state.note = by
        },
      },
    },
    load: async ({ state }) => {
      expectTypeOf(state).toEqualTypeOf<Readonly<State>>()
      return { data: { rows: [state.count] }, state: { count: 1 } }
    },
    view({ state, data, opened }) {
      expectTypeOf(data).toEqualTypeOf<{ rows: number[] }>()
      return { count: state.count, rows: data.rows, label: opened.label }
    },
  })
  type Tally = TypesOf<typeof tally>

  test('knows its state, its parameters, what it opens and what it reads', () => {
    expectTypeOf<Tally['state']>().toEqualTypeOf<State>()
    expectTypeOf<Tally['writable']>().toEqualTypeOf<'note' | 'tags'>()
    expectTypeOf<Tally['view']>().toEqualTypeOf<{ count: number; rows: number[]; label: string }>()
    expectTypeOf(tally.with).parameters.toEqualTypeOf<[params: { from: number }]>()
  })

  test('is called in the browser with its own arguments, and settles with what it returns', () => {
    // Hooks run inside React; here they only have to compile.
    void (() => {
      const { view, call, set, field, data }: ReactComponent<Tally> =
        useComponent<typeof tally>('tally')
      expectTypeOf(view.rows).toEqualTypeOf<number[]>()
      expectTypeOf(data).toEqualTypeOf<State>()
      expectTypeOf(call.add(1, 'note')).toEqualTypeOf<Promise<void>>()
      expectTypeOf(call.history()).resolves.toEqualTypeOf<
        { at: string; label: string; by?: string }[]
      >()
      // @ts-expect-error A text is no number.
      void call.add('1')
      // @ts-expect-error There is no such action.
      void call.subtract(1)
      set('note', 'x')
      set('tags.0', 'x')
      // @ts-expect-error Tags are a list.
      set('tags', 'x')
      // @ts-expect-error The count is locked.
      set('count', 1)
      field('note')
      // @ts-expect-error The count is locked.
      field('count')
    })
  })

  test('is known to every hook by its actions, properties and events', () => {
    void (() => {
      useLoading<typeof tally>('tally', { action: 'add', args: [1], delay: 'short' })
      useLoading<typeof tally>('tally', { property: 'tags.0' })
      // @ts-expect-error There is no such action.
      useLoading<typeof tally>('tally', { action: 'subtract' })
      // @ts-expect-error A text is no number.
      useLoading<typeof tally>('tally', { action: 'add', args: ['1'] })
      // @ts-expect-error There is no such delay.
      useLoading<typeof tally>('tally', { delay: 'eternal' })
      useDirty<typeof tally>('tally', 'note')
      // @ts-expect-error The count is locked.
      useDirty<typeof tally>('tally', 'count')
      const [note, setNote] = useEntangled<typeof tally, 'note'>('tally', 'note')
      expectTypeOf(note).toEqualTypeOf<string | null>()
      setNote((last) => `${last}!`)
      // @ts-expect-error A note is no number.
      setNote(1)
      useEvents<typeof tally>({
        counted: ({ count }) => expectTypeOf(count).toEqualTypeOf<number>(),
      })
      // @ts-expect-error It sends no such event.
      useEvents<typeof tally>({ other: () => undefined })
      const lazy = useLazy<typeof tally>('tally')
      expectTypeOf(lazy?.view.count).toEqualTypeOf<number | undefined>()
      expectTypeOf(tally.lazy).parameters.toEqualTypeOf<[params: { from: number }]>()
    })
  })

  test('without parameters needs none', () => {
    const bare = defineComponent({ ...rest, name: 'bare', state: {}, mount: () => ({}) })
    expectTypeOf(bare.with).parameters.toEqualTypeOf<[]>()
    // @ts-expect-error It declares no parameters.
    void (() => bare.with({ from: 1 }))
  })

  test('may have a state that its parameters decide', () => {
    defineComponent({
      name: 'fields',
      params: v.object({ fields: v.array(v.string()) }),
      state: ({ fields }) => Object.fromEntries(fields.map((name) => [name, v.string()])),
      authorize: () => true,
      mount: ({ params }) => Object.fromEntries(params.fields.map((name) => [name, ''])),
      actions: {
        clear: {
          args: v.strictTuple([v.string()]),
          run({ state }, name) {
            expectTypeOf(state).toEqualTypeOf<{ [field: string]: string }>()
            state[name] = ''
          },
        },
      },
      view: ({ state }) => state,
    })
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
    params: v.object({ from: v.number() }),
    state: { count: v.number() },
    mount: ({ params: { from } }) => ({ count: from }),
    actions: { add: { args: v.strictTuple([v.number()]), run: (_, by) => by } },
  })

  test('wants the parameters of the component, and somebody who acts', async () => {
    const page = await testComponent(tally, { actor, params: { from: 1 } })
    expectTypeOf(page.data).toEqualTypeOf<{ count: number }>()
    expectTypeOf(page.call.add).toEqualTypeOf<(by: number) => Promise<number>>()
    // @ts-expect-error `from` is a number.
    void (() => testComponent(tally, { actor, params: { from: '1' } }))
    // @ts-expect-error Nobody acts.
    void (() => testComponent(tally, { params: { from: 1 } }))
  })
})
