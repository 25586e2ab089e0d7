import { expect, test } from 'vitest'
import { NoticeReader, noticesOf } from './notice-parts.ts'

const long = 'ä'.repeat(20_000)

const readAll = (reader: NoticeReader, notices: readonly string[]) =>
  notices.map((notice) => reader.read(notice)).filter((text) => text !== undefined)

test('a long text is several notices, each shorter than 8,000 bytes', () => {
  const notices = noticesOf('one', 1, long)!
  expect(notices.length).toBeGreaterThan(5)
  for (const notice of notices) expect(Buffer.byteLength(notice)).toBeLessThan(8000)
  expect(readAll(new NoticeReader('two'), notices)).toEqual([long])
  expect(readAll(new NoticeReader('two'), noticesOf('one', 1, '')!)).toEqual([''])
  expect(readAll(new NoticeReader('one'), notices)).toEqual([])
  expect(noticesOf('one', 1, 'x'.repeat(12_000_000))).toBeUndefined()
})

test('those of several senders may be mixed', () => {
  const [one, two] = [noticesOf('one', 1, long)!, noticesOf('two', 1, `${long}!`)!]
  const mixed = one.flatMap((notice, at) => [notice, two[at]!])
  expect(readAll(new NoticeReader('three'), mixed)).toEqual([long, `${long}!`])
})

test('a text with a part that is missing, twice or another’s is dropped, and the next one is not', () => {
  const [first, second, ...others] = noticesOf('one', 1, long)!
  const next = noticesOf('one', 2, 'next')!
  const other = noticesOf('one', 3, long)!
  for (const broken of [
    [first!, ...others],
    [second!, ...others],
    [first!, first!, ...others],
    [first!, second!.replace('one 1', 'one 3'), ...others],
    [first!, other[1]!, ...others],
  ])
    expect(readAll(new NoticeReader('two'), [...broken, ...next])).toEqual(['next'])
})

test.each([
  '',
  'one',
  'one 1 0 1',
  'one 1 1 1 YQ==',
  'one 1 0 0 YQ==',
  'o/e 1 0 1 YQ==',
  'one 1 0 1 “',
])('what is no notice is dropped: %j', (notice) =>
  expect(new NoticeReader('two').read(notice)).toBeUndefined(),
)

test('texts that are never ended are forgotten, however many are ended meanwhile', () => {
  const reader = new NoticeReader('two')
  const [first] = noticesOf('one', 1, long)!
  const whole = noticesOf('three', 1, 'x'.repeat(10_000))!
  // Each a sender of its own, with what would be 39 MB.
  for (let at = 0; at < 5000; at++) {
    reader.read(first!.replace('one', `one-${at}`))
    readAll(reader, whole)
  }
  const [begin, ...others] = noticesOf('one-1', 1, long)!
  expect(begin).toBe(first!.replace('one', 'one-1'))
  expect(readAll(reader, others)).toEqual([])
})
