import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cellValue } from './cell-value.tsx'

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
