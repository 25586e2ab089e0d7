/** Rows put together from templates are those that React draws, to the byte. */

import fc from 'fast-check'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { pages as english } from '../../messages/en.ts'
import type { PageMessages } from '../../messages/messages.ts'
import {
  type Cell,
  COLUMN_KINDS,
  type ColumnView,
  type Row,
  SAME_AS_KEY,
  type TableView,
} from '../../protocol/table-view.ts'
import { MessagesContext } from '../parts/use-messages.ts'
import type { Selection } from '../selection/use-selection.ts'
import { drawnColumns } from './drawn-columns.ts'
import { type RowMarkup, RowMarkupContext, type RowsView } from './row-markup-context.ts'
import { createRowMarkup } from './row-markup.tsx'
import { TableRows } from './table-rows.tsx'

const draw = (element: ReactElement, messages: PageMessages): string =>
  renderToString(<MessagesContext value={messages}>{element}</MessagesContext>)

/** Templates live through all runs, as they do on a server. */
const markup = createRowMarkup(draw)

type View = Pick<TableView, 'columns'> & RowsView

const drawnBy = (markup: RowMarkup | null, view: View): string =>
  draw(
    <RowMarkupContext value={markup}>
      <TableRows
        columns={drawnColumns(view)}
        view={view}
        question=""
        isFirst
        selection={view.selection ? NOTHING : null}
      />
    </RowMarkupContext>,
    english,
  )

const NOTHING: Selection = {
  selected: [],
  isSelected: () => false,
  pick: () => undefined,
  selectAll: () => undefined,
  clear: () => undefined,
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    `<&>"'`,
    ' at both ends ',
    'two\nlines',
    'https://example.org/a?b=1&c="2"',
    'javascript:alert(1)',
    'a@example.org',
    '#a0b1c2',
    '\u{f0000}',
    '900719925474099',
    'اسم',
    'paid\u202e 100',
    '\u0430dmin',
    'co\u00adop',
    '  ',
  ),
)

const cell: fc.Arbitrary<Cell | typeof SAME_AS_KEY> = fc.oneof(
  text,
  fc.constant(SAME_AS_KEY),
  fc.constantFrom<Cell>(null, '', 0),
  fc.tuple(text, fc.constantFrom('new', 'warn', 'ok', 'idle', 'bad', 'other')),
  fc.tuple(text, fc.nat()),
  fc.tuple(text, text),
)

const column = fc.record(
  {
    name: fc.string(),
    label: text,
    kind: fc.constantFrom(...COLUMN_KINDS),
    unit: fc.constantFrom('$', 'kt'),
    related: fc.constantFrom('/tables/customers', '/tables/a%20b'),
    endsTell: fc.constant(true as const),
  },
  { requiredKeys: ['name', 'label', 'kind'] },
)

const columns = fc.uniqueArray(column, { minLength: 1, maxLength: 8, selector: ({ name }) => name })

const view: fc.Arbitrary<View> = columns.chain((all) =>
  fc.record(
    {
      columns: fc.constant(all as ColumnView[]),
      rows: fc.uniqueArray(
        fc
          .tuple(text, text, fc.array(cell, { minLength: all.length, maxLength: all.length }))
          .map(([key, label, cells]): Row => [key, label, ...cells]),
        { maxLength: 6, selector: ([key]) => key },
      ),
      href: fc.constant('/tables/orders'),
      selection: fc.constant({ of: 'all' }),
      records: fc.record(
        { from: fc.constantFrom('sort=-a', `a='"&<`), except: fc.array(fc.nat(5)) },
        { requiredKeys: ['from'] },
      ),
    },
    { requiredKeys: ['columns', 'rows', 'href'] },
  ),
)

/** The same with some of its rows marked as deleted. */
const markedView: fc.Arbitrary<View> = view.chain((one) =>
  fc.subarray(one.rows.map(([key]) => key)).map((markedKeys) => ({ ...one, markedKeys })),
)

const marks = fc
  .uniqueArray(fc.nat(12), { maxLength: 4 })
  .map((all) => all.toSorted((a, b) => a - b).slice(all.length % 2))

/** The same with what a search has found in some of its cells, or out of sight. */
const foundView: fc.Arbitrary<View> = view.chain((one) => {
  const away = fc.record({ where: fc.constant('found in Remarks'), text, marks })
  const row = fc.record(
    {
      cells: fc.dictionary(fc.constantFrom('0', '1', '2'), marks),
      away: fc.array(away, { minLength: 1, maxLength: 1 }),
    },
    { requiredKeys: ['cells'] },
  )
  const { length } = one.rows
  return fc.array(row, { minLength: length, maxLength: length }).map((found) => ({ ...one, found }))
})

test('any rows are drawn as React draws them', () => {
  fc.assert(
    fc.property(fc.oneof(view, markedView, foundView), (any) => {
      expect(drawnBy(markup, any)).toBe(drawnBy(null, any))
    }),
    { numRuns: runs(200) },
  )
})

test('a row that is marked as deleted has a sign before its name, and says so', () => {
  const columns = [{ name: 'name', label: 'Name', kind: 'text', isLabel: true }] as ColumnView[]
  const rows: Row[] = ['1', '2'].map((key) => [key, `Note ${key}`, `Note ${key}`])
  const html = drawnBy(markup, { columns, rows, href: '/tables/notes', markedKeys: ['2'] })
  expect(html.match(/<th[^>]*data-marked="Deleted"[^>]*>.*?<svg.*?<\/svg>.*?Note 2/g)).toHaveLength(
    1,
  )
  expect(html.match(/<svg/g)).toHaveLength(1)
})

test('what a search has found is marked, and told under the name where no cell shows it', () => {
  const columns: ColumnView[] = [
    { name: 'name', label: 'Name', kind: 'text', isLabel: true },
    { name: 'operator', label: 'Operator', kind: 'relation', related: '/tables/operators' },
    { name: 'phase', label: 'Phase', kind: 'status' },
  ]
  const rows: Row[] = [['1', 'Gull & goose', 'Gull & goose', ['Goose Air', '2'], ['Climb', 'ok']]]
  const away = [{ where: 'found in Remarks', text: '… the goose …', marks: [6, 11] }]
  const found = [{ cells: { 0: [0, 4, 7, 12], 1: [0, 5], 2: [0, 5] }, away }]
  const html = drawnBy(markup, { columns, rows, href: '/tables/strikes', found })
  const plain = html.replaceAll('<!-- -->', '')
  expect(plain).toContain('<mark>Gull</mark> &amp; <mark>goose</mark>')
  expect(plain).toContain('<mark>Goose</mark> Air</a>')
  expect(plain).toMatch(/<mark><span class="pill ok">.*Climb.*<\/mark>/)
  expect(plain).toContain('<b>found in Remarks</b> … the <mark>goose</mark> …</span></th>')
})

test('a look that is known is not drawn again, whatever the values', () => {
  const drawn: ReactElement[] = []
  const counted = createRowMarkup((element, messages) => {
    drawn.push(element)
    return draw(element, messages)
  })
  const rows = (from: number): Row[] =>
    Array.from({ length: 50 }, (_, i) => [
      `${from + i}`,
      `Name ${i}`,
      `Name ${i}`,
      [`Customer ${i}`, `${i}`],
      [`Paid ${i}`, i % 2 ? 'ok' : 'bad'],
      i % 3 ? `${i}.00` : null,
      [`Long text ${i}`, 1000 + i],
    ])
  const page = (from: number): View => ({
    columns: [
      { name: 'name', label: 'Name', kind: 'text', isLabel: true },
      { name: 'customer', label: 'Customer', kind: 'relation', related: '/tables/customers' },
      { name: 'status', label: 'Status', kind: 'status' },
      { name: 'total', label: 'Total', kind: 'money', unit: '$' },
      { name: 'note', label: 'Note', kind: 'longtext' },
    ],
    rows: rows(from),
    href: '/tables/orders',
    records: { from: `page=${from}` },
  })
  drawnBy(counted, page(0))
  // Two frames, a name, a customer, two tones, a total with and without, and a text that was cut.
  expect(drawn).toHaveLength(9)
  drawnBy(counted, page(50))
  expect(drawn).toHaveLength(9)
})
