/** Values of the wrong type, in every property and argument of every component there is. */

import fc from 'fast-check'
import type { Json } from '../../src/protocol/json.ts'
import type { Snapshot, UpdateResponse } from '../../src/protocol/wire.ts'
import type { Schema } from '../../src/server/component/component.ts'
import type { AnyComponent } from '../../src/server/component/define.ts'
import { type Attack, draw } from './attack.ts'
import { type Part, update } from './requests.ts'
import type { Answer, Target } from './target.ts'

/** Values of every kind, among them those that other systems have obeyed as types. */
const SHAPES: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  25,
  -0,
  Number.MAX_SAFE_INTEGER,
  1e308,
  '',
  ' ',
  '1',
  'first',
  'null',
  '[object Object]',
  'x'.repeat(10_000),
  '\0',
  [],
  [[]],
  [null],
  ['id', false],
  [1, 2, 3],
  {},
  { length: 1 },
  { 0: 'a', length: 1 },
  ['O:8:"stdClass":0:{}', { s: 'clctn', class: 'Collection' }],
  [['x'], { s: 'clctn' }],
  { __type: 'Date', value: 0 },
  { $ref: '#/state' },
  { $gt: '' },
  { then: 'x' },
  { then: { then: 1 } },
  { toJSON: 'x' },
  { valueOf: 1, toString: 1 },
  { type: 'Buffer', data: [1, 2] },
  { isMoney: true, hasOwnProperty: 1 },
  { column: 'id', descending: false },
  { at: 'first', number: 1, anchor: null },
  { first: 'a', last: 'b' },
]

type Wrap = (value: Json) => Json

/** Ways in which a shape hides inside another. */
const WRAPS: readonly Wrap[] = [
  (value) => value,
  (value) => [value],
  (value) => ({ value }),
  (value) => [value, { s: 'clctn' }],
  (value) => [[[value]]],
  (value) => ({ a: { b: { c: { d: { e: value } } } } }),
]

/** Every state property and every argument, with every shape, plain and hidden. */
export function* confusions(target: Target): Iterable<Attack> {
  for (const component of target.admin.components.values())
    for (const shape of SHAPES) {
      yield* inArguments(target, component, shape)
      for (const wrap of WRAPS) yield* inProperties(target, component, wrap(shape))
    }
}

/** Random JSON in the same places. */
export function* randomConfusions(target: Target, count: number): Iterable<Attack> {
  const components = [...target.admin.components.values()]
  const cases = fc.record({
    component: fc.constantFrom(...components),
    value: fc.jsonValue({ maxDepth: 5 }),
    inside: fc.boolean(),
  })
  for (const { component, value, inside } of draw(cases, count)) {
    // Such keys are refused before anything is looked at: a family of its own.
    if (/"(__proto__|constructor|prototype)"/.test(JSON.stringify(value))) continue
    yield* inside
      ? inProperties(target, component, value as Json)
      : inArguments(target, component, value as Json)
  }
}

function* inProperties(target: Target, component: AnyComponent, value: Json): Iterable<Attack> {
  for (const [property, schema] of component.state(null)) {
    const isWritable = component.writable.has(property)
    const fits = isWritable && accepts(schema, value)
    const asked = attempt(target, component, `${property} =`, value, fits, {
      updates: { [property]: value },
    })
    yield isWritable && !fits
      ? { ...asked, allowed: [200], check: toldAt(target, component, property) }
      : asked
  }
}

function* inArguments(target: Target, component: AnyComponent, value: Json): Iterable<Attack> {
  for (const [method, { args, kind }] of component.actions) {
    const lists = [...WRAPS.map((wrap) => [wrap(value)]), ['id', value], [value, true]]
    if (Array.isArray(value)) lists.push(value)
    for (const params of lists) {
      const fits = accepts(args, params)
      if (fits && kind === 'write') continue
      yield attempt(target, component, `${method} of`, params, fits, {
        calls: [{ method, params }],
      })
    }
    // More arguments than any action takes, or no list of them at all.
    for (const params of Array.isArray(value)
      ? [Array(9).fill(value)]
      : [Array(9).fill(value), value])
      yield attempt(target, component, `${method} of`, params, false, {
        calls: [{ method, params }],
      })
  }
}

/** What does not fit a writable property is told there, and the state is as it was. */
function toldAt({ people: { admin } }: Target, { name }: AnyComponent, property: string) {
  const before = dataOf(admin.snapshots[name]!)
  return ({ body, status }: Answer): string | undefined => {
    if (status !== 200) return undefined
    const [answer] = (JSON.parse(body) as UpdateResponse).components
    const { errors = {}, returns } = answer!.effects
    if (Object.keys(errors).join() !== property) return `told ${JSON.stringify(errors)}`
    if (returns !== undefined) return 'calls were made'
    return dataOf(answer!.snapshot) === before ? undefined : 'the state has changed'
  }
}

const dataOf = (snapshot: string): string => JSON.stringify((JSON.parse(snapshot) as Snapshot).data)

/** What a schema does not allow is refused with 422; what it allows may still be nothing. */
function attempt(
  { people: { admin } }: Target,
  { name }: AnyComponent,
  what: string,
  value: Json,
  fits: boolean,
  part: Omit<Part, 'snapshot'>,
): Attack {
  return {
    name: `${name} ${what} ${JSON.stringify(value).slice(0, 60)}`,
    request: update(admin, { snapshot: admin.snapshots[name], ...part }),
    allowed: fits ? [200, 404, 422] : [422],
  }
}

function accepts(schema: Schema<unknown>, value: Json): boolean {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new Error('The schemas of the admin answer at once.')
  return !result.issues
}
