/** Hostile records: keys and origins of every kind in the addresses of rows, and filters in those of lists. */

import fc from 'fast-check'
import type { Json } from '../../src/protocol/json.ts'
import type { PageData } from '../../src/protocol/page.ts'
import type { RecordView } from '../../src/protocol/record-view.ts'
import { anyText, type Attack, draw } from './attack.ts'
import { INJECTIONS } from './injections.ts'
import { call, change, visit } from './requests.ts'
import type { Answer, Target } from './target.ts'

/** Tables by key: a number, two numbers, and none at all. */
const TABLES = ['strikes', 'airport_operators', 'costly_strikes', 'species'] as const
/** Not there, or not an address that anything could be at. */
const ABSENT = [400, 404, 414]

const recordAt = (table: string, key: string, from?: string) =>
  `/tables/${table}/records/${encodeURIComponent(key)}${
    from === undefined ? '' : `?from=${encodeURIComponent(from)}`
  }`

const known = (text: string) => text.isWellFormed()

/** Everything that looks like a key, and is that of another row or of none. */
const ODD_KEYS = [
  ...[
    '',
    ' ',
    '1 ',
    ' 1',
    '01',
    '+1',
    '-1',
    '-0',
    '1.0',
    '1e0',
    '0x1',
    '1n',
    '１',
    '1,',
    ',1',
    ',',
    ',,',
  ],
  ...[
    '1,1',
    '1,2,3',
    '%',
    '%%',
    '%25',
    '%2c',
    '1%2c2',
    '%31',
    '.',
    '..',
    '../1',
    '1/../2',
    '/',
    '\\',
    '//',
  ],
  ...[
    'null',
    'undefined',
    'NaN',
    'Infinity',
    'true',
    '[object Object]',
    '__proto__',
    'constructor',
    'new',
  ],
  ...[
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551616',
  ],
  ...[
    '1'.repeat(100),
    '1'.repeat(1900),
    'x'.repeat(2500),
    '\0',
    '1\0',
    '1\n',
    '\r\n',
    'é',
    '漢',
    '1;2',
    '1?',
    '1#',
    '1&a=b',
  ],
  ...[
    "1' or '1'='1",
    '1 or 1=1',
    '1; drop table strikes',
    '1--',
    '1/*',
    '(1)',
    '1)',
    '"id"',
    'id',
    'rowid',
  ],
]

/** Pages that are no row's are not found, and show nothing of any row. */
function showsNothing({ status, body }: Answer): string | undefined {
  return status === 404 && /"fields"|"values"|data-row-key/.test(body) ? 'shows a row' : undefined
}

/** Odd keys and injections where the key of a row stands. */
export function* oddKeys({ people: { admin } }: Target): Iterable<Attack> {
  for (const table of TABLES)
    for (const [i, key] of [...ODD_KEYS, ...INJECTIONS.filter(known)].entries())
      for (const as of ['data', 'html'] as const) {
        if (as === 'html' && i % 10 !== 0) continue
        const [pathname, shown] = [recordAt(table, key), JSON.stringify(key).slice(0, 60)]
        // Some of the texts are keys of rows that are there.
        const isKey = /^\d{1,4}(,\d{1,4})?$/.test(key)
        yield {
          name: `${table} ${shown}`,
          request: visit(admin, pathname, as),
          allowed: isKey ? [200, 404] : [...ABSENT, 303],
          check: showsNothing,
        }
      }
}

/** Any text as a key and as where one comes from. */
export function* drawnKeys({ people }: Target, count: number): Iterable<Attack> {
  const key = fc.oneof(
    fc.integer().map(String),
    fc.bigInt().map(String),
    fc.tuple(fc.integer(), fc.integer()).map(String),
    anyText(40),
    fc.constantFrom(...ODD_KEYS),
    fc.string({ unit: fc.constantFrom('%', ',', '.', '/', '2', 'c', '5', '1', '0', 'e', 'f') }),
  )
  const cases = fc.record({
    table: fc.constantFrom(...TABLES, 'nowhere'),
    key,
    from: fc.option(fc.oneof(anyText(60), fc.constantFrom(...INJECTIONS)), { nil: undefined }),
    person: fc.constantFrom(...Object.values(people)),
    html: fc.nat(9).map((n) => n === 0),
  })
  for (const { table, key, from, person, html } of draw(cases, count)) {
    if (!key.isWellFormed() || from?.isWellFormed() === false) continue
    yield {
      name: `${table} ${JSON.stringify(key).slice(0, 60)} from ${JSON.stringify(from)?.slice(0, 60)}`,
      request: visit(person, recordAt(table, key, from), html ? 'html' : 'data'),
      allowed: [200, ...ABSENT, 303, 422],
      check: showsNothing,
    }
  }
}

/** Texts where the list stands that one comes from: of no use, and no error either. */
export function* odysseys({ people: { admin } }: Target): Iterable<Attack> {
  const texts = [
    ...INJECTIONS.filter(known),
    ...[
      'javascript:alert(1)',
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '?',
      '#x',
      '&x=1',
    ],
    ...[
      'sort=nothing',
      'search=a&search=b',
      'page=-1',
      'after=x',
      'after=W10',
      'size=1e9',
      'filter.x=1',
    ],
    ...['columns=', 'from=from%3Dfrom', '%25', '%00', '='.repeat(500), '&'.repeat(900)],
  ]
  for (const [i, from] of texts.entries()) {
    const as = i % 7 === 0 ? 'html' : 'data'
    yield {
      name: `from ${JSON.stringify(from).slice(0, 60)}`,
      request: visit(admin, recordAt('strikes', '17', from), as),
      allowed: from.length > 1000 ? [200, 422] : [200],
      check: ({ status, body }) => (status === 200 ? strayLinks(body, as) : undefined),
    }
  }
  yield {
    name: 'two origins',
    request: visit(admin, '/tables/strikes/records/17?from=sort%3Did&from=x'),
    allowed: [200],
  }
  for (const query of ['x=1', 'search=a', 'sort=id', '__proto__=1', '=', 'from[]=1', 'FROM=1'])
    yield {
      name: `a record with ${query}`,
      request: visit(admin, `/tables/strikes/records/17?${query}`),
      allowed: [422],
    }
}

/** Links of a record lead to lists and records of this very site. */
function strayLinks(body: string, as: 'data' | 'html'): string | undefined {
  if (as === 'html') return /<a [^>]*href="(?!\/|#)[^"]*"/.exec(body)?.[0]
  const { components } = JSON.parse(body) as PageData
  const record = components.find(({ name }) => name === 'record')?.view as RecordView | undefined
  const links = [record?.listHref, record?.previous, record?.next].filter(Boolean)
  return links.find((href) => !/^\/tables\/strikes(\/records\/\d+)?(\?|$)/.test(href ?? ''))
}

/** Filters by every column and text: shown, or refused by name. */
export function* filters({ people: { admin } }: Target): Iterable<Attack> {
  const at = (query: string, allowed: readonly number[]): Attack => ({
    name: `?${query.slice(0, 100)}`,
    request: visit(admin, `/tables/strikes?${query}`),
    allowed,
  })
  const said = (text: string) => encodeURIComponent(text)
  for (const text of [...INJECTIONS, ...ODD_KEYS]) {
    yield at(`filter.species_id=${said(text)}`, [200, 422])
    yield at(`filter.${said(text)}=1`, text === 'id' ? [200] : [422])
    yield at(`filter.species_id${said(text)}=1`, text === '' ? [200] : [422])
  }
  for (const column of ['rowid', 'species.name', 'SPECIES_ID', 'nothing'])
    yield at(`filter.${column}=1`, [422])
  yield at('filter.species_id=1&filter.species_id=2', [422])
  yield at('filter.species_id[]=1', [422])
  yield at('filter=1', [422])
  yield at('filter.=1', [422])
}

/** What the live page of a row may be asked: nothing but what surrounds it. */
export function* calls({ people }: Target): Iterable<Attack> {
  for (const person of Object.values(people)) {
    const at = (method: string, params: Json[], allowed: number[]): Attack => ({
      name: `${method} ${JSON.stringify(params)}`,
      request: call(person, 'record', { method, params }),
      allowed,
    })
    yield at('around', [], [200])
    for (const params of [[1], [null], ['x'], [[]]]) yield at('around', params, [422])
    for (const method of [
      'sortBy',
      'refresh',
      'removeFilter',
      'view',
      'mount',
      'constructor',
      'read',
      '',
    ])
      yield at(method, [], [404])
    for (const path of ['table', 'key', 'from', 'isPartial', 'key.0', '__proto__.x', 'nothing'])
      yield {
        name: `sets ${path}`,
        request: change(person, 'record', path, 'people'),
        allowed: [422],
      }
  }
}
