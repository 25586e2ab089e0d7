import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cellValue } from './cell-value.tsx'

test('a cell of a column whose values begin alike keeps the end of its text in sight', () => {
  const column = { name: 'path', label: 'Path', kind: 'text', endsTell: true } as const
  const drawn = { column, place: 0, className: '', kind: {} }
  const draw = (cell: string, found?: number[]) =>
    renderToStaticMarkup(<>{cellValue({ cell, drawn, found })}</>)
  expect(draw('/reports/2024/winter.pdf')).toBe(
    // Also among words that run from right to left, its beginning stands before its end.
    '<span class="ends" dir="ltr"><span class="name">/reports/2024/</span><span>winter.pdf</span></span>',
  )
  // What is short, found or marked is drawn as ever.
  expect(draw('winter.pdf')).toBe('winter.pdf')
  expect(draw('/reports/2024/winter.pdf', [1, 8])).not.toContain('ends')
  expect(draw(' /reports/2024/winter.pdf')).not.toContain('ends')
})

test('a cell of a column whose cells name rows of several tables links to its own row', () => {
  const column = { name: 'subject_id', label: 'Subject', kind: 'number', paired: true } as const
  const drawn = { column, place: 0, className: '', kind: {} }
  const draw = (isPlain: boolean, cell: string | [string, string]) =>
    renderToStaticMarkup(<>{cellValue({ cell, drawn, isPlain })}</>)
  const cell: [string, string] = ['Bob', '/tables/people/records/2']
  expect(draw(false, cell)).toBe('<a href="/tables/people/records/2">Bob</a>')
  expect(draw(true, cell)).toBe('Bob')
  expect(draw(false, '99')).toBe('99')
})
