import { expect, test } from 'vitest'
import { pages } from '../../messages/en.ts'
import { shownText } from './shown-text.ts'

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
