/** What a selection is said to count, and when it is all there is. */

import { expect, test } from 'vitest'
import { messagesFor } from '../../messages/messages.ts'
import type { Selected } from '../../protocol/selection.ts'
import type { Total } from '../../protocol/table-view.ts'
import type { SelectedCount } from '../../protocol/table-component.ts'
import { countText } from './selected-count.ts'

const words = messagesFor('en')
const total = (kind: 'exact' | 'estimate' | 'atLeast', count: number): Total => ({
  kind,
  count,
  text: count.toLocaleString('en'),
})
const exact = total('exact', 12_000)
const estimate = total('estimate', 12_000)
const atLeast = total('atLeast', 10_000)
const counting: Total = { kind: 'counting' }

const all: Selected = { except: [] }
const allBut: Selected = { except: ['1', '2'] }
const one: Selected = ['1']

test.each<[string, Selected, Total, SelectedCount | null, [text: string, isAll: boolean]]>([
  ['none', [], exact, null, ['0', false]],
  ['none of none are not all', [], total('exact', 0), null, ['0', false]],
  ['keys', ['1', '2'], exact, null, ['2', false]],
  ['as many keys as there are rows', ['1', '2'], total('exact', 2), null, ['2', true]],
  ['keys, while rows are being counted', ['1', '2'], counting, null, ['2', false]],
  ['keys that still match', one, exact, { kind: 'exact', text: '0', count: 0 }, ['0', false]],
  ['keys that could not be counted', one, exact, { kind: 'unknown' }, ['1', false]],
  ['all', all, exact, null, ['12,000', true]],
  ['all, by an estimate', all, estimate, null, ['about 12,000', true]],
  ['all, of more than are counted', all, atLeast, null, ['more than 10,000', true]],
  ['all, while rows are being counted', all, counting, null, ['All', true]],
  ['all but some', allBut, exact, null, ['11,998', false]],
  ['all but some, by an estimate', allBut, estimate, null, ['about 11,998', false]],
  ['all but some, of an unknown number', allBut, counting, null, ['All but 2', false]],
  ['all but some, of more than are counted', allBut, atLeast, null, ['All but 2', false]],
  [
    'all but some, one of which no longer matches',
    allBut,
    exact,
    { kind: 'exact', text: '11,999', count: 11_999 },
    ['11,999', false],
  ],
  [
    'all but some, none of which matches any more',
    allBut,
    exact,
    { kind: 'exact', text: '12,000', count: 12_000 },
    ['12,000', true],
  ],
  [
    'all but some, as the server has counted up to its bound',
    allBut,
    atLeast,
    { kind: 'atLeast', text: '9,998', count: 9998 },
    ['more than 9,998', false],
  ],
])('%s', (_, selected, of, count, [text, isAll]) => {
  const counted = count && { of: selected, count }
  expect(countText(selected, of, counted, words, 'en')).toEqual({ text, isAll })
})

test('a count of another selection says nothing', () => {
  const counted = { of: ['1'], count: { kind: 'exact', text: '0', count: 0 } as const }
  expect(countText(['1'], exact, counted, words, 'en').text).toBe('1')
})
