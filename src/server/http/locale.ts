/** The reader of a response: language, locale and time zone, from what the browser sends. */

import {
  DEFAULT_LANGUAGE,
  languageOf,
  languages,
  type Messages,
  messagesFor,
} from '../../messages/messages.ts'
import { ZONE_COOKIE } from '../../protocol/wire.ts'
import { memoize } from '../memoize.ts'

/** Who reads, and how they write numbers, dates and words. */
export type Reader = {
  /** Language of the copy, one that has messages, such as `en`. */
  readonly language: string
  /** How the reader writes numbers and dates, such as `en-GB`; it may be of another language. */
  readonly locale: string
  /** Zone that the reader is in, such as `Europe/Vienna`, once the browser has sent it. */
  readonly timeZone?: string | undefined
}

/** The reader of logs, and of a browser that sends no language we have. */
export const DEFAULT_READER: Reader = { language: DEFAULT_LANGUAGE, locale: 'en-US' }

/** Longest header that is parsed, characters; browsers send far less. */
const HEADER_MAX = 200

/** Browsers send few different headers. */
const parseHeader = memoize(500, (header: string): Reader => {
  const preferred = header
    .split(',')
    .map((part) => ({ tag: part.replace(/;.*$/s, '').trim(), weight: weightOf(part) }))
    .filter(({ tag, weight }) => weight > 0 && isLocale(tag))
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
  const [first] = Intl.NumberFormat.supportedLocalesOf(preferred)
  return {
    language: languageOf(preferred),
    locale: first === undefined ? DEFAULT_READER.locale : canonical(first),
  }
})

/** Weight of a language, such as 0.8 for `de;q=0.8`; 0 means not at all. */
const weightOf = (part: string): number => Number(/;\s*q=([\d.]+)/i.exec(part)?.[1] ?? 1)

/** The canonical spelling of a locale, because formatters are cached for each. */
const canonical = (tag: string): string =>
  new Intl.Locale(new Intl.NumberFormat(tag).resolvedOptions().locale).baseName

/**
 * Reads an `Accept-Language` header: the first language that has copy, and the first that numbers
 * and dates can be formatted for.
 */
export const parseReader = (header: string | undefined): Reader =>
  header && header.length <= HEADER_MAX ? parseHeader(header) : DEFAULT_READER

/** The headers of a request that describe its reader. */
type ReaderHeaders = {
  readonly headers: {
    readonly 'accept-language'?: string | undefined
    readonly cookie?: string | undefined
  }
  /** What the person has chosen, such as `Europe/Vienna~de`; either may be empty. `createHttp` reads it. */
  readonly chosenReader?: string | undefined
}

/** What the person has chosen goes before what their browser says. */
export function readerOf({ headers, chosenReader = '' }: ReaderHeaders): Reader {
  const reader = parseReader(headers['accept-language'])
  const [, zone = '', language = ''] = CHOSEN.exec(chosenReader) ?? []
  return {
    ...reader,
    language: languages.includes(language) ? language : reader.language,
    timeZone: parseZone(zone).zone ?? timeZoneIn(headers.cookie),
  }
}

const CHOSEN = /^([\w+/-]{0,64})~([\w-]{0,35})$/

const ZONE = new RegExp(`(?:^|; ?)${ZONE_COOKIE}=([\\w+/-]{1,64})(?:;|$)`)

const timeZoneIn = (cookie = ''): string | undefined => {
  const zone = ZONE.exec(cookie)?.[1]
  return zone === undefined ? undefined : parseZone(zone).zone
}

/** Browsers are in few different zones. */
const parseZone = memoize(600, (zone: string): { readonly zone: string | undefined } => {
  try {
    return { zone: new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone }
  } catch {
    return { zone: undefined }
  }
})

/** Whether dates can be formatted in a zone of this name. */
export const isZone = (text: string): boolean => text.length <= 64 && parseZone(text).zone === text

/** The copy in the language of a request's reader. */
export const copyOf = (request: ReaderHeaders): Messages => messagesFor(readerOf(request).language)

function isLocale(tag: string): boolean {
  try {
    return new Intl.Locale(tag).baseName !== ''
  } catch {
    return false
  }
}
