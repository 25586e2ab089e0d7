import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import { applyUpdates, decode, paramsMistake } from './decode.ts'
import { defineComponent } from './define.ts'

const filterSchema = v.strictObject({
  min: v.nullable(v.number()),
  tags: v.array(v.string()),
  range: v.strictObject({ from: v.string() }),
})

const component = defineComponent({
  name: 'sample',
  state: {
    id: v.number(),
    filter: filterSchema,
    search: v.pipe(v.string(), v.maxLength(5)),
    anything: v.array(v.any()),
  },
  writable: ['filter', 'search', 'anything'],
  authorize: () => true,
  mount: () => data,
  actions: {},
  view: () => null,
})

const data = {
  id: 1,
  filter: { min: null, tags: ['a', 'b'], range: { from: '2020' } },
  search: 'abc',
  anything: [],
}
const before = JSON.stringify(data)

const apply = (updates: { [path: string]: Json }) => applyUpdates(component, null, data, updates)
const errors = async (updates: { [path: string]: Json }) => (await apply(updates)).errors
const refusal = (code: string) => expect.objectContaining({ code, status: 422 })

describe('updates', () => {
  test.each<[{ [path: string]: Json }, JsonObject]>([
    [{ search: 'x' }, { search: 'x' }],
    [{ 'filter.min': 3 }, { filter: { ...data.filter, min: 3 } }],
    [{ 'filter.tags.1': 'c' }, { filter: { ...data.filter, tags: ['a', 'c'] } }],
    [{ 'filter.tags.2': 'c' }, { filter: { ...data.filter, tags: ['a', 'b', 'c'] } }],
    [{ 'filter.range.from': '1' }, { filter: { ...data.filter, range: { from: '1' } } }],
    [
      { filter: { min: 1, tags: [], range: { from: '' } }, 'filter.min': 2 },
      { filter: { min: 2, tags: [], range: { from: '' } } },
    ],
    [{}, {}],
  ])('%j are applied', async (updates, changes) => {
    expect(await apply(updates)).toEqual({ data: { ...data, ...changes }, errors: null })
  })

  test.each([
    ['the exact name', { id: 2 }],
    ['a path inside', { 'id.x': 2 }],
    ['the same value', { id: 1 }],
    ['a batch with allowed ones', { search: 'x', id: 2, 'filter.min': 1 }],
  ])('a locked property is refused by %s', async (_, updates) => {
    await expect(apply(updates as { [path: string]: Json })).rejects.toEqual(
      refusal('PROPERTY_LOCKED'),
    )
  })

  test.each([
    'ID',
    'Id',
    'id ',
    ' id',
    'Search',
    'SEARCH',
    'ѕearch',
    'search\0',
    'search\u200b',
    'filter[min]',
    'filter/min',
    'nothing',
    '',
    '.',
    '.search',
    'search.',
    'filter..min',
    '*',
    '0',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'filter.__proto__',
    'filter.__proto__.polluted',
    'filter.constructor.prototype.polluted',
    'filter.tags.__proto__',
    '__proto__.polluted',
    'filter.tags.length',
    'filter.tags.-1',
    'filter.tags.3',
    'filter.tags.01',
    'filter.tags.1.5',
    'filter.tags.1e0',
    'filter.tags.9999999999',
    'filter.tags. 1',
    'filter.tags.push',
    'anything.1',
    'filter.tags.0.x',
    'filter.min.x',
    'filter.missing.x',
    'search.0',
    'search.length',
    'x'.repeat(1_000_000),
    `filter${'.a'.repeat(10)}`,
    `filter${'.a'.repeat(1000)}`,
  ])('a path that leads nowhere is refused (%#)', async (path) => {
    const updates = Object.fromEntries([[path, 'x']])
    await expect(apply(updates)).rejects.toEqual(refusal('UPDATE_INVALID'))
    await expect(apply({ search: 'ok', ...updates })).rejects.toEqual(refusal('UPDATE_INVALID'))
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('a replaced parent is decoded whole', async () => {
    const parents: Json[] = [
      null,
      [],
      {},
      'x',
      { ...data.filter, extra: 1 },
      { ...data.filter, range: null },
      { min: 1, tags: [], range: { from: 1 } },
    ]
    for (const filter of parents)
      expect(await errors({ filter })).toEqual({ filter: expect.any(Array) })
  })

  test('a new key inside a strict object does not fit', async () => {
    expect(await errors({ 'filter.extra': 1 })).toEqual({ 'filter.extra': [expect.any(String)] })
  })

  test('what does not fit is told at the edit that brought it', async () => {
    const told = { 'filter.min': [expect.any(String)], search: [expect.stringContaining('5')] }
    const edits = { 'filter.tags.0': 'fine', 'filter.min': 'x', search: 'too long' }
    expect(await apply(edits)).toEqual({ data, errors: told })
  })

  test('nothing is changed in place, whether they are taken or refused', async () => {
    await apply({ 'filter.tags.0': 'z', 'filter.range.from': 'z', search: 'z' })
    await apply({ 'filter.tags.0': 'z', search: 'too long' }).catch(() => {})
    expect(JSON.stringify(data)).toBe(before)
  })
})

describe('type confusion', () => {
  /** Shapes that have made other systems choose a type, a method or a promise. */
  const shapes: Json[] = [
    null,
    true,
    0,
    -1,
    1e308,
    '',
    '0',
    'x'.repeat(10_000),
    [],
    {},
    [null],
    [[]],
    [{}],
    [{ a: 1 }, { s: 'clctn' }],
    ['x', { s: 'arr' }],
    ['x', { s: 'mdl', class: 'App\\User' }],
    { __type: 'Date', value: 0 },
    { $type: 'System.IO.File' },
    { $ref: '#/id' },
    { $ne: null },
    { $gt: '' },
    { then: 'x' },
    { then: { constructor_: 1 } },
    { toJSON: 'x' },
    { toString: 'x' },
    { valueOf: 'x' },
    { length: 1, 0: 'x' },
    { type: 'Buffer', data: [1] },
    { '~standard': { validate: 'x' } },
    { min: 1 },
  ]
  const nested = (value: Json, depth: number): Json =>
    depth === 0 ? value : depth % 2 ? [nested(value, depth - 1)] : { a: nested(value, depth - 1) }
  const paths = ['search', 'filter', 'filter.min', 'filter.tags', 'filter.tags.0', 'filter.range']
  const depths = [0, 1, 2, 3, 4, 5, 6]
  const cases = paths.flatMap((path) =>
    shapes.flatMap((shape) => depths.map((depth) => ({ path, value: nested(shape, depth) }))),
  )

  test(`takes of ${cases.length} shapes those alone that the schema takes`, async () => {
    const schema = v.object({ id: v.number(), filter: filterSchema, search: v.string() })
    let refused = 0
    for (const { path, value } of cases) {
      const outcome = await apply({ [path]: value }).catch((error: unknown) => error)
      if (outcome instanceof Error) {
        expect(outcome).toEqual(refusal('UPDATE_INVALID'))
        refused++
        continue
      }
      const taken = outcome as Awaited<ReturnType<typeof apply>>
      if (taken.errors) {
        expect(taken).toEqual({ data, errors: { [path]: expect.any(Array) } })
        refused++
      } else expect(v.is(schema, taken.data)).toBe(true)
    }
    expect(refused).toBeGreaterThan(cases.length * 0.9)
    expect(JSON.stringify(data)).toBe(before)
  })

  test('whatever is sent, the result fits the schema or is refused whole', async () => {
    const path = fc.oneof(fc.constantFrom(...paths), fc.string(), fc.constantFrom('id', 'id.0'))
    const updates = fc.dictionary(path, fc.jsonValue() as fc.Arbitrary<Json>, { maxKeys: 4 })
    await fc.assert(
      fc.asyncProperty(updates, async (some) => {
        const outcome = await apply(some).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toMatchObject({ status: 422 })
        else {
          const taken = outcome as Awaited<ReturnType<typeof apply>>
          expect(taken.data).toMatchObject({ id: 1 })
          expect(v.is(filterSchema, taken.data['filter'])).toBe(true)
          if (taken.errors) expect(taken.data).toEqual(data)
        }
        expect(JSON.stringify(data)).toBe(before)
      }),
      { numRuns: runs(2000) },
    )
  })
})

describe('decode', () => {
  test('gives what the schema makes of a value', async () => {
    const schema = v.pipe(v.string(), v.trim())
    expect(await decode(schema, ' x ', 'ARGUMENTS_INVALID', 'params')).toBe('x')
  })

  test('waits for a schema that takes its time', async () => {
    const schema = v.pipeAsync(
      v.string(),
      v.checkAsync(async (text) => text !== 'taken', 'Taken.'),
    )
    expect(await decode(schema, 'free', 'UPDATE_INVALID', 'name')).toBe('free')
    await expect(decode(schema, 'taken', 'UPDATE_INVALID', 'name')).rejects.toMatchObject({
      code: 'UPDATE_INVALID',
      detail: 'name: Taken.',
    })
  })
})

test('a mistake in parameters is told with its path, if it has one', async () => {
  const tally = defineComponent({
    name: 'tally',
    params: v.object({ start: v.number() }),
    state: { count: v.number() },
    authorize: () => true,
    mount: ({ params }) => ({ count: params.start }),
    actions: {},
    view: () => null,
  })
  const ofNumber = '[start]: Invalid type: Expected number but received "x"'
  expect(await paramsMistake(tally, { start: 'x' })).toBe(ofNumber)
  expect(await paramsMistake(tally, 7)).toBe('Invalid type: Expected Object but received 7')
  expect(await paramsMistake(tally, { start: 7 })).toBeUndefined()
})
