import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { ZONE_COOKIE } from '../../protocol/wire.ts'
import { DEFAULT_READER, readerOf, parseReader } from './locale.ts'

const DEFAULT_LOCALE = DEFAULT_READER.locale

const readLocale = (header: string | undefined) => parseReader(header).locale

describe('the locale of an Accept-Language header', () => {
  test.each([
    ['de', 'de'],
    ['en-GB,en;q=0.9', 'en-GB'],
    [' fr-CH , fr;q=0.9, *;q=0.5', 'fr-CH'],
    ['tlh, de;q=0.5', 'de'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['DE-at', 'de-AT'],
    ['en;q=0.5, de;q=0.9', 'de'],
    ['fr;q=0, de;q=0.1', 'de'],
    ['*', DEFAULT_LOCALE],
    ['', DEFAULT_LOCALE],
    [undefined, DEFAULT_LOCALE],
    ['xx-Nowhere', DEFAULT_LOCALE],
    ['../../etc/passwd', DEFAULT_LOCALE],
    ['"><script>', DEFAULT_LOCALE],
    [`de${',de'.repeat(100)}`, DEFAULT_LOCALE],
  ])('%j is %j', (header, locale) => expect(readLocale(header)).toBe(locale))

  test('a made-up variant of a language is that language', () => {
    for (const tag of ['de-x-a1b2c3', 'de-DE-1996', 'de-u-nu-thai', 'de-DE-x-1'])
      expect(['de', 'de-DE']).toContain(readLocale(tag))
  })

  test('always gives a language that numbers can be written in, whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'enDGB-,;q=0.*x ') })),
        (header) => {
          const locale = readLocale(header)
          expect(Intl.NumberFormat.supportedLocalesOf([locale])).toEqual([locale])
        },
      ),
      { numRuns: runs(1000) },
    )
  })
})

describe('what a person has chosen', () => {
  const headers = { 'accept-language': 'en-GB', cookie: `${ZONE_COOKIE}=Europe/Vienna` }

  test.each([
    ['Asia/Tokyo~en', 'Asia/Tokyo'],
    ['Asia/Tokyo~', 'Asia/Tokyo'],
    ['~en', 'Europe/Vienna'],
    ['Nowhere/Land~xx', 'Europe/Vienna'],
    ['Asia/Tokyo', 'Europe/Vienna'],
    [`${'a'.repeat(65)}~en`, 'Europe/Vienna'],
    [undefined, 'Europe/Vienna'],
  ])('%j says %j', (chosenReader, zone) =>
    expect(readerOf({ headers, chosenReader })).toMatchObject({ language: 'en', timeZone: zone }),
  )
})

describe('the time zone of a cookie', () => {
  const zoneOf = (cookie?: string) => readerOf({ headers: { cookie } }).timeZone

  test.each([
    [`${ZONE_COOKIE}=Europe/Vienna`, 'Europe/Vienna'],
    [`a=b; ${ZONE_COOKIE}=America/Argentina/Ushuaia; c=d`, 'America/Argentina/Ushuaia'],
    [`x${ZONE_COOKIE}=Europe/Vienna`, undefined],
    [`${ZONE_COOKIE}=Nowhere/Land`, undefined],
    [`${ZONE_COOKIE}=${'a'.repeat(65)}`, undefined],
    [`${ZONE_COOKIE}=`, undefined],
    [undefined, undefined],
  ])('%j says %j', (cookie, zone) => expect(zoneOf(cookie)).toBe(zone))
})
