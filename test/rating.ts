/** A kind of one's own for tests: stars, from an integer, as somebody outside would make it. */

import { defineKind } from '../src/exports/index.ts'

const MOST = 5

export const rating = defineKind({
  name: 'rating',
  infer: [{ types: ['integer'], when: [({ last }) => last === 'stars'] }],
  check({ type }, _table, report) {
    if (type !== 'integer') report(`a column of ${type} holds no ratings.`)
  },
  cell:
    ({ cut }) =>
    (value) => {
      const stars = Number(value)
      const isRating = Number.isInteger(stars) && stars >= 0 && stars <= MOST
      return isRating
        ? ['★'.repeat(stars) + '☆'.repeat(MOST - stars), String(stars)]
        : cut(String(value))
    },
  order: { ascending: 'worst first', descending: 'best first' },
  layout: { width: 'whole', least: 9, place: 'figure' },
  summary: { infer: () => 'mean' },
})
