/** Days and times of the history, in the reader's own zone. */

import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const timeOf = (at: number, { locale, timeZone = 'UTC' }: Reader): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)

/** “Today”, “Yesterday”, or the date. */
export function dayOf(at: number, now: number, reader: Reader): string {
  const { history } = messagesFor(reader.language)
  const { locale, timeZone = 'UTC' } = reader
  const day = new Intl.DateTimeFormat('en-CA', { timeZone })
  if (day.format(at) === day.format(now)) return history.today
  if (day.format(at) === day.format(now - DAY_MS)) return history.yesterday
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }).format(at)
}
