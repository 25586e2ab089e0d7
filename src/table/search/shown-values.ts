/** Reads numbers, days and moments as cells show them in the reader's language, and as ISO 8601 writes them. */

import { isDay } from '../../protocol/date-format.ts'
import { plainNumber } from '../../protocol/numbers.ts'
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
  const { year = '', month = '', day = '', hour, minute = '', second, half } = found
  const number = months.get(nameOf(month)) ?? Number(month)
  const iso = [year, twoDigits(number), twoDigits(Number(day))].join('-')
  if (!isDay(iso)) return undefined
  if (hour === undefined) return { day: iso }
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined
  return { day: iso, time: [twoDigits(hours), minute, ...(second ? [second] : [])].join(':') }
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** A month as it is looked up: abbreviations lose their point. */
const nameOf = (month: string): string => month.toLowerCase().replace(/\.$/, '')

/** How a language writes days, and its months by name, in short and in full. */
const daysIn = memoize(200, (locale: string) => {
  const months = new Map<string, number>()
  const styles = [{ dateStyle: 'medium' }, { dateStyle: 'long' }] as const
  for (const style of styles) {
    const format = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' })
    for (let month = 1; month <= 12; month++) {
      const parts = format.formatToParts(Date.UTC(2026, month - 1, 22))
      const name = nameOf(parts.find(({ type }) => type === 'month')?.value ?? '')
      if (/\p{L}/u.test(name)) months.set(name, month)
    }
  }
  return { day: around(patternOf(locale, [...months.keys()])), months }
})

/** A text as the pattern that matches it alone. */
export const escaped = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

function patternOf(locale: string, months: readonly string[]): string {
  const names = months.toSorted((a, b) => b.length - a.length).map(escaped)
  const month = [...names, String.raw`\d{1,2}`].join('|')
  const patterns: Groups = {
    day: String.raw`(?<day>\d{1,2})`,
    month: String.raw`(?<month>${month})\.?`,
    year: String.raw`(?<year>\d{4})`,
  }
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const parts = format.formatToParts(Date.UTC(2026, 10, 22))
  return parts
    .map(
      ({ type, value }, at) => patterns[type] ?? signs(value, at === 0 || at === parts.length - 1),
    )
    .join('')
}

/** Between the parts of a day people may write other signs than the language does, and none at its ends. */
function signs(text: string, isEnd: boolean): string {
  const words: readonly string[] = text.match(/\p{L}+/gu) ?? []
  if (words.length === 0) return isEnd ? String.raw`[\s.,/\-]*` : String.raw`[\s.,/\-]+`
  const whole = String.raw`[\s.,]*${words.join(String.raw`[\s.]*`)}[\s.,]*`
  return isEnd ? `(?:${whole})?` : whole
}
