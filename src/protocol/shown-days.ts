/** Days as cells show them in the reader's language, such as `Mar 5, 2024`, which people type back. */

import { isDay } from './date-format.ts'

/** How a language writes days. */
export type DayForm = {
  /** Of a regular expression with the groups `day`, `month` and `year`. */
  readonly pattern: string
  /** Its months by name, in short and in full. */
  readonly months: ReadonlyMap<string, number>
}

type Groups = { readonly [name: string]: string | undefined }

/** Takes a while: keep it. */
export function dayFormOf(locale: string): DayForm {
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
  return { pattern: patternOf(locale, [...months.keys()]), months }
}

/** The ISO day that the groups of a match name; `undefined` if no calendar has it. */
export function dayIn(
  { year = '', month = '', day = '' }: Groups,
  months: DayForm['months'],
): string | undefined {
  const number = months.get(nameOf(month)) ?? Number(month)
  const iso = [year, twoDigits(number), twoDigits(Number(day))].join('-')
  return isDay(iso) ? iso : undefined
}

/** The ISO day that a text names as the language writes days; `undefined` if it names none. */
export function readShownDay(text: string, { pattern, months }: DayForm): string | undefined {
  const found = new RegExp(`^${pattern}$`, 'iu').exec(text.trim())?.groups
  return found && dayIn(found, months)
}

export const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** A month as it is looked up: abbreviations lose their point. */
const nameOf = (month: string): string => month.toLowerCase().replace(/\.$/, '')

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
