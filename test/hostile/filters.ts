/** Hostile filters: keys and values of every kind, in addresses and in updates. */

import fc from 'fast-check'
import type { Json } from '../../src/protocol/json.ts'
import { anyText, type Attack, draw } from './attack.ts'
import { INJECTIONS } from './injections.ts'
import { call, change, visit } from './requests.ts'
import type { Answer, Target } from './target.ts'

/** Parts of values that take no text at will, and the filters that have them. */
const STRICT: readonly (readonly [key: string, part: string])[] = [
  ['speed_kt', 'min'],
  ['speed_kt', 'max'],
  ['speed_kt', 'in'],
  ['incident_date', 'minDate'],
  ['incident_date', 'preset'],
  ['species_id', 'in'],
  ['species_id', 'notIn'],
  ['remarks', 'empty'],
  ['~strike_events~strike_id', 'rows'],
]
/** Parts that take any text: whatever it says, it is looked for and nothing else. */
const FREE: readonly (readonly [key: string, part: string])[] = [
  ['remarks', 'text'],
  ['phase', 'in'],
]

/** Codes of the catalogue, by which every refusal says what it is. */
const isNamed = ({ status, body }: Answer): string | undefined =>
  status !== 422 || /TABLE_|UPDATE_INVALID|ARGUMENTS_INVALID|REQUEST_/.test(body)
    ? undefined
    : `a refusal without a code: ${body.slice(0, 200)}`

const REFUSED = [422]
const EITHER = [200, 422]

/** Texts that are no number, no key, no answer and no JSON. */
const isStrange = (text: string): boolean =>
  !/^[\s,]*$|^-?[\d.,\s]+$|^(?:null|true|false|id)$/.test(text)

/** Every fourth injection: the rest of the suite tries them all. */
const texts = (count: number): string[] => [
  ...INJECTIONS.filter((_, at) => at % 4 === 0),
  ...['1e5', '0x10', 'NaN', 'Infinity', '--1', '1;2', '१२', 'today()', 'now', '2024-02-30', 'null'],
  ...draw(anyText(40), count),
]

/** Keys that no filter of strikes has. */
const KEYS = [
  ...['', ' ', 'rowid', 'SPEED_KT', 'speed_kt ', 'strikes', '~', '~nowhere~id', '~people~salary'],
  ...[
    '~strike_events',
    '~strike_events~note',
    'builder2',
    'toString',
    'hasOwnProperty',
    '*',
    '$where',
  ],
]

/** In addresses of the list. */
export function* addresses({ people }: Target): Iterable<Attack> {
  const at = (name: string, text: string, allowed: readonly number[]): Attack => ({
    name: `?${name}=${text.slice(0, 80)}`,
    request: visit(
      people.admin,
      `/tables/strikes?${encodeURIComponent(name)}=${encodeURIComponent(text)}`,
    ),
    allowed,
    check: isNamed,
  })
  for (const text of texts(60).filter(isStrange)) {
    for (const [key, part] of STRICT) yield at(`filter.${key}.${part}`, text, REFUSED)
    for (const [key, part] of FREE) yield at(`filter.${key}.${part}`, text, EITHER)
    yield at('filter.builder', text, REFUSED)
    yield at(`filter.${text}`, '1', REFUSED)
  }
  for (const key of KEYS) yield at(`filter.${key}.in`, '1', REFUSED)
}

/** Names in the form of a page without script that no form has. */
const FIELDS = [
  ...[
    'speed_kt',
    'speed_kt.min.x',
    'speed_kt.1.filter',
    'speed_kt.where.join',
    'speed_kt.toString',
  ],
  ...[
    'builder',
    'builder.x',
    'builder.1',
    'builder.1.x',
    'builder.1.1.1',
    'builder.__proto__.join',
  ],
  ...[
    '__proto__.mode',
    'constructor.prototype.x',
    '.mode',
    '..',
    'password_hash.find',
    'remarks.find.x',
  ],
  ...[
    '~strike_events~strike_id.where',
    '~strike_events~strike_id.where.1.filter',
    '~people~salary.rows',
  ],
]

/** A form that leads to its list, and one that is refused. */
const LEADING = [303, 422]

/** In the form of a page without script: its fields, and the buttons that draw it again. */
export function* forms({ people }: Target): Iterable<Attack> {
  const at = (
    fields: { readonly [name: string]: string },
    allowed: readonly number[],
    person = people.admin,
  ): Attack => {
    const query = new URLSearchParams(fields).toString()
    return {
      name: `?${query.slice(0, 120)}`,
      request: visit(person, `/tables/strikes?${query}`),
      allowed,
      check: isNamed,
    }
  }
  const condition = (filter: string, fields: { readonly [name: string]: string } = {}) => ({
    'filter.builder.join': 'and',
    'filter.builder.1.filter': filter,
    ...fields,
  })
  const applied = (fields: { readonly [name: string]: string }, allowed: readonly number[]) =>
    at({ filters: 'apply', ...fields }, allowed)
  const more = 'more:builder'
  for (const name of FIELDS) yield applied({ [`filter.${name}`]: 'x' }, REFUSED)
  for (const person of Object.values(people))
    for (const key of KEYS.filter((key) => key !== '')) {
      yield at({ filters: more, ...condition(key) }, REFUSED, person)
      yield at({ filters: `find:${key}`, [`filter.${key}.find`]: 'a' }, REFUSED, person)
    }
  for (const text of texts(30).filter(isStrange)) {
    yield at({ filters: text }, REFUSED)
    yield applied({ 'filter.speed_kt.mode': text }, REFUSED)
    yield applied({ 'filter.speed_kt.mode': 'in', 'filter.speed_kt.list': text }, LEADING)
    yield applied({ 'filter.speed_kt.min': text }, REFUSED)
    yield applied({ 'filter.builder.join': text }, REFUSED)
    yield applied({ 'filter.remarks.mode': 'starts', 'filter.remarks.text': text }, LEADING)
    yield applied({ 'filter.remarks.mode': 'notIn', 'filter.remarks.list': text }, LEADING)
    yield applied({ 'filter.species_id.find': text }, EITHER)
    yield at({ filters: more, ...condition(text) }, REFUSED)
    yield at({ filters: more, ...condition('speed_kt', { 'filter.builder.1.max': text }) }, REFUSED)
    for (const verb of ['more', 'group', 'remove', 'find']) {
      const fields = condition('speed_kt', { 'filter.builder.1.min': '1' })
      yield at({ filters: `${verb}:${text}`, ...fields }, EITHER)
      yield at({ filters: `${verb}:builder.${text}`, ...fields }, EITHER)
    }
  }
  yield at(deep(60), REFUSED)
  const many = Array.from({ length: 200 }, (_, at) => [`filter.builder.${at + 1}.filter`, 'id'])
  yield at({ filters: more, 'filter.builder.join': 'and', ...Object.fromEntries(many) }, REFUSED)
}

/** Groups in groups. */
function deep(levels: number): { [name: string]: string } {
  const paths = Array.from({ length: levels }, (_, at) => `filter.builder${'.1'.repeat(at)}.join`)
  return { filters: 'apply', ...Object.fromEntries(paths.map((path) => [path, 'and'])) }
}

/** Values of other forms than any filter takes. */
const SHAPES: readonly Json[] = [
  ...[true, false, 0, 1, -1, 1.5, '', 'x', '{"min":1}', [], [[]], [1], ['min', 1]],
  ...[
    { min: true },
    { min: [] },
    { min: {} },
    { max: 'x' },
    { min: 1, toString: 1 },
    { op: 'and' },
  ],
  ...[{ in: 'x', notIn: 'x' }, { in: {} }, { in: [1] }, { in: [[null]] }, { in: [{}] }],
  ...[
    { test: 'like', text: 'x' },
    { test: 'contains', text: {} },
    { test: [], text: 'x' },
  ],
  ...[{ minDate: 1, maxDate: 2 }, { minDate: '2024-01-01' }, { preset: 'always' }, { preset: {} }],
  ...[{ is: true }, { empty: 1 }, { rows: 'all' }, { rows: 'some', where: 1 }],
  ...[{ rows: 'some', where: { join: 'and', of: [{ filter: 'note', value: 1 }] } }],
  ...[{ join: 'and' }, { join: 'and', of: {} }, { join: 'or', of: [1] }, { join: 'xor', of: [] }],
  ...[{ join: 'and', of: [{ filter: 'password_hash', value: { text: 'x' } }] }],
  ...[{ join: 'and', of: [{ filter: 'speed_kt', value: { min: 1 }, sql: '1=1' }] }],
  ...[{ op: 'eq', column: 'id', value: 1 }, { $gt: '' }, { related: 'people' }],
]

/** Forms that some filter takes, so that only another filter refuses them. */
const TAKEN = new Set(['""', '[]'])

/** In updates of the live page. */
export function* updates({ people: { admin } }: Target): Iterable<Attack> {
  const at = (path: string, value: Json, allowed: readonly number[]): Attack => ({
    name: `${path} = ${JSON.stringify(value).slice(0, 80)}`,
    request: change(admin, 'list', path, value),
    allowed,
    check: isNamed,
  })
  const keys = [...new Set([...STRICT, ...FREE].map(([key]) => key)), 'builder', 'id']
  for (const key of keys)
    for (const shape of SHAPES)
      yield at(
        `filterComponents.${key}`,
        shape,
        TAKEN.has(JSON.stringify(shape)) ? EITHER : formsOf(key, shape),
      )
  for (const key of KEYS.filter((key) => key !== ''))
    yield at(`filterComponents.${key}`, { in: ['1'] }, REFUSED)
  for (const text of texts(30).filter(isStrange)) {
    for (const [key, part] of STRICT) yield at(`filterComponents.${key}`, { [part]: text }, REFUSED)
    yield at('filterComponents.remarks', { test: 'equals', text }, EITHER)
    yield at(
      'filterComponents.builder',
      { join: 'or', of: [{ filter: text, value: { in: ['1'] } }] },
      REFUSED,
    )
  }
  for (const value of [null, 1, 'x', [], true]) yield at('filterComponents', value, [200, 422])
}

/** A form that this very filter takes is no attack on it. */
const formsOf = (key: string, shape: Json): readonly number[] =>
  key === 'remarks' && JSON.stringify(shape) === '{"in":"x"}' ? EITHER : REFUSED

/** In the queries of the controls. */
export function* queries({ people }: Target): Iterable<Attack> {
  for (const person of Object.values(people))
    for (const text of [...KEYS, ...INJECTIONS.slice(0, 40).filter(isStrange)]) {
      const at = (method: string, ...params: Json[]): Attack => ({
        name: `${method}(${JSON.stringify(params).slice(0, 80)})`,
        request: call(person, 'list', { method, params }),
        allowed: REFUSED,
        check: isNamed,
      })
      yield at('facets', text)
      yield at('bounds', text)
      yield at('relatedOffers', text)
      yield at('findRelated', text, 'x')
      yield at('filterByCell', '1', text, 'in')
    }
}

/** Any JSON under any key. */
export function* anything({ people: { admin } }: Target, count: number): Iterable<Attack> {
  const key = fc.constantFrom(...STRICT.map(([key]) => key), 'builder', 'remarks', 'phase', 'id')
  const cases = fc.tuple(key, fc.jsonValue({ maxDepth: 3 }))
  for (const [key, value] of draw(cases, count))
    yield {
      name: `filterComponents.${key} = ${JSON.stringify(value).slice(0, 80)}`,
      // Any JSON value is one of the protocol's.
      request: change(admin, 'list', `filterComponents.${key}`, value as Json),
      allowed: [200, 400, 422],
    }
}
