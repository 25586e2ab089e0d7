import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatterFor } from '../format.ts'
import { columnOf, infer, tableOf } from '../../../test/table-of.ts'
import { momentIn, numbersIn } from './shown-values.ts'
import { TERMS_MAX, termsOf } from './terms.ts'

const texts = (search: string, locale = 'en') => termsOf(search, locale).map(({ text }) => text)

describe('the terms of a search', () => {
  test('are its words, however far apart', () => {
    expect(texts('goose climb')).toEqual(['goose', 'climb'])
    expect(texts('  goose \t climb\n')).toEqual(['goose', 'climb'])
    expect(texts('   ')).toEqual([])
  })

  test('are phrases where they stand in quotes, the last of which may still be typed', () => {
    expect(texts('"canada goose" climb')).toEqual(['canada goose', 'climb'])
    expect(texts('climb "canada go')).toEqual(['climb', 'canada go'])
    expect(texts('climb "')).toEqual(['climb', '"'])
  })

  test('are taken literally where a quote encloses nothing or no whole words', () => {
    expect(texts('5" disk')).toEqual(['5"', 'disk'])
    expect(texts('""')).toEqual(['""'])
    expect(texts('"a"b')).toEqual(['"a"b'])
    expect(texts('%_\\')).toEqual(['%_\\'])
  })

  test('are one phrase where there are too many', () => {
    const long = Array.from({ length: TERMS_MAX + 1 }, (_, at) => `w${at}`).join(' ')
    expect(texts(long)).toEqual([long])
    expect(texts(long.slice(0, long.lastIndexOf(' ')))).toHaveLength(TERMS_MAX)
  })

  test('are words that are one value together', () => {
    expect(termsOf('goose 12 Nov 2026 climb', 'en-GB')).toMatchObject([
      { text: 'goose' },
      { text: '12 Nov 2026', words: ['12', 'Nov', '2026'], moment: { day: '2026-11-12' } },
      { text: 'climb' },
    ])
    expect(termsOf('12 345', 'fr')).toMatchObject([{ numbers: ['12345'] }])
    expect(termsOf('12 345', 'en')).toMatchObject([{ numbers: ['12'] }, { numbers: ['345'] }])
    expect(texts('"12" 345', 'fr')).toEqual(['12', '345'])
  })

  test('lose nothing that was typed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '"', '1', ',', '.', '\u00a0') }),
        (typed) => {
          const found = termsOf(typed, 'en')
            .map(({ text }) => text)
            .join('')
          expect(found.replace(/["\s]/g, '')).toBe(typed.replace(/["\s]/g, ''))
        },
      ),
    )
  })
})

const LOCALES = ['en', 'en-GB', 'de', 'fr', 'es', 'pt-BR', 'ru', 'cs', 'hu', 'sv', 'ja', 'zh', 'pl']

describe('values as they are shown', () => {
  const columns = [
    columnOf('id', { type: 'integer' }),
    columnOf('size', { type: 'decimal' }),
    columnOf('day', { type: 'date' }),
    columnOf('at', { type: 'datetime' }),
  ]
  const definition = infer(tableOf(columns))
  const shown = (name: string, value: string, locale: string): string =>
    String(formatterFor({ locale, language: 'en' }).cell(definition.columns.get(name)!, value))

  test.each(LOCALES)('are read again in %s', (locale) => {
    expect(numbersIn(shown('size', '12345.5', locale), locale)).toContain('12345.5')
    expect(numbersIn(shown('id', '1234567', locale), locale)).toContain('1234567')
    for (const day of ['2026-11-12', '2024-02-29', '1999-03-01', '2026-05-05']) {
      expect(momentIn(shown('day', day, locale), locale)).toEqual({ day })
      expect(termsOf(shown('day', day, locale), locale)).toMatchObject([{ moment: { day } }])
      const moment = { day, time: '09:05' }
      expect(termsOf(shown('at', `${day} 09:05:00`, locale), locale)).toMatchObject([{ moment }])
      expect(termsOf(shown('at', `${day} 19:05:00`, locale), locale)).toMatchObject([
        { moment: { day, time: '19:05' } },
      ])
    }
  })

  test('are read as ISO 8601 has them in every language', () => {
    expect(momentIn('2026-11-12', 'de')).toEqual({ day: '2026-11-12' })
    expect(momentIn('2026-11-12T14:30:05Z', 'de')).toEqual({ day: '2026-11-12', time: '14:30:05' })
    expect(momentIn('2026-11-12 14:30', 'fr')).toEqual({ day: '2026-11-12', time: '14:30' })
    expect(numbersIn('12345.5', 'de')).toContain('12345.5')
  })

  test('may be written with other signs, and months in full', () => {
    for (const text of ['Nov 12 2026', 'november 12, 2026', 'Nov. 12, 2026'])
      expect(momentIn(text, 'en')).toEqual({ day: '2026-11-12' })
    expect(momentIn('12. November 2026', 'de')).toEqual({ day: '2026-11-12' })
  })

  test.each(['2026', '12', 'Nov 12', 'Nov 31, 2026', '2026-13-01', '12112026', 'May'])(
    '%s is no day',
    (text) => expect(momentIn(text, 'en')).toBeUndefined(),
  )
})
