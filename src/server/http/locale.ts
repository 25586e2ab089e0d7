/** How somebody reads, from what their browser says it prefers. */

import {
  DEFAULT_LANGUAGE,
  languageOf,
  type Messages,
  messagesFor,
} from '../../messages/messages.ts'
import { ZONE_COOKIE } from '../../protocol/wire.ts'
import { remember } from '../remember.ts'

export type Reader = {
  /** Of the copy: one that there is a catalogue for, such as `en`. */
  readonly language: string
  /** Of numbers and dates, such as `en-GB`; it need not be of the same language. */
  readonly locale: string
  /** Of moments on the world's clock, such as `Europe/Vienna`; not known before the browser has said it. */
  readonly timeZone?: string | undefined
}

/** Whoever reads logs, or says nothing that is known. */
export const DEFAULT_READER: Reader = { language: DEFAULT_LANGUAGE, locale: 'en-US' }

/** Longest header that is looked at, characters; browsers send far less. */
const HEADER_MAX = 200

/** Browsers send few different headers. */
const parseHeader = remember(500, (header: string): Reader => {
  const wanted = header
    .split(',')
    .map((part) => ({ tag: part.split(';')[0]!.trim(), weight: weightOf(part) }))
    .filter(({ tag, weight }) => weight > 0 && isLocale(tag))
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
  const [first] = Intl.NumberFormat.supportedLocalesOf(wanted)
  return {
    language: languageOf(wanted),
    locale: first === undefined ? DEFAULT_READER.locale : resolved(first),
  }
})

/** How much a language is wanted, such as 0.8 for `de;q=0.8`; 0 is not at all. */
const weightOf = (part: string): number => Number(/;\s*q=([\d.]+)/i.exec(part)?.[1] ?? 1)

/** Of the many spellings of a language the one that is known: formatters are kept for each. */
const resolved = (tag: string): string =>
  new Intl.Locale(new Intl.NumberFormat(tag).resolvedOptions().locale).baseName

/**
 * The first languages of an `Accept-Language` header that there is copy in, and that numbers and
 * dates can be written in.
 */
export const readReader = (header: string | undefined): Reader =>
  header && header.length <= HEADER_MAX ? parseHeader(header) : DEFAULT_READER

/** What a request says of its reader. */
type Asked = {
  readonly headers: {
    readonly 'accept-language'?: string | undefined
    readonly cookie?: string | undefined
  }
}

export const readerOf = ({ headers }: Asked): Reader => ({
  ...readReader(headers['accept-language']),
  timeZone: timeZoneIn(headers.cookie),
})

const ZONE = new RegExp(`(?:^|; ?)${ZONE_COOKIE}=([\\w+/-]{1,64})(?:;|$)`)

const timeZoneIn = (cookie = ''): string | undefined => {
  const zone = ZONE.exec(cookie)?.[1]
  return zone === undefined ? undefined : knownZone(zone).zone
}

/** Browsers are in few different zones. */
const knownZone = remember(600, (zone: string): { readonly zone: string | undefined } => {
  try {
    return { zone: new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone }
  } catch {
    return { zone: undefined }
  }
})

/** The copy for whoever makes a request. */
export const copyOf = (request: Asked): Messages => messagesFor(readerOf(request).language)

function isLocale(tag: string): boolean {
  try {
    return new Intl.Locale(tag).baseName !== ''
  } catch {
    return false
  }
}
