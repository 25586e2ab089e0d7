/** Reads numbers, days and moments as cells show them in the reader's language, and as ISO 8601 writes them. */

import { plainNumber } from '../../protocol/numbers.ts'
import { dayFormOf, dayIn, twoDigits } from '../../protocol/shown-days.ts'
import { memoize } from '../../server/memoize.ts'

/** A day (`2026-11-12`), and the time of it to the minute or the second (`14:30`), if one is named. */
export type ShownMoment = { readonly day: string; readonly time?: string }

const PLAIN = /^-?\d+(?:\.\d+)?$/

/** Thousands that are kept apart by spaces. */
const SPACED = /^-?\d{1,3}(?:\s\d{3})+(?:[.,]\d+)?$/

/** The numbers that a text may mean, in plain digits: as the language writes it, or with a plain point. */
export function numbersIn(text: string, locale: string): string[] {
  const bare = text.replace(/^(-?)\p{Sc}|\p{Sc}$/gu, '$1')
  if (/\s/.test(bare) && !(SPACED.test(bare) && groupsBySpaces(locale))) return []
  const found = [plainNumber(bare, locale) ?? '', bare]
  return [...new Set(found)].filter((number) => PLAIN.test(number))
}

const groupsBySpaces = memoize(200, (locale: string): boolean => {
  const group = new Intl.NumberFormat(locale)
    .formatToParts(12345)
    .find(({ type }) => type === 'group')
  return group?.value.trim() === ''
})

const ISO_DAY = String.raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)`
const TIME = String.raw`(?<hour>\d{1,2})[:.](?<minute>\d\d)(?:[:.](?<second>\d\d)(?:\.0+)?)?`
const HALF = String.raw`(?:\s?(?<half>[ap])\.?m\.?)?`
const ZONE = String.raw`(?:\s?(?:Z|[A-Z]{2,5}|(?:UTC|GMT)[+-][\d:]{1,5}))?`

/** The day or the moment that a text names; `undefined` if it names none. */
export function momentIn(text: string, locale: string): ShownMoment | undefined {
  if (!/\d/.test(text)) return undefined
  const { day, months } = daysIn(locale)
  for (const pattern of [ISO, day]) {
    const found = pattern.exec(text)?.groups
    const moment = found && momentOf(found, months)
    if (moment) return moment
  }
  return undefined
}

const around = (day: string): RegExp =>
  new RegExp(String.raw`^${day}(?:(?:,?\s+|T)${TIME}${HALF}${ZONE})?,?$`, 'iu')

const ISO = around(ISO_DAY)

type Groups = { readonly [name: string]: string | undefined }

function momentOf(found: Groups, months: ReadonlyMap<string, number>): ShownMoment | undefined {
  const { hour, minute = '', second, half } = found
  const iso = dayIn(found, months)
  if (iso === undefined) return undefined
  if (hour === undefined) return { day: iso }
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined
  return { day: iso, time: [twoDigits(hours), minute, ...(second ? [second] : [])].join(':') }
}

const daysIn = memoize(200, (locale: string) => {
  const { pattern, months } = dayFormOf(locale)
  return { day: around(pattern), months }
})
