/** Copy says what is meant, wherever it stands. */

import { expect, test } from 'vitest'
import { pages, server } from './en.ts'

test('the key of a row does not read as how many rows there are', () => {
  expect(pages.record.unnamed('Strikes', '10000')).toBe('Strike 10000')
  expect(pages.record.unnamed('Addresses', '7')).toBe('Address 7')
  expect(pages.record.unnamed('People', '7')).toBe('People, key 7')
  expect(pages.commands.record('Strikes', '10000')).toBe('Strikes, key 10000')
})

test('what is refused and the sentence about it speak of the same thing', () => {
  const { errors, details } = server
  for (const detail of [
    details.filter.unknown('foo'),
    details.address.column('foo'),
    details.rows.column('foo'),
  ])
    expect(`${errors.TABLE_UNKNOWN_COLUMN} ${detail}`).toMatch(
      /^The request names something .*\. It names the (filter|column) “foo”\.$/,
    )
})

test('rows without a key are told in words of rows', () => {
  expect(server.reasons.unordered).toBe(
    'These rows have no key. Until you sort them, a row may appear on two pages, or on none.',
  )
})

test('what waits while offline is not always something to be sent', () => {
  const waiting = [1, 2].map((count) => pages.failures.waiting({ count, text: String(count) }))
  expect(waiting).toEqual(['1 request waits.', '2 requests wait.'])
})

test('a colleague is not told to look at a terminal that they have not', () =>
  expect(server.signIn.lead).toMatch(/Whoever runs Tablewire finds one in its terminal/))

test('one row that was moved is a row, not a count of places', () =>
  expect(server.reorder.savedOne).toBe('The row’s new position is saved.'))
