/** The reader's language, from what the browser says it prefers. */

/** Used where the browser says nothing that is known. */
export const DEFAULT_LOCALE = 'en-US'

/** Longest header that is looked at, characters; browsers send far less. */
const HEADER_MAX = 200

/** The first language of an `Accept-Language` header that numbers and dates can be written in. */
export function readLocale(header: string | undefined): string {
  if (!header || header.length > HEADER_MAX) return DEFAULT_LOCALE
  const wanted = header
    .split(',')
    .map((part) => part.split(';')[0]!.trim())
    .filter(isLocale)
  const [first] = Intl.NumberFormat.supportedLocalesOf(wanted)
  return first === undefined ? DEFAULT_LOCALE : resolved(first)
}

/** Of the many spellings of a language the one that is known, so that few are ever told apart. */
const resolved = (tag: string): string =>
  new Intl.Locale(new Intl.NumberFormat(tag).resolvedOptions().locale).baseName

function isLocale(tag: string): boolean {
  try {
    return new Intl.Locale(tag).baseName !== ''
  } catch {
    return false
  }
}
