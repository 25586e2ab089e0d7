/** Kinds of one's own in the browser: drawn by their browser half, or read as text without it. */

import fc from 'fast-check'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { pages as english } from '../../messages/en.ts'
import type { PageMessages } from '../../messages/messages.ts'
import type { FieldInput } from '../../protocol/form-view.ts'
import type { FieldValue, FileView } from '../../protocol/record-view.ts'
import type { Cell, ColumnView, Row } from '../../protocol/table-view.ts'
import { measureColumns } from '../list/column-widths.ts'
import { drawnColumns } from '../list/drawn-columns.ts'
import { type RowMarkup, RowMarkupContext } from '../list/row-markup-context.ts'
import { createRowMarkup } from '../list/row-markup.tsx'
import { TableRows } from '../list/table-rows.tsx'
import { MessagesContext, useMessages } from '../parts/use-messages.ts'
import { FieldContent } from '../record/field-content.tsx'
import { Control } from '../record/field-input.tsx'
import type { ClientKind, ClientKinds, KindFieldProps, KindProps } from './client-kind.ts'
import { KindsProvider, useKinds } from './kinds-context.tsx'
import { BUILT_IN, joinKinds } from './kinds.ts'

const Stars = ({ text, more, column }: KindProps) => (
  <span className="stars" data-value={more} title={column.label}>
    {text}
  </span>
)

const rating: ClientKind = { cell: Stars }

const draw = (element: ReactElement, messages: PageMessages = english): string =>
  renderToString(<MessagesContext value={messages}>{element}</MessagesContext>)

const name: ColumnView = { name: 'name', label: 'Name', kind: 'text', isLabel: true }
// Its values need no label on a card, which would stand around them.
const layout = { speaks: true } as const
const stars: ColumnView = { name: 'stars', label: 'Stars', kind: 'rating', layout }

function rowsOf(columns: ColumnView[], rows: Row[], kinds: ClientKinds, markup?: RowMarkup) {
  const view = { columns, rows, href: '/tables/films', records: { from: '' } }
  return draw(
    <KindsProvider kinds={kinds}>
      <RowMarkupContext value={markup ?? null}>
        <TableRows
          question=""
          isFirst
          columns={drawnColumns(view, joinKinds(kinds))}
          view={view}
          selection={null}
        />
      </RowMarkupContext>
    </KindsProvider>,
  )
}

const cellsOf = (html: string) => [...html.matchAll(/<td role="cell"[^>]*>(.*?)<\/td>/g)]
const cellOf = (cell: Cell, kinds: ClientKinds) =>
  cellsOf(rowsOf([name, stars], [['1', 'Jaws', 'Jaws', cell]], kinds))[0]?.[1]

const STARS = '<span class="stars" data-value="4" title="Stars">★★★★☆</span>'

describe('a cell of a kind of one’s own', () => {
  test('is drawn by its browser half', () => {
    expect(cellOf(['★★★★☆', '4'], { rating })).toBe(STARS)
  })

  test('is its text where there is no browser half', () => {
    expect(cellOf(['★★★★☆', '4'], {})).toBe('★★★★☆')
    expect(cellOf(['★★★★☆', '4'], { rating: {} })).toBe('★★★★☆')
  })

  test('is absent as any other, and cut as any other', () => {
    for (const cell of [null, '', 0, ['x', 900]] as Cell[])
      expect(cellOf(cell, { rating })).toBe(cellOf(cell, {}))
  })

  test('stays text where the text does not fit', () => {
    const fits = (text: string) => text.startsWith('★')
    expect(cellOf(['★★★★☆', '4'], { rating: { ...rating, fits } })).toBe(STARS)
    expect(cellOf('soon', { rating: { ...rating, fits } })).toBe('soon')
  })

  test('is text in the link of its row, unless it may stand in one', () => {
    const row: Row[] = [['1', '★★★★☆', ['★★★★☆', '4']]]
    const link = (drawn: string) =>
      `<a class="row-link" href="/tables/films/records/1">${drawn}</a>`
    expect(rowsOf([stars], row, { rating })).toContain(link('★★★★☆'))
    expect(rowsOf([stars], row, { rating: { ...rating, inLink: true } })).toContain(link(STARS))
  })

  test('may be one of a built-in kind that is drawn otherwise', () => {
    const html = rowsOf([name, { ...stars, kind: 'boolean' }], [['1', 'a', 'a', 'Yes']], {
      boolean: { cell: ({ text }) => <b>{text}</b> },
    })
    expect(cellsOf(html)[0]?.[1]).toBe('<b>Yes</b>')
    expect(joinKinds({ boolean: {} }).get('boolean')).toEqual(BUILT_IN.get('boolean'))
  })
})

test('several pictures of a row are drawn small, and how many there are besides', () => {
  const column: ColumnView = { name: 'photos', label: 'Photos', kind: 'file' }
  const cell: Cell = ['a.png, b.png', '/f/1 /f/2 +3']
  const html = cellsOf(rowsOf([name, column], [['1', 'a', 'a', cell]], {}))[0]?.[1] ?? ''
  expect(html.match(/<img src="[^"]*" alt="[^"]*"/g)).toEqual([
    '<img src="/f/1?size=small" alt="a.png"',
    '<img src="/f/2?size=small" alt="b.png"',
  ])
  expect(html).toMatch(/ data-picture="b\.png">.*<\/a>\+3<\/span>$/)
})

describe('a field of a kind of one’s own', () => {
  const field: FieldInput = {
    ...{ name: 'stars', label: 'Stars', kind: 'rating', control: { is: 'number' }, text: null },
    ...{ nullable: true, takesEmpty: false, required: false, default: '3' },
  }
  const drawField = (kinds: ClientKinds, error?: string) =>
    draw(
      <KindsProvider kinds={kinds}>
        <Control
          {...{ component: 'form', field, text: '4', error, change: () => undefined }}
          id="it"
          describedBy="it-notes"
        />
      </KindsProvider>,
    )
  const Field = ({ text, column, placeholder, input }: KindFieldProps) => (
    <meter {...input} value={text ?? ''} title={`${column.label} ${placeholder}`} />
  )

  test('takes the input in place of the column’s control, with its label, notes and problems', () => {
    expect(drawField({ rating: { field: Field } }, 'Too many')).toBe(
      '<meter id="it" name="set.stars" class="in" aria-describedby="it-notes" aria-invalid="true" value="4" title="Stars undefined"></meter>',
    )
  })

  test('is the column’s own control where there is none', () => {
    for (const kinds of [{}, { rating: {} }])
      expect(drawField(kinds)).toMatch(/^<input [^>]*inputMode="decimal"[^>]* value="4"\/>$/)
  })
})

describe('rows from templates', () => {
  const Asking = ({ text }: KindProps) => {
    const { cell } = useMessages()
    return <i title={cell.noAccess}>{`${text} of ${useKinds().size} kinds`}</i>
  }
  const kinds: ClientKinds = {
    rating,
    linked: { cell: Stars, inLink: true },
    asking: { cell: Asking },
    plain: { cell: ({ text }) => <b title={text}>{text}</b>, template: 'text' },
    few: {
      cell: ({ text, more }) => <b className={more === 'high' ? 'high' : 'low'}>{text}</b>,
      inLink: true,
      template: (more) => (more === 'high' ? 'high' : 'low'),
    },
  }
  const surround = (element: ReactElement) => <KindsProvider kinds={kinds}>{element}</KindsProvider>
  const drawRows = createRowMarkup(draw)
  const markup: RowMarkup = (columns, view, messages) => drawRows(columns, view, messages, surround)

  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom(`<&>"'`, ' a ', 'two\nlines', '\u{f0000}', '900719925474099'),
  )
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    text,
    fc.constantFrom<Cell>(null, '', 0),
    fc.tuple(text, fc.constantFrom('high', 'low', 'other')),
    fc.tuple(text, fc.nat()),
  )
  const column: fc.Arbitrary<ColumnView> = fc.record(
    {
      name: fc.string(),
      label: text,
      kind: fc.constantFrom(...Object.keys(kinds), 'unknown', 'constructor'),
      related: fc.constant('/tables/customers'),
    },
    { requiredKeys: ['name', 'label', 'kind'] },
  )

  test('are those that React draws, with kinds of one’s own and unknown ones', () => {
    const columns = fc.uniqueArray(column, {
      minLength: 1,
      maxLength: 5,
      selector: ({ name }) => name,
    })
    const listing = columns.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.array(fc.array(cell, { minLength: all.length, maxLength: all.length }), {
          maxLength: 4,
        }),
      ),
    )
    fc.assert(
      fc.property(listing, ([columns, all]) => {
        const rows = all.map((cells, at): Row => [`${at}`, `Row ${at}`, ...cells])
        expect(rowsOf(columns, rows, kinds, markup)).toBe(rowsOf(columns, rows, kinds))
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('the layout of a column', () => {
  const rows: Row[] = [['1', 'a', 'a', ['★★★★☆', '4']]]
  const widthOf = (column: ColumnView, kind: ClientKind = {}) => {
    const view = { columns: [name, column], rows } as Parameters<typeof measureColumns>[0]
    return measureColumns(view, joinKinds({ rating: kind }))['stars']!.full
  }

  test('is what the server says, without a browser half', () => {
    const [plain, wide] = [widthOf(stars), widthOf({ ...stars, layout: { least: 30 } })]
    expect(plain).toBeLessThan(wide)
    expect(wide).toBe(30 * 8)
    const [, drawn] = drawnColumns({ columns: [name, { ...stars, layout: { place: 'figure' } }] })
    // On a card, a figure without a unit has its label.
    expect(drawn?.className).toBe('k-rating num card-figure card-named')
  })

  test('is what the browser half says, where the server says nothing', () => {
    const { layout: _, ...bare } = stars
    expect(widthOf(bare, { layout: { fixed: 200 } })).toBe(200 + 17 + 12 + 1)
    expect(widthOf({ ...bare, layout: { least: 20 } }, { layout: { least: 30 } })).toBe(20 * 8)
  })
})

describe('files of a record', () => {
  const htmlOf = (...files: FileView[]) =>
    draw(
      <FieldContent field={{ name: 'photos', label: 'Photos', value: { is: 'files', files } }} />,
    )

  test('are a figure each: a picture, a download, a link elsewhere, and a warning', () => {
    const html = htmlOf(
      { name: 'a.png', href: '/f/1', note: '2 kB', isPicture: true },
      { name: 'b.pdf', href: '/f/2', note: '3 kB' },
      { name: 'https://example.org/c', href: 'https://example.org/c', isElsewhere: true },
      { name: 'gone.png', note: 'It is gone.' },
    )
    expect(html.match(/<li>/g)).toHaveLength(4)
    expect(html.match(/<img[^>]*>/g)).toEqual([
      '<img src="/f/1?size=medium" alt="" loading="lazy"/>',
    ])
    expect(html).toMatch(/<a class="link" href="\/f\/2" download="">/)
    expect(html).toMatch(
      /href="https:\/\/example.org\/c" target="_blank" rel="noopener noreferrer"/,
    )
    expect(html).toMatch(/<span class="warn">.*gone\.png<\/span> <span class="hint">It is gone\./)
  })

  test('are no list where there is one', () => {
    expect(htmlOf({ name: 'a.pdf', href: '/f/1' })).toMatch(/^<figure/)
  })
})

describe('a value of a record', () => {
  const valueOf = (value: FieldValue, kinds: ClientKinds) =>
    draw(
      <KindsProvider kinds={kinds}>
        <FieldContent field={{ name: 'stars', label: 'Stars', value }} />
      </KindsProvider>,
    )
  const four: FieldValue = { is: 'own', kind: 'rating', text: '★★★★☆', more: '4' }

  test('is drawn by the browser half: as a value, else as a cell, else as text', () => {
    const value = ({ more }: KindProps) => <b>{more}</b>
    expect(valueOf(four, { rating: { cell: Stars, value } })).toBe('<b>4</b>')
    expect(valueOf(four, { rating })).toBe(STARS)
    expect(valueOf(four, {})).toBe('<span class="text">★★★★☆</span>')
    expect(valueOf({ ...four, kind: 'constructor' }, {})).toBe('<span class="text">★★★★☆</span>')
  })
})
