import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import type { Json } from '../../protocol/json.ts'
import { UPDATE_LIMITS, type UpdateResponse } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import { type Broadcast, defineChannel } from '../channel/channel.ts'
import { type Component, defineComponent } from '../component/define.ts'
import { KeyRing } from '../keys.ts'
import type { RequestScope } from '../lifecycle/request-scope.ts'
import { mountComponent } from '../lifecycle/mount.ts'
import { memoryIdempotency } from '../lifecycle/memory-idempotency.ts'
import { answerUpdate, parseIdempotencyKey, parseUpdate } from './update.ts'

const part = (over = {}) => ({ snapshot: 's', updates: {}, calls: [], ...over })
const call = { method: 'm', params: [] }
const body = (...components: Json[]): Json => ({ _token: 't', components })
const invalid = expect.objectContaining({ code: 'REQUEST_INVALID', status: 422 })
const many = <T>(length: number, value: T) => Array.from({ length }, () => value)

describe('a request', () => {
  test('is read as it was sent', () => {
    const whole = body(
      part({ updates: { search: [{ a: null }] }, calls: [{ method: 'm', params: [1, 'x', {}] }] }),
      part(),
    )
    expect(parseUpdate(whole)).toEqual(whole)
  })

  test.each<[string, Json]>([
    ['null', null],
    ['a list', []],
    ['a text', 'x'],
    ['nothing', {}],
    ['no token', { components: [part()] }],
    ['a token that is a list', { _token: ['t'], components: [part()] }],
    ['no components', { _token: 't' }],
    ['an empty list', body()],
    ['components as an object', { _token: 't', components: { 0: part(), length: 1 } }],
    ['a null component', body(null)],
    ['a snapshot that is an object', body(part({ snapshot: { data: {} } }))],
    ['a snapshot that is a list', body(part({ snapshot: ['s'] }))],
    ['updates as a list', body(part({ updates: [] }))],
    ['updates as null', body(part({ updates: null }))],
    ['calls as an object', body(part({ calls: {} }))],
    ['a call without parameters', body(part({ calls: [{ method: 'm' }] }))],
    ['parameters as an object', body(part({ calls: [{ method: 'm', params: {} }] }))],
    ['a method that is a list', body(part({ calls: [{ method: ['m'], params: [] }] }))],
    ['an unknown field', { _token: 't', components: [part()], more: 1 }],
    ['an unknown field in a component', body(part({ more: 1 }))],
    ['an unknown field in a call', body(part({ calls: [{ ...call, path: '' }] }))],
    ['an inherited name as a field', body(part({ toString: 1 }))],
    ['too many components', body(...many(UPDATE_LIMITS.components + 1, part()))],
    ['too many calls', body(part({ calls: many(UPDATE_LIMITS.calls + 1, call) }))],
    [
      'too many calls over all components',
      body(...many(3, part({ calls: many(Math.ceil(UPDATE_LIMITS.calls / 2), call) }))),
    ],
    [
      'too many updates',
      body(
        part({
          updates: Object.fromEntries(
            Array.from({ length: UPDATE_LIMITS.updates + 1 }, (_, at) => [`p${at}`, 1]),
          ),
        }),
      ),
    ],
  ])('is refused with %s', (_, whole) => {
    expect(() => parseUpdate(whole)).toThrow(invalid)
  })

  test('may be as large as the limits say', () => {
    const updates = Object.fromEntries(
      Array.from({ length: UPDATE_LIMITS.updates }, (_, at) => [`p${at}`, 1]),
    )
    const full = part({ updates, calls: many(UPDATE_LIMITS.calls, call) })
    const others = many(UPDATE_LIMITS.components - 1, part())
    expect(parseUpdate(body(full, ...others)).components).toHaveLength(UPDATE_LIMITS.components)
  })

  test('of any shape is read or refused, never an error of ours', () => {
    const noise = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>
    const shaped = fc.record(
      {
        _token: fc.oneof(fc.string(), noise),
        components: fc.array(
          fc.record(
            {
              snapshot: fc.oneof(fc.string(), noise),
              updates: fc.oneof(fc.dictionary(fc.string(), noise), noise),
              calls: fc.oneof(fc.constant([]), noise),
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(fc.oneof(noise, shaped), (whole) => {
        try {
          parseUpdate(whole)
        } catch (error) {
          expect(error).toEqual(invalid)
        }
      }),
      { numRuns: runs(2000) },
    )
  })
})

describe('an idempotency key', () => {
  test.each([
    '12345678',
    'a'.repeat(64),
    '3f0c0a9e-5c8e-4f4e-9a0e-6d1f1a2b3c4d',
    'abcdefgh.19',
    'abcdefgh.1.2',
  ])('may be %j', (key) => expect(parseIdempotencyKey(key)).toBe(key))

  test('may be missing', () => expect(parseIdempotencyKey(undefined)).toBe(null))

  test.each([
    '',
    'short',
    'a'.repeat(65),
    'a b c d e f g',
    'abcdefgh.',
    'abcdefgh.123',
    'abcdefgh.1.2.3',
    'ключ-ключ',
    'a,b,c,d,e',
    'abcdefgh\n',
  ])('may not be %j', (key) =>
    expect(() => parseIdempotencyKey(key)).toThrow(
      expect.objectContaining({ code: 'REQUEST_MALFORMED' }),
    ),
  )
})

describe('an answer', () => {
  const keys = new KeyRing([randomBytes(32)])
  const actor = { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'admin' } as const
  const assets = { version: 'v1' }
  let ran: string[]
  let shown: unknown

  const room = defineChannel('private-room', {
    authorize: () => true,
    events: { said: v.string() },
  })
  const define = (name: string) =>
    defineComponent({
      name,
      state: { text: v.string() },
      writable: ['text'],
      dispatches: { said: v.record(v.string(), v.string()) },
      authorize: (_context, intent) => intent.kind !== 'call' || intent.action !== 'forbidden',
      mount: () => ({ text: '' }),
      actions: {
        show: { args: v.tuple([v.any()]), run: (_context, value) => (ran.push(name), value) },
        write: {
          args: v.tuple([]),
          kind: 'write',
          run({ effects }) {
            ran.push(`${name} writes`)
            effects.broadcast(room, {}, 'said', 'written')
          },
        },
        prefer: {
          args: v.tuple([]),
          kind: 'write',
          changesRows: false,
          run: () => void ran.push('preferred'),
        },
        say: {
          args: v.tuple([v.array(v.any())]),
          run({ effects }, details: Json[]) {
            for (const detail of details) effects.broadcast(room, {}, 'said', detail as string)
          },
        },
        everything: {
          args: v.tuple([v.string()]),
          run({ effects }, text) {
            effects.error(text, text)
            effects.dispatch('said', { [text]: text })
            effects.url(`/?${text}`)
            effects.download(text, text)
          },
        },
        forbidden: { args: v.tuple([]), run: () => void ran.push('forbidden') },
        refuse: {
          args: v.tuple([v.picklist(['NOT_FOUND', 'BUSY', 'bug'])]),
          run(_context, code) {
            if (code === 'bug') throw new TypeError('secret inside')
            throw new AppError(code)
          },
        },
      },
      view: () => shown,
    })
  const [first, second] = [define('first'), define('second')]
  const writes = memoryIdempotency()
  const scope = (over: Partial<RequestScope> = {}): RequestScope => ({
    keys,
    components: new Map([first, second].map((component) => [component.name, component])),
    writes,
    running: new Map(),
    binding: { build: 'b', user: 'ana', lineage: 'l' },
    actor,
    locale: 'en-US',
    language: 'en',
    signal: new AbortController().signal,
    ...over,
  })
  const mount = (component: Component<void>, over = {}) =>
    mountComponent(scope(over), component.with(), { path: '/' })
  const answerIn = async (
    over: Partial<RequestScope>,
    key: string | null,
    ...components: object[]
  ): Promise<UpdateResponse> =>
    parsed(
      await answerUpdate(scope(over), parseUpdate(body(...(components as Json[]))), key, assets),
    )
  const answer = (key: string | null, ...components: object[]) => answerIn({}, key, ...components)
  const parsed = (answer: string) => JSON.parse(answer) as UpdateResponse
  const calls = (method: string, ...params: Json[]) => [{ method, params }]

  beforeEach(() => {
    ran = []
    shown = { some: 'view' }
  })

  test('stands in the place of its question', async () => {
    const [one, two] = [await mount(first), await mount(second)]
    const { components, assets: told } = await answer(
      null,
      { snapshot: two.snapshot, updates: {}, calls: calls('show', 2) },
      { snapshot: one.snapshot, updates: {}, calls: calls('show', 1) },
    )
    expect(components.map(({ effects }) => effects.returns)).toEqual([[2], [1]])
    expect(ran).toEqual(['second', 'first'])
    expect(told).toEqual(assets)
  })

  test('leaves out a view that has not changed, and brings one that has', async () => {
    const { snapshot } = await mount(first)
    const same = await answer(null, { snapshot, updates: {}, calls: [] })
    expect(same.components[0]?.effects).toEqual({})
    shown = { another: 'view' }
    const other = await answer(null, { snapshot, updates: {}, calls: [] })
    expect(other.components[0]?.effects).toEqual({ view: { another: 'view' } })
    const again = await answer(null, {
      snapshot: other.components[0]!.snapshot,
      updates: {},
      calls: [],
    })
    expect(again.components[0]?.effects).toEqual({})
  })

  const awkward: [string, unknown, Json][] = [
    ['nothing', undefined, null],
    ['null', null, null],
    ['an empty object', {}, {}],
    ['an empty text', '', ''],
    ['no number', Number.NaN, null],
    ['zero', 0, 0],
    ['line separators', '\u2028\u2029', '\u2028\u2029'],
    ['a script', '</script><!--', '</script><!--'],
    ['braces', '}"view":null}', '}"view":null}'],
    ['half a character', '\ud800', '\ud800'],
    ['a function', () => 1, null],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['holes', { a: undefined, b: [undefined] }, { b: [null] }],
  ]
  test.each(awkward)('with %s in it is valid JSON', async (_, value, expected) => {
    const { snapshot } = await mount(first)
    shown = [value, 'else']
    shown = value === null || value === undefined ? value : shown
    const { components } = await answer(null, {
      snapshot,
      updates: { text: '}' },
      calls: calls('everything', '"},{\u2028\\'),
    })
    expect(components[0]?.effects).toEqual({
      errors: { '"},{\u2028\\': ['"},{\u2028\\'] },
      dispatches: [{ name: 'said', detail: { '"},{\u2028\\': '"},{\u2028\\' } }],
      url: { href: '/?"},{\u2028\\', mode: 'push' },
      download: { href: '"},{\u2028\\', name: '"},{\u2028\\' },
      returns: [null],
      view: value === null || value === undefined ? null : [expected, 'else'],
    })
  })

  test('is refused whole before anything has run', async () => {
    const [one, two] = [await mount(first), await mount(second)]
    const good = { snapshot: one.snapshot, updates: { text: 'x' }, calls: calls('write') }
    const bad: [object, string][] = [
      [{ snapshot: 'forged', updates: {}, calls: [] }, 'PAGE_EXPIRED'],
      [{ snapshot: two.snapshot, updates: { other: 1 }, calls: [] }, 'UPDATE_INVALID'],
      [{ snapshot: two.snapshot, updates: {}, calls: calls('nothing') }, 'NOT_FOUND'],
      [{ snapshot: two.snapshot, updates: {}, calls: calls('everything') }, 'ARGUMENTS_INVALID'],
      [{ snapshot: two.snapshot, updates: {}, calls: calls('forbidden') }, 'FORBIDDEN'],
    ]
    for (const [at, [part, code]] of bad.entries()) {
      await expect(answer(`key-1234${at}`, good, part)).rejects.toMatchObject({ code })
      expect(ran).toEqual([])
    }
    await expect(answer(null, { ...good, calls: calls('show', 1) }, good)).rejects.toMatchObject({
      code: 'REQUEST_MALFORMED',
    })
    expect(ran).toEqual([])
  })

  test('takes the other parts where the values of one do not fit', async () => {
    const [one, two] = [await mount(first), await mount(second)]
    const { components } = await answer(
      'key-misfit',
      { snapshot: one.snapshot, updates: { text: 1 }, calls: calls('write') },
      { snapshot: two.snapshot, updates: { text: 'x' }, calls: calls('write') },
    )
    expect(components[0]).toEqual({
      snapshot: one.snapshot,
      effects: { errors: { text: [expect.stringContaining('string')] } },
    })
    expect(components[1]?.effects.returns).toEqual([null])
    expect(ran).toEqual(['second writes'])
  })

  test.each([
    ['NOT_FOUND', 'There is nothing here, or you may not see it.', 0],
    ['bug', 'Something went wrong on the server.', 1],
  ] as const)(
    'tells what fails while it runs (%s) in its own place',
    async (code, message, told) => {
      const [one, two] = [await mount(first), await mount(second)]
      const reported: unknown[] = []
      const parts = [
        { snapshot: one.snapshot, updates: {}, calls: calls('write') },
        { snapshot: two.snapshot, updates: { text: 'x' }, calls: calls('refuse', code) },
        { snapshot: one.snapshot, updates: {}, calls: calls('show', 1) },
      ]
      const answered = await answerUpdate(
        scope({ report: (error) => void reported.push(error) }),
        parseUpdate(body(...parts)),
        `key-runs-${code}`,
        assets,
      )
      const { components } = parsed(answered)
      expect(components.map(({ effects }) => effects)).toEqual([
        { returns: [null] },
        { errors: { '': [message] } },
        { returns: [1] },
      ])
      expect(components[1]?.snapshot).toBe(two.snapshot)
      expect(ran.toSorted()).toEqual(['first', 'first writes'])
      expect(reported).toHaveLength(told)
      await expect(answer('key-alone-1', parts[1]!)).rejects.toThrow()
    },
  )

  test('that passes is asked for again whole, and what was done is not done again', async () => {
    const [one, two] = [await mount(first), await mount(second)]
    for (let retry = 0; retry < 2; retry++)
      await expect(
        answer(
          'key-passing',
          { snapshot: one.snapshot, updates: {}, calls: calls('write') },
          { snapshot: two.snapshot, updates: {}, calls: calls('refuse', 'BUSY') },
        ),
      ).rejects.toMatchObject({ code: 'BUSY' })
    expect(ran).toEqual(['first writes'])
  })

  test('tells who watches the rows, but for one that changes none', async () => {
    const told: unknown[] = []
    const over = {
      wrote: (shown?: string) => void told.push(shown),
      dataVersion: async () => `after ${String(ran.at(-1))}`,
    }
    const { snapshot } = await mount(first)
    await answerIn(over, 'key-prefer-1', { snapshot, updates: {}, calls: calls('prefer') })
    expect([ran, told]).toEqual([['preferred'], []])
    await answerIn(over, 'key-write-1', { snapshot, updates: {}, calls: calls('write') })
    // The version is read once it has written, and before its view is.
    expect(told).toEqual(['after first writes'])
  })

  describe('is followed by broadcasts', () => {
    let said: Json[]
    let reported: unknown[]
    const over = () => ({
      publish: ({ detail }: Broadcast) => void said.push(detail),
      report: (error: unknown) => void reported.push(error),
    })

    beforeEach(() => {
      said = []
      reported = []
    })

    test.each([
      ['of a command once the whole request has succeeded', calls('say', ['done']), [], ['done']],
      ['of a write once it is done, and once', calls('write'), ['written'], ['written']],
    ])('%s', async (_, own, afterFailure, afterRetry) => {
      const [one, two] = [await mount(first), await mount(second)]
      const parts = (code: string) => [
        { snapshot: one.snapshot, updates: {}, calls: own },
        { snapshot: two.snapshot, updates: {}, calls: code ? calls('refuse', code) : [] },
      ]
      const key = `key-${own[0]!.method}-1`
      await expect(answerIn(over(), key, ...parts('BUSY'))).rejects.toMatchObject({ code: 'BUSY' })
      expect(said).toEqual(afterFailure)
      await answerIn(over(), key, ...parts(''))
      expect(said).toEqual(afterRetry)
    })

    test('of which one that is refused keeps no other back', async () => {
      const one = await mount(first)
      const own = calls('say', ['before', 7, 'after'])
      await answerIn(over(), null, { snapshot: one.snapshot, updates: {}, calls: own })
      expect(said).toEqual(['before', 'after'])
      expect(reported).toMatchObject([{ code: 'ARGUMENTS_INVALID' }])
    })
  })

  test('compares no views where a refresh makes the same one', async () => {
    const { snapshot } = await mount(first)
    const compared: string[] = []
    const sent = {
      keep() {},
      patch: (before: string) => (compared.push(before), null),
    }
    const refresh = () =>
      answerIn({ sent, takesPatches: true }, null, { snapshot, updates: {}, calls: [] })
    expect((await refresh()).components[0]?.effects).toEqual({})
    expect(compared).toEqual([])
    shown = { another: 'view' }
    expect((await refresh()).components[0]?.effects.view).toEqual(shown)
    expect(compared).toHaveLength(1)
  })

  test('tells an outdated part from the others, which go on', async () => {
    const one = await mount(first)
    const old = await mount(second, { binding: { build: 'old', user: 'ana', lineage: 'l' } })
    const { components } = await answer(
      'key-old-1',
      { snapshot: old.snapshot, updates: {}, calls: calls('write') },
      { snapshot: one.snapshot, updates: {}, calls: calls('write') },
    )
    expect(components[0]).toEqual({ snapshot: '', effects: { outdated: true } })
    expect(components[1]?.effects.returns).toEqual([null])
    expect(ran).toEqual(['first writes'])
  })

  test('is outdated for a component that this build does not have', async () => {
    const gone = await mount(define('gone'))
    const { components } = await answer(null, {
      snapshot: gone.snapshot,
      updates: {},
      calls: calls('show', 1),
    })
    expect(components[0]?.effects).toEqual({ outdated: true })
  })

  test('is the same alone as in a batch for a part that is asked again by itself', async () => {
    const [one, two] = [await mount(first), await mount(second)]
    const parts = [one, two].map(({ snapshot }) => ({
      snapshot,
      updates: {},
      calls: calls('write'),
    }))
    await answer('key-alone', ...parts)
    await answer('key-alone.0', parts[0]!)
    await answer('key-alone.1', parts[1]!)
    expect(ran).toEqual(['first writes', 'second writes'])
  })

  test('is JSON whatever a view and an action hold', async () => {
    const { snapshot } = await mount(first)
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.jsonValue({ stringUnit: 'binary' }),
        async (view, returned) => {
          shown = view
          const { components } = await answer(null, {
            snapshot,
            updates: {},
            calls: calls('show', returned as Json),
          })
          const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json
          expect(components[0]?.effects).toEqual({
            returns: [plain(returned)],
            view: plain(view),
          })
        },
      ),
      { numRuns: runs(500) },
    )
  })
})
