/** Hostile addresses: listings asked for in every wrong way, and search text of every kind. */

import fc from 'fast-check'
import type { Json } from '../../src/protocol/json.ts'
import type { TableView } from '../../src/protocol/table-view.ts'
import { UPDATE_PATH } from '../../src/protocol/wire.ts'
import { type Attack, draw } from './attack.ts'
import { INJECTIONS } from './injections.ts'
import { call, change, visit } from './requests.ts'
import type { Answer, Target } from './target.ts'

/** Small tables whose listings show all their columns. */
const SMALL = ['inspections', 'operators', 'reporters'] as const
const PARAMETERS = ['search', 'sort', 'size', 'columns', 'page', 'after', 'before']
const REFUSED = [422]
/** Pages and sizes out of range are clamped. */
const CLAMPED = [200]

const query = (name: string, value: string) =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
const known = (text: string) => text.isWellFormed()

/** What the database holds is not asked by a text: every row shown holds it. */
function onlyMatches(text: string) {
  const wanted = text.trim().toLowerCase()
  // Numbers are compared as numbers, and ASCII alone is folded alike everywhere.
  const isPlain = /^[\x21-\x7e ]+$/.test(wanted) && !/^[-\d.,]+$/.test(wanted)
  return ({ body, status }: Answer): string | undefined => {
    if (!isPlain || status !== 200) return undefined
    const rows = viewOf(body)?.rows ?? []
    const strange = rows.filter(
      (row) => !JSON.stringify(row.slice(2)).toLowerCase().includes(quoted(wanted)),
    )
    return strange.length > 0 ? `found ${JSON.stringify(strange[0])}` : undefined
  }
}

const quoted = (text: string) => JSON.stringify(text).slice(1, -1)

function viewOf(body: string): TableView | undefined {
  const { components } = JSON.parse(body) as {
    components: { name?: string; view?: Json; effects?: { view?: Json } }[]
  }
  const list = components.find(
    ({ name, effects }) => name === 'list' || effects?.view !== undefined,
  )
  return (list?.view ?? list?.effects?.view) as TableView | undefined
}

/** Every injection in every place of an address. */
export function* injectedAddresses({ people: { admin } }: Target): Iterable<Attack> {
  for (const [i, text] of INJECTIONS.entries()) {
    const table = SMALL[i % SMALL.length]!
    const base = `/tables/${table}`
    const at = (address: string, allowed: readonly number[], as?: 'html'): Attack => ({
      name: `${JSON.stringify(text).slice(0, 60)} as ${address.slice(0, 40)}`,
      request: visit(admin, address, as),
      allowed,
    })
    const isLong = text.trim().length > 200
    const found = at(`${base}?${query('search', text)}`, isLong ? REFUSED : CLAMPED)
    yield { ...found, check: onlyMatches(text) }
    yield at(`${base}?${query('sort', text)}`, [200, 422])
    yield at(`${base}?${query('sort', `-${text}`)}`, [200, 422])
    yield at(`${base}?${query('sort', `id,${text}`)}`, REFUSED)
    yield at(`${base}?${query('columns', text)}`, [200, 422])
    yield at(`${base}?${query('columns', `id,${text}`)}`, [200, 422])
    yield at(`${base}?${query('size', text)}`, CLAMPED)
    yield at(`${base}?${query('page', text)}`, CLAMPED)
    yield at(`${base}?${query('after', text)}`, REFUSED)
    yield at(`${base}?${query('before', text)}`, REFUSED)
    // A place that no row has is between two that have one.
    yield at(`${base}?sort=id&${query('after', anchorOf([text], [text]))}`, CLAMPED)
    if (!PARAMETERS.includes(text)) yield at(`${base}?${query(text, '1')}`, [200, 422])
    yield at(`/tables/${encodeURIComponent(text)}`, [400, 404, 414])
    if (i % 10 === 0) {
      yield at(`${base}?${query('sort', text)}`, [200, 422], 'html')
      yield at(`${base}?${query('search', text)}`, isLong ? REFUSED : CLAMPED, 'html')
      yield at(`/tables/${encodeURIComponent(text)}`, [400, 404], 'html')
    }
  }
}

/** The same texts where the live page sends them. */
export function* injectedCalls({ people: { admin } }: Target): Iterable<Attack> {
  for (const [i, text] of INJECTIONS.filter(known).entries()) {
    const name = JSON.stringify(text).slice(0, 60)
    const at = (method: string, params: Json[], component: string, allowed: number[]): Attack => ({
      name: `${name} in ${method}`,
      request: call(admin, component, { method, params }),
      allowed,
    })
    const search = change(admin, 'list', 'search', text)
    yield { name: `${name} searched`, request: search, allowed: [200, 422] }
    yield at('sortBy', [text, false], 'list', text === 'id' ? [200] : [422])
    yield at('setColumns', [[text]], 'list', text === 'id' ? [200] : [422])
    yield at('setColumns', [['id', text, 'id']], 'list', text === 'id' ? [200] : [422])
    yield at('turnPage', [text], 'list', [422])
    // Declared writes cost the disk something, so fewer of them are tried.
    if (i % 4 === 0) yield at('withdraw', [text], 'people', [404, 422])
  }
}

const anchorOf = (sort: readonly unknown[], key: readonly unknown[]): string =>
  Buffer.from(JSON.stringify([sort, key])).toString('base64url')

const NUMBERS = [
  '0',
  '-1',
  '-0',
  '1.5',
  '1e3',
  '1e400',
  '0x10',
  '0b1',
  '1n',
  ' 1 ',
  '+1',
  '１０',
  '٥',
  '²',
  'NaN',
  'Infinity',
  '-Infinity',
  'null',
  'last ',
  'LAST',
  'first',
  '',
  '25,50',
  '25;50',
  '99999999999999999999',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '1'.repeat(1000),
]

/** Values that no row of the order could have. */
const ODD_ANCHORS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  'x'.repeat(700),
  ['n', '0'],
  ['n', '9223372036854775807'],
  ['n', '9223372036854775808'],
  ['n', '-9223372036854775809'],
  ['n', '9'.repeat(40)],
  ['n', '9'.repeat(41)],
  ['n', ''],
  ['n', 1],
  ['n', '1', '2'],
  ['b', ''],
  ['b', 'AAAA'],
  ['b', '=='],
  ['x', ''],
  [],
  [[]],
  {},
  { __proto__: null, n: 1 },
  { toString: 'x' },
]

/** Pages, sizes and places out of every range. */
export function* places({ people: { admin } }: Target): Iterable<Attack> {
  const at = (address: string, allowed: readonly number[]): Attack => ({
    name: address.slice(0, 100),
    request: visit(admin, address),
    allowed,
  })
  const orders = ['', 'sort=incident_date', 'sort=-status,airport_name', 'sort=speed_kt']
  for (const number of NUMBERS)
    for (const order of orders) {
      yield at(
        `/tables/strikes?${order}&${query('page', number)}`,
        order === '' ? [200, 422] : CLAMPED,
      )
      yield at(`/tables/strikes?${query('size', number)}&${query('page', number)}`, CLAMPED)
    }
  for (const odd of ODD_ANCHORS)
    for (const way of ['after', 'before'])
      for (const [order, length] of [
        ['incident_date', 1],
        ['-status,speed_kt', 2],
      ] as const) {
        const base = `/tables/strikes?sort=${order}&${way}=`
        const sort = Array.from({ length }, () => odd)
        yield at(base + anchorOf(sort, [1]), [200, 422])
        yield at(
          base +
            anchorOf(
              Array.from({ length }, () => '2001-01-01'),
              [odd],
            ),
          [200, 422],
        )
        yield at(base + anchorOf([...sort, odd], [1]), REFUSED)
        yield at(base + anchorOf(sort, [1, 2]), REFUSED)
        yield at(base + anchorOf(sort, []), REFUSED)
        yield at(base + anchorOf([], [odd]), REFUSED)
        yield at(`${base}${anchorOf(sort, [1])}&page=7`, [200, 422])
      }
  const junk = [
    '',
    '%',
    'A',
    '====',
    '!!!!',
    'bnVsbA',
    'e30',
    'W10',
    'W1tdLFtdXQ',
    'W1tdXQ',
    'x'.repeat(1501),
  ]
  for (const text of junk)
    for (const way of ['after', 'before']) yield at(`/tables/strikes?${query(way, text)}`, REFUSED)
  yield at(`/tables/strikes?after=${anchorOf(['a'], [1])}&before=${anchorOf(['a'], [1])}`, REFUSED)
}

const JUNK = [
  '%',
  '%%',
  '%2',
  '%zz',
  '%00',
  '%0a',
  '%0d%0a',
  '%ff',
  '%c0%ae',
  '%e0%80%af',
  '%f4%90%80%80',
  '%ed%a0%80',
  '%u0041',
  '+',
  '&',
  '=',
  '&&&',
  '=&=',
  '?',
  '??',
  ';',
  '[]',
  '[a]=b',
  '#',
]

/** Addresses that are spelt wrongly, doubled, or too long. */
export function* spellings({ people: { admin } }: Target): Iterable<Attack> {
  const at = (address: string, allowed: readonly number[], as?: 'html'): Attack => ({
    name: address.slice(0, 100),
    request: visit(admin, address, as),
    allowed,
  })
  for (const junk of JUNK) {
    for (const name of PARAMETERS) {
      yield at(`/tables/operators?${name}=${junk}`, [200, 422])
      yield at(`/tables/operators?${name}${junk}=1`, [200, 422])
    }
    yield at(`/tables/operators?${junk}`, [200, 422])
    for (const path of [
      '/tables/',
      '/tables/operators',
      '/',
      '/sign-in/link/',
      '/you',
      '/tablewire/assets/',
    ])
      for (const as of ['data', 'html'] as const)
        yield {
          name: `${path}${junk} as ${as}`,
          request: visit(admin, path + junk, as),
          allowed: [200, 303, 400, 404, 422],
        }
  }
  for (const name of PARAMETERS) {
    yield at(`/tables/operators?${name}=1&${name}=1`, REFUSED)
    yield at(`/tables/operators?${name}=1&${name}=2`, REFUSED, 'html')
    yield at(`/tables/operators?${name}[]=1`, REFUSED)
    yield at(`/tables/operators?${name}[a]=1`, REFUSED)
    yield at(`/tables/operators?${name.toUpperCase()}=1`, REFUSED)
    yield at(`/tables/operators?${encodeURIComponent(`${name} `)}=1`, REFUSED)
    yield at(`/tables/operators?${name}=${'a'.repeat(15_000)}`, REFUSED)
  }
  for (const name of [
    'filter',
    'filters',
    'where',
    'limit',
    'offset',
    'q',
    'fields',
    'include',
    '_',
    'next',
    '__proto__',
    'constructor',
    '',
    'utm_source',
  ])
    yield at(`/tables/operators?${encodeURIComponent(name)}=1`, REFUSED)
  const all = ['id', 'name', 'kind', 'icao_code']
  yield at(`/tables/operators?sort=${[...all, ...all].join()}`, REFUSED)
  yield at(`/tables/strikes?sort=status,phase,damage,effect,sky,id`, REFUSED)
  yield at(`/tables/operators?columns=${'id,'.repeat(1500)}id`, [200, 422])
  yield at(`/tables/operators?columns=${all.map((name) => name.toUpperCase()).join()}`, REFUSED)
  yield at(`/tables/${'a'.repeat(2001)}`, [400, 404, 414])
  yield at(`/tables/${'%61'.repeat(2000)}`, [404, 414])
  for (const table of [
    'Strikes',
    'STRIKES',
    'strikes ',
    ' strikes',
    'strikes/',
    'main.strikes',
    '"strikes"',
    '[strikes]',
    'sqlite_sequence',
    'sqlite_stat1',
    'pragma_table_info',
    'tablewire_users',
    'strikes/records',
    'strikes/records/1/2',
    'strikes/newer',
    '.',
    '..',
    '%2e%2e',
    'strikes;a=b',
    'strikes\u0000',
    'strikes%2f..%2fspecies',
  ])
    for (const as of ['data', 'html'] as const)
      yield {
        name: `table ${JSON.stringify(table)}`,
        request: visit(admin, `/tables/${encodeURI(table)}`, as),
        allowed: [303, 400, 404],
      }
}

/** Sound parameters and broken ones, thrown together. */
export function* mixtures({ people }: Target, count: number): Iterable<Attack> {
  const columns = [
    'id',
    'name',
    'kind',
    'icao_code',
    'title',
    'state',
    'due_on',
    'email',
    'position',
    'nothing',
  ]
  const column = fc.constantFrom(...columns)
  const sorted = fc.tuple(fc.constantFrom('', '-', '--'), column).map((parts) => parts.join(''))
  const odd = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...INJECTIONS, ...NUMBERS))
  const value = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.array(sorted, { minLength: 1, maxLength: 4 }).map((names) => names.join()),
    },
    { weight: 1, arbitrary: fc.integer().map(String) },
    { weight: 1, arbitrary: odd.filter(known) },
  )
  const parameter = fc.tuple(fc.constantFrom(...PARAMETERS), value)
  const mixture = fc.record({
    table: fc.constantFrom(...SMALL),
    parameters: fc.array(parameter, { minLength: 1, maxLength: 4 }),
    person: fc.constantFrom(...Object.values(people)),
    html: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
  })
  for (const { table, parameters, person, html } of draw(mixture, count)) {
    const text = parameters.map(([name, value]) => query(name, value)).join('&')
    yield {
      name: `${table}?${text.slice(0, 120)}`,
      request: visit(person, `/tables/${table}?${text}`, html ? 'html' : 'data'),
      allowed: [200, 422],
    }
  }
}

/** Doors that do not exist, and those that exist asked by another method. */
export function* doors({ people: { admin } }: Target): Iterable<Attack> {
  const paths = [
    '/',
    '/you',
    '/sign-in',
    '/sign-out',
    '/tables/operators',
    UPDATE_PATH,
    '/healthz',
    '/readyz',
    '/admin',
    '/api',
    '/graphql',
    '/.env',
    '/.git/HEAD',
    '/package.json',
    '/tablewire',
    '/tablewire/',
    '/tablewire/assets/',
    '/tablewire/assets/manifest.json/x',
    '/broadcasting/auth',
    '/wp-login.php',
    '/metrics',
    '/debug',
    '/sign-in/link',
    '/sign-in/link/a/b',
  ]
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
  for (const url of paths)
    for (const method of methods)
      for (const marked of [{}, { 'x-tablewire': '1' }, { 'x-requested-with': 'XMLHttpRequest' }])
        yield {
          name: `${method} ${url} ${JSON.stringify(marked)}`,
          // No session: a right sign-out would be no attack.
          request: { method, url, headers: { ...marked, accept: '*/*' } },
          // The protocol of channels says 403 to whoever may not join.
          allowed: [200, 303, 400, 401, 404, 405, 415, 419, 422].concat(
            url === '/broadcasting/auth' ? 403 : [],
          ),
        }
  for (const url of paths.filter((path) => path !== '/sign-out'))
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)
      yield {
        name: `${method} ${url} signed in`,
        request: { method, url, headers: { cookie: admin.cookie } },
        allowed: [400, 404, 405],
      }
}
