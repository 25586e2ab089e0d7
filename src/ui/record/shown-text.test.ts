import { expect, test } from 'vitest'
import { pages } from '../../messages/en.ts'
import { shownText } from './shown-text.ts'

test('files are called by their names, also those of a list', () => {
  const file = { path: 'kept/a', name: 'a.png', type: 'image/png' }
  const one = {
    control: { is: 'file' as const, maxBytes: 1, stored: [file] },
    text: 'kept/a',
  }
  expect(shownText(one, 'kept/a', pages)).toBe('a.png')
  expect(shownText(one, 'x', pages, 'b.png')).toBe('b.png')
  const stored = [file, { ...file, name: 'b.png' }]
  const control = { is: 'file' as const, maxBytes: 1, isList: true as const, stored }
  const list = { control, text: '{a,b}' }
  expect(shownText(list, '{a,b}', pages)).toBe('a.png, b.png')
  expect(shownText(list, '["a","c"]', pages, 'a.png\nc.png')).toBe('a.png, c.png')
  expect(shownText(list, '[]', pages)).toBe('No value')
})

test('a related row is called by its name, a value that is none and yes and no by words', () => {
  const control = { is: 'relation', label: 'North', table: 'Crews', create: null } as const
  const crew = { control, text: '1' }
  expect(shownText(crew, '1', pages)).toBe('North')
  expect(shownText(crew, '2', pages, 'South')).toBe('South')
  // Nobody has said its name.
  expect(shownText(crew, '3', pages)).toBe('3')
  expect(shownText(crew, null, pages)).toBe('No value')
  const isPaid = { control: { is: 'yes-no' }, text: 'true' } as const
  expect(shownText(isPaid, 'false', pages)).toBe('No')
  expect(shownText(isPaid, 'maybe', pages)).toBe('maybe')
})
