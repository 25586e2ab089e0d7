/** The reader's language, from what the browser says it prefers. */

import { remember } from './remember.ts'

/** Used where the browser says nothing that is known. */
export const DEFAULT_LOCALE = 'en-US'

/** Longest header that is looked at, characters; browsers send far less. */
const HEADER_MAX = 200

/** Browsers send few different headers. */
const parseHeader = remember(500, (header: string): string => {
  const wanted = header
    .split(',')
    .map((part) => part.split(';')[0]!.trim())
    .filter(isLocale)
  const [first] = Intl.NumberFormat.supportedLocalesOf(wanted)
  return first === undefined ? DEFAULT_LOCALE : resolved(first)
})

/** Of the many spellings of a language the one that is known: formatters are kept for each. */
const resolved = (tag: string): string =>
  new Intl.Locale(new Intl.NumberFormat(tag).resolvedOptions().locale).baseName

/** The first language of an `Accept-Language` header that numbers and dates can be written in. */
export const readLocale = (header: string | undefined): string =>
  header && header.length <= HEADER_MAX ? parseHeader(header) : DEFAULT_LOCALE

function isLocale(tag: string): boolean {
  try {
    return new Intl.Locale(tag).baseName !== ''
  } catch {
    return false
  }
}
