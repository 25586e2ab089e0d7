import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { COLUMN_KINDS, type ColumnKind } from '../../protocol/table-view.ts'
import { defineKind } from '../definition/kind.ts'
import { drawValue, VALUE_MAX } from './value.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Value } from '../source/value.ts'

const columnOf = (kind: ColumnKind): ColumnDefinition => ({
  name: 'a',
  label: 'A',
  kind,
  hidden: false,
  sortable: true,
  searchable: true,
})
const draw = (kind: ColumnKind, value: Value, locale = 'en-US', length?: number) =>
  drawValue(columnOf(kind), value, { locale, language: 'en' }, length)
const valueOf = (kind: ColumnKind, value: Value) => draw(kind, value).value

describe('what is absent', () => {
  test.each(COLUMN_KINDS)(
    'looks different in a column of %s: NULL, empty text and zero',
    (kind) => {
      const [none, empty, zero] = [null, '', 0].map((value) => valueOf(kind, value))
      expect([none, empty]).toEqual([{ is: 'null' }, { is: 'empty' }])
      expect(zero).toMatchObject({ text: kind === 'boolean' ? 'No' : '0' })
    },
  )

  test('of many lines has a block of its own, too', () => {
    expect(valueOf('text', 'line\n'.repeat(40))).toMatchObject({ is: 'long', length: '200' })
  })

  test('is drawn by no kind of one’s own', () => {
    const given: number[] = []
    const ownKind = defineKind({
      name: 'own',
      value: (value) => {
        given.push(String(value).length)
        return { value: { is: 'text', text: 'drawn' } }
      },
    })
    const own = (text: string) =>
      drawValue({ ...columnOf('own'), ownKind }, text, { locale: 'en-US', language: 'en' }).value
    expect(own('short')).toEqual({ is: 'text', text: 'drawn' })
    expect(own('x'.repeat(1_000_000))).toMatchObject({ is: 'long', length: '1,000,000' })
    expect(given).toEqual([5])
  })

  test('beyond all pages is cut between characters, and says so', () => {
    const text = 'a' + '😀'.repeat(VALUE_MAX / 2)
    const drawn = valueOf('text', text)
    expect(drawn).toMatchObject({ is: 'long', length: '4,000,001', shown: '3,999,999' })
    expect('text' in drawn && drawn.text.isWellFormed()).toBe(true)
  })

  test('of which only the beginning was read has the length of all', () => {
    expect(draw('text', 'abc', 'en-US', 90_000).value).toEqual({
      is: 'long',
      text: 'abc',
      length: '90,000',
      shown: '3',
      isCode: false,
    })
  })

  test('in columns of numbers, dates and truths stays as it is', () => {
    for (const kind of ['number', 'money', 'date', 'boolean', 'key'] as const)
      expect(valueOf(kind, 'soon')).toEqual({ is: 'text', text: 'soon' })
    expect(valueOf('number', 'x'.repeat(500))).toEqual({ is: 'text', text: 'x'.repeat(500) })
  })
})

describe('addresses', () => {
  test.each([
    ['link', 'https://example.org/a?b=c', 'https://example.org/a?b=c'],
    ['link', 'HTTP://EXAMPLE.org', 'http://example.org/'],
    ['email', 'ana@example.org', 'mailto:ana@example.org'],
    ['link', 'ana@example.org', 'mailto:ana@example.org'],
  ] as const)('a %s to %s is one to %s', (kind, text, href) => {
    expect(valueOf(kind, text)).toEqual({ is: 'link', text, href })
  })

  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.org',
    '//example.org',
    'example.org',
    'https://',
    'mailto:a@example.org?subject=x y',
    'a@example.org?cc=b@example.org',
    'a?cc=b&d@example.org',
    'a,b@example.org',
    'a@b@c',
    'a b@example.org',
    '"<script>"@example.org',
  ])('%j is text', (text) => {
    for (const kind of ['link', 'email'] as const) expect(valueOf(kind, text).is).toBe('text')
  })

  test('nothing but http, https and mailto is ever a link', () => {
    const scheme = fc.constantFrom('javascript:', 'https:', 'data:', ' https:', 'http:', 'x-y:', '')
    fc.assert(
      fc.property(scheme, fc.string(), fc.constantFrom(...COLUMN_KINDS), (start, rest, kind) => {
        const value = valueOf(kind, start + rest)
        if (value.is === 'link') expect(value.href).toMatch(/^(https?:\/\/|mailto:)/)
      }),
      { numRuns: runs(3000) },
    )
  })
})

describe('moments', () => {
  test.each([
    ['2026-07-01T10:20:30Z', '2026-07-01T10:20:30.000Z'],
    ['2026-07-01 10:20:30.123456+02', '2026-07-01T08:20:30.123Z'],
    ['2026-07-01 10:20:30+02:00', '2026-07-01T08:20:30.000Z'],
    ['2026-07-01T10:20-0330', '2026-07-01T13:50:00.000Z'],
    ['2026-07-01 10:20:30 +00', '2026-07-01T10:20:30.000Z'],
  ])(
    '%s is a moment for every zone, and is told as it is stored where that is more',
    (text, iso) => {
      const { value, note } = draw('datetime', text)
      expect(value).toMatchObject({ is: 'moment', iso, text: expect.stringMatching(/2026.* UTC$/) })
      const isPlain = /:30 ?(?:Z|\+00)$/.test(text)
      expect(note).toBe(isPlain ? undefined : `Stored as ${text}`)
    },
  )

  test('a count of time tells itself where it says more than what is shown', () => {
    expect(draw('datetime', 1_782_901_230).note).toBeUndefined()
    expect(draw('datetime', 1_782_901_230_125).note).toBe('Stored as 1782901230125')
  })

  test('a naive time is in no zone, and the page is to say so', () => {
    expect(draw('datetime', '2026-07-01 10:20:30')).toEqual({
      value: { is: 'text', text: 'Jul 1, 2026, 10:20:30 AM' },
      isZoneless: true,
    })
  })

  test('parts of a second are not lost', () => {
    expect(draw('datetime', '2026-07-01 10:20:30.123456').note).toContain('10:20:30.123456')
  })

  test.each([
    '2026-13-01T10:20:30Z',
    '2026-07-01T99:20:30Z',
    'yesterday',
    '2026-07-01T10:20:30+99:99x',
  ])('%s stays as it is', (text) =>
    expect(draw('datetime', text)).toEqual({ value: { is: 'text', text } }),
  )

  test('a date has no zone to speak of', () => {
    expect(draw('date', '2026-07-01')).toEqual({ value: { is: 'text', text: 'Jul 1, 2026' } })
  })
})

test('JSON is set in lines, and has the length that is stored', () => {
  expect(valueOf('json', '{"a":1}')).toEqual({
    is: 'long',
    text: '{\n  "a": 1\n}',
    length: '7',
    isCode: true,
  })
  expect(valueOf('json', '17')).toEqual({ is: 'text', text: '17' })
  expect(valueOf('json', '{broken')).toEqual({ is: 'text', text: '{broken' })
})

test('bytes have their size and show the first of them', () => {
  expect(valueOf('binary', Uint8Array.of(0, 255))).toEqual({
    is: 'bytes',
    size: '2 bytes',
    first: '00 ff',
    isAll: true,
  })
  const many = valueOf('binary', new Uint8Array(4096))
  expect(many).toMatchObject({ size: '4,096 bytes', isAll: false })
  expect('first' in many && many.first.split('\n')).toHaveLength(8)
  expect(draw('binary', new Uint8Array(128), 'en-US', 5_000_000).value).toMatchObject({
    size: '5,000,000 bytes',
    isAll: false,
  })
})

test('a colour is one to be drawn', () => {
  expect(valueOf('colour', '#0b6172')).toEqual({ is: 'colour', text: '#0b6172' })
})

test('a status has its tint, a number its digits in the reader’s format', () => {
  expect(valueOf('status', 'in_review')).toEqual({ is: 'status', text: 'In review', tone: 'warn' })
  expect(draw('money', 1234.5, 'de-DE').value).toEqual({ is: 'text', text: '1.234,50' })
  expect(valueOf('number', 9007199254740993n)).toEqual({
    is: 'text',
    text: '9,007,199,254,740,993',
  })
})
