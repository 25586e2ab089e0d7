/** Arithmetic with days of the calendar, as texts `YYYY-MM-DD`, which sort as they follow each other. */

/** A day, `YYYY-MM-DD`. */
export type Day = string

/** A month, `YYYY-MM`. */
export type Month = string

const utc = (year: number, month: number, day: number): Date => {
  const date = new Date(0)
  // `Date.UTC` takes years below 100 for those of the last century.
  date.setUTCFullYear(year, month - 1, day)
  return date
}

const toText = (date: Date): Day => date.toISOString().slice(0, 10)

/** The day of these numbers; `null` if no calendar has it. Years 1 to 9999. */
export function dayOf(year: number, month: number, day: number): Day | null {
  if (!(year >= 1 && year <= 9999)) return null
  const date = utc(year, month, day)
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? toText(date) : null
}

/** The three numbers of a day. */
export function partsOf(day: Day): { year: number; month: number; day: number } {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number)
  return { year, month, day: date }
}

/** Midnight of the day in UTC, for formatters in that zone. */
export function dateOf(day: Day): Date {
  const { year, month, day: date } = partsOf(day)
  return utc(year, month, date)
}

/** Days as a calendar counts them: those beyond the years 1 to 9999 are cut to these. */
function clamped(date: Date): Day {
  const year = date.getUTCFullYear()
  return year < 1 ? '0001-01-01' : year > 9999 ? '9999-12-31' : toText(date)
}

export function addDays(day: Day, count: number): Day {
  const { year, month, day: date } = partsOf(day)
  return clamped(utc(year, month, date + count))
}

export const monthOf = (day: Day): Month => day.slice(0, 7)

/** The month so many months later. */
export function addMonths(month: Month, count: number): Month {
  const { year, month: at } = partsOf(`${month}-01`)
  return monthOf(clamped(utc(year, at + count, 1)))
}

/** The same day of another month, or the last one if that month is shorter. */
export function sameDayIn(month: Month, day: Day): Day {
  const last = lastDayOf(month)
  const { day: date } = partsOf(day)
  const wanted = `${month}-${String(date).padStart(2, '0')}`
  return wanted > last ? last : wanted
}

export function lastDayOf(month: Month): Day {
  const { year, month: at } = partsOf(`${month}-01`)
  return toText(utc(year, at + 1, 0))
}

/** Day of the week, 0 for Sunday. */
export const weekdayOf = (day: Day): number => dateOf(day).getUTCDay()

/** First day of the week of `day`. */
export const startOfWeek = (day: Day, weekStart: number): Day =>
  addDays(day, -((weekdayOf(day) - weekStart + 7) % 7))

/** The weeks of a month; `null` stands for days of other months. */
export function weeksOf(month: Month, weekStart: number): (Day | null)[][] {
  const first = `${month}-01`
  const before = (weekdayOf(first) - weekStart + 7) % 7
  const count = partsOf(lastDayOf(month)).day
  const cells: (Day | null)[] = Array.from({ length: before }, () => null)
  for (let date = 1; date <= count; date++) cells.push(`${month}-${String(date).padStart(2, '0')}`)
  while (cells.length % 7 > 0) cells.push(null)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(7 * week, 7 * week + 7))
}

const DAY_MS = 86_400_000

/** How many days a range holds, both ends included. */
export const daysBetween = (first: Day, last: Day): number =>
  Math.round((dateOf(last).getTime() - dateOf(first).getTime()) / DAY_MS) + 1

/** The day that it is in `zone`; in the reader's own zone without one. */
export function todayIn(zone: string | undefined, now: Date): Day {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...(zone !== undefined && { timeZone: zone }),
    ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  })
  return format.format(now)
}
