/**
 * The server half of a kind of column for ratings: the text of a cell, and the words for an order.
 */

import { defineKind } from 'tablewire'

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
      return isRating ? ['★'.repeat(stars), String(stars)] : cut(String(value))
    },
  order: { ascending: 'worst first', descending: 'best first' },
  layout: { width: 'whole', place: 'figure' },
})
