/** Converts dates to and from texts in a format of the server's, such as `Y-m-d` (spec §9). */

/** Letters of a format: the year in four digits, the month and the day in two. */
const LETTERS: { readonly [letter: string]: string } = {
  Y: String.raw`(?<Y>\d{4})`,
  m: String.raw`(?<m>\d{2})`,
  d: String.raw`(?<d>\d{2})`,
}

/** Whether a format names year, month and day once each, and separates them. */
export const isDateFormat = (format: string): boolean =>
  /^[Ymd][^\p{L}\p{N}]{1,3}[Ymd][^\p{L}\p{N}]{1,3}[Ymd]$/u.test(format) &&
  new Set(format.match(/[Ymd]/g)).size === 3

/** The day as ISO text (`2024-03-05`); `undefined` for what is no day in this format. */
export function parseDate(text: string, format: string): string | undefined {
  const pattern = [...format]
    .map((letter) => LETTERS[letter] ?? letter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('')
  const { Y = '', m = '', d = '' } = new RegExp(`^${pattern}$`).exec(text.trim())?.groups ?? {}
  const iso = `${Y}-${m}-${d}`
  return isDay(iso) ? iso : undefined
}

/** An ISO day in a format. */
export function formatDate(iso: string, format: string): string {
  const [Y = '', m = '', d = ''] = iso.split('-')
  const parts: { readonly [letter: string]: string } = { Y, m, d }
  return [...format].map((letter) => parts[letter] ?? letter).join('')
}

/** Whether a text is an ISO day that there is, from the year 1 on. */
export function isDay(iso: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(iso) ?? []).map(Number)
  if (year < 1) return false
  const last = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  return month >= 1 && month <= 12 && day >= 1 && day <= last
}
