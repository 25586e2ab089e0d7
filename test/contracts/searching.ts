/** A search finds the same rows on every engine, as a plain reading of them does, and tells nothing of hidden ones. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../src/table/catalog.ts'
import { formatterFor } from '../../src/table/format.ts'
import { foundIn } from '../../src/table/search/found.ts'
import { searchPredicate } from '../../src/table/search/predicate.ts'
import type { Policy } from '../../src/table/source/access.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { Value } from '../../src/table/source/value.ts'
import { within } from '../tier.ts'
import { actor } from './actors.ts'
import type { Row } from './filter-reference.ts'
import type { Fixture, OpenFixture } from './fixture.ts'
import { idsOf, openBench, readPage } from './opened.ts'

const at = <T>(list: readonly T[], place: number): T | null => list[place % list.length] ?? null

const CUSTOMERS = [
  ['Alfreds Futterkiste', 'Maria Anders', 'maria@alfreds.example', 12],
  ['100% Goose', 'Ana_Trujillo', 'ana@goose.example', 7],
  ['Around the Horn', 'Thomas Climb', null, 12345],
  [null, 'secret nobody', 'nobody@example.org', null],
].map(([company, name, email, rank], id): Row => ({
  id: id + 100,
  name: name ?? null,
  company: company ?? null,
  email: email ?? null,
  rank: rank ?? null,
}))

const NOTES = [
  'Canada goose',
  'goose in climb',
  'CLIMB 12',
  '50%_off',
  'a "quoted" word',
  'x\\y',
  '',
  null,
]
const DAYS = ['2026-11-12', '2026-01-05', '2024-02-29', null]
const MOMENTS = ['2026-11-12 14:30:00', '2026-11-12 00:00:59', '2024-02-29 23:59:00', null]
const TOTALS = ['12345.5', '12', '0.5', '-7', null]

const ORDERS = Array.from({ length: 64 }, (_, id): Row => ({
  id: id + 1,
  note: at(NOTES, id),
  phase: at(['climb', 'Approach', null], id * 5 + Math.floor(id / 9)),
  total: at(TOTALS, id * 3),
  placed_on: at(DAYS, id + Math.floor(id / 5)),
  seen_at: at(MOMENTS, id * 7 + Math.floor(id / 6)),
  customer_id: id % 6 === 5 ? null : 100 + (id % CUSTOMERS.length),
}))

const valuesIn = (rows: readonly Row[]): Value[][] => rows.map((row) => Object.values(row))

const text = (name: string) => ({ name, type: 'text', nullable: true }) as const

const fixture: Fixture = {
  tables: [
    {
      name: 'customers',
      columns: [
        { name: 'id', type: 'integer' },
        ...['name', 'company', 'email'].map(text),
        { name: 'rank', type: 'integer', nullable: true },
      ],
      key: ['id'],
      rows: valuesIn(CUSTOMERS),
    },
    {
      name: 'orders',
      columns: [
        { name: 'id', type: 'integer' },
        ...['note', 'phase'].map(text),
        { name: 'total', type: 'decimal', nullable: true },
        { name: 'placed_on', type: 'date', nullable: true },
        { name: 'seen_at', type: 'datetime', nullable: true },
        { name: 'customer_id', type: 'integer', nullable: true },
      ],
      key: ['id'],
      foreignKeys: [{ columns: ['customer_id'], table: 'customers', references: ['id'] }],
      indexes: [['customer_id'], ['note']],
      rows: valuesIn(ORDERS),
    },
  ],
}

/** What somebody may not see: columns of each table, and rows of customers. */
type Hidden = { readonly columns: readonly string[]; readonly customers: Predicate }

const NOTHING_HIDDEN: Hidden = { columns: [], customers: everything }
const SOME_HIDDEN: Hidden = {
  columns: ['email', 'phase', 'seen_at'],
  customers: { op: 'lt', column: 'id', value: 103 },
}

const policyHiding = ({ columns: hidden, customers }: Hidden): Policy => ({
  version: '1',
  grant: (_actor, { name, columns }) => ({
    actions: ['read'],
    rows: name === 'customers' ? customers : everything,
    readable: columns.map(({ name }) => name).filter((name) => !hidden.includes(name)),
    writable: [],
  }),
})

/** What a term means, as plainly as it can be said. */
type Meant = { readonly typed: string; holds(value: Value, column: string): boolean }

const TEXTS = ['note', 'phase', 'name', 'company', 'email']

const word = (typed: string, phrase = typed): Meant => ({
  typed,
  holds: (value, column) =>
    TEXTS.includes(column)
      ? String(value).toLowerCase().includes(phrase.toLowerCase())
      : ['id', 'total'].includes(column)
        ? /^-?[\d.]+$/.test(phrase) && Number(value) === Number(phrase)
        : String(value).includes(phrase),
})

const number = (typed: string, meant: number): Meant => ({
  typed,
  holds: (value, column) =>
    ['id', 'total'].includes(column) ? Number(value) === meant : word(typed).holds(value, column),
})

const day = (typed: string, iso: string): Meant => ({
  typed,
  holds: (value, column) =>
    ['placed_on', 'seen_at'].includes(column)
      ? String(value).startsWith(iso)
      : TEXTS.includes(column) && word(typed).holds(value, column),
})

/** As cells show them to a reader in Britain. */
const [SHOWN_NUMBER, SHOWN_DAY] = (() => {
  const { number } = formatterFor({ locale: 'en-GB', language: 'en' })
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  return [number('12345.5'), format.format(Date.UTC(2026, 10, 12))]
})()

const TERMS: readonly Meant[] = [
  ...[
    'goose',
    'GOOSE',
    'climb',
    'o',
    '12',
    '-7',
    '%',
    '_',
    '\\',
    '50%_off',
    'maria',
    'example',
  ].map((typed) => word(typed)),
  ...['zzz', '0.5', '2026-11', 'anders', 'secret', '100', '1'].map((typed) => word(typed)),
  word('"Canada goose"', 'Canada goose'),
  word('"goose in"', 'goose in'),
  word('"the horn"', 'the horn'),
  number(SHOWN_NUMBER, 12345.5),
  number('12345.5', 12345.5),
  day(SHOWN_DAY, '2026-11-12'),
  day('2026-11-12', '2026-11-12'),
  day('29 February 2024', '2024-02-29'),
  {
    typed: '12 Nov 2026, 14:30',
    holds: (value, column) => column === 'seen_at' && String(value) === '2026-11-12 14:30:00',
  },
]

/** The columns of a list that shows some. */
const SHOWN = ['note', 'total', 'placed_on', 'customer_id']

/** Whether the row holds every term, as far as it may be seen. */
function isFound(
  terms: readonly Meant[],
  row: Row,
  { columns: hidden, customers }: Hidden,
): boolean {
  const isSeen = (one: Row | undefined) => customers === everything || Number(one?.['id']) < 103
  const customer = CUSTOMERS.find(({ id }) => id === row['customer_id'])
  const related = customer && isSeen(customer) ? customer : {}
  const held = [
    ...Object.entries(row).filter(([name]) => name !== 'customer_id'),
    ...Object.entries(related).filter(([name]) => ['name', 'company', 'email'].includes(name)),
  ].filter(([name, value]) => value !== null && !hidden.includes(name))
  return terms.every((term) => held.some(([name, value]) => term.holds(value, name)))
}

export function searchingContract(name: string, open: OpenFixture, numRuns: number): void {
  describe(`${name}: a search`, () => {
    async function opened(hidden: Hidden) {
      const { source } = await openBench(open, fixture)
      const catalog = await createCatalog(source, policyHiding(hidden))
      const list = catalog.open(actor, 'orders')
      const find = (typed: string) =>
        idsOf(source, list.access, searchPredicate(typed, list, { now: 0, locale: 'en-GB' }))
      /** Where each row of a list of some columns was found; `undefined` for one that tells nothing. */
      async function told(typed: string) {
        const clock = { now: 0, locale: 'en-GB' }
        const columns = SHOWN.flatMap((name) => list.definition.columns.get(name) ?? [])
        const related = columns.flatMap(({ name: column }) => {
          const relation = list.relations.get(column)
          return relation ? [{ column, ...relation }] : []
        })
        const where = searchPredicate(typed, list, clock)
        const page = await readPage(source, list.access, { columns: SHOWN, where, related })
        const reader = { locale: 'en-GB', language: 'en' }
        const found = await foundIn(typed, { open: list, source, columns, page, reader, run: {} })
        return found.map(({ cells, away = [] }) => [
          ...Object.keys(cells).map((place) => SHOWN[Number(place)]),
          ...away.map(({ where }) => where),
        ])
      }
      return { find, told }
    }

    test.each([
      ['all there is', NOTHING_HIDDEN],
      ['what is not hidden, and tells nothing of what is', SOME_HIDDEN],
    ])(
      'tells of each row where it was found, in %s',
      async (_of, hidden) => {
        const { told } = await opened(hidden)
        const isHidden = hidden.columns.length > 0
        for (const { typed } of TERMS)
          for (const places of await told(typed)) {
            expect(places, typed).not.toEqual([])
            if (isHidden) expect(places.join(), typed).not.toMatch(/Phase|Seen/)
          }
      },
      within(60_000),
    )

    test.each([
      ['all there is', NOTHING_HIDDEN],
      ['what is not hidden, and nothing by what is', SOME_HIDDEN],
    ])(
      'finds, of %s, the rows that hold each term',
      async (_of, hidden) => {
        const { find } = await opened(hidden)
        const terms = fc.array(fc.constantFrom(...TERMS), { minLength: 1, maxLength: 3 })
        const check = async (meant: readonly Meant[]) => {
          const found = await find(meant.map(({ typed }) => typed).join(' '))
          const ids = ORDERS.flatMap((row) => (isFound(meant, row, hidden) ? [row['id']!] : []))
          expect(found).toEqual(ids)
        }
        for (const term of TERMS) await check([term])
        await fc.assert(fc.asyncProperty(terms, check), { numRuns })
      },
      within(120_000),
    )
  })
}
