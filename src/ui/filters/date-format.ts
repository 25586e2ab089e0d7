/** Reads dates as people type them, more freely than the server does. */

import { type DayForm, dayFormOf, readShownDay } from '../../protocol/shown-days.ts'
import { type Day, dayOf } from './days.ts'

/**
 * The day that the text says in the server's format (see `protocol/date-format.ts`), as `YYYY-MM-DD` or, if
 * a locale is given, as cells show days; `null` if it says none. Leading zeros may be missing, and the signs between the
 * numbers may be others.
 */
export function parseDay(text: string, format: string, locale?: string): Day | null {
  const trimmed = text.trim()
  return (
    inFormat(trimmed, format) ??
    (locale === undefined ? null : (readShownDay(trimmed, formIn(locale)) ?? null))
  )
}

function inFormat(text: string, format: string): Day | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  if (!/^\d+[\s./-]+\d+[\s./-]+\d+$/.test(text)) return null
  const numbers = text.split(/[\s./-]+/)
  const letters = format.replace(/[^Ymd]/g, '')
  const part = (letter: string) => numbers[letters.indexOf(letter)] ?? ''
  return part('Y').length === 4
    ? dayOf(Number(part('Y')), Number(part('m')), Number(part('d')))
    : null
}

/** A page has one locale. */
let known: { readonly locale: string; readonly form: DayForm } | undefined

function formIn(locale: string): DayForm {
  if (known?.locale !== locale) known = { locale, form: dayFormOf(locale) }
  return known.form
}
