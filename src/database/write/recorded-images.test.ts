import { expect, test } from 'vitest'
import { slimmed, summaryOf } from './recorded-images.ts'

test('a value over 16 MB is not kept, and the columns and rows that lack one are told', () => {
  const large = new Uint8Array(2 ** 24 + 1)
  const image = { table: 'notes', key: [1], before: { id: 1, body: large }, after: null }
  const other = { table: 'notes', key: [2], before: { id: 2, body: null }, after: null }
  const { images, values } = slimmed([image, other])
  expect(images).toEqual([{ ...image, before: { id: 1, body: { lost: large.length } } }, other])
  expect(values).toEqual([])
  expect(summaryOf(images, new Map()).lacks).toEqual([
    { table: 'notes', columns: ['body'], rows: 1 },
  ])
})
