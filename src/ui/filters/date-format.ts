/** Reads dates as people type them, more freely than the server does. */

import { type Day, dayOf } from './days.ts'

/**
 * The day that the text says in the server's format (see `protocol/date-format.ts`), or as
 * `YYYY-MM-DD`; `null` if it says none. Leading zeros may be missing, and the signs between the
 * numbers may be others.
 */
export function parseDay(text: string, format: string): Day | null {
  const trimmed = text.trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(trimmed)
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  if (!/^\d+[\s./-]+\d+[\s./-]+\d+$/.test(trimmed)) return null
  const numbers = trimmed.split(/[\s./-]+/)
  const letters = format.replace(/[^Ymd]/g, '')
  const part = (letter: string) => numbers[letters.indexOf(letter)] ?? ''
  return part('Y').length === 4
    ? dayOf(Number(part('Y')), Number(part('m')), Number(part('d')))
    : null
}
