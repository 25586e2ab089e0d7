/** Texts that people type into fields, as values of columns: every digit is kept, and nothing is guessed. */

import { isDay } from '../../../protocol/date-format.ts'
import { isAmbiguous, plainNumber, readNumber } from '../../../protocol/numbers.ts'
import { momentIn } from '../../search/shown-values.ts'
import { shownDay } from '../../definition/kinds/date.ts'
import type { Column } from '../../source/schema.ts'
import { shortestSingle } from '../../source/single.ts'
import type { Value } from '../../source/value.ts'

/** The value, or why the text is none of the column's. */
export type ReadText =
  | { readonly value: Value }
  | {
      readonly problem:
        | 'number'
        | 'digits'
        | 'ambiguous'
        | 'currency'
        | 'whole'
        | 'date'
        | 'time'
        | 'moment'
        | 'countedYears'
        | 'json'
        | 'yesNo'
        | 'bytes'
    }

/** `null` is NULL. An empty text is NULL too, but where the column holds texts. */
export function readText(column: Column, text: string | null, locale: string): ReadText {
  if (text === null) return { value: null }
  if (column.array) return { value: text }
  if (text.trim() === '' && !HOLDS_TEXT.has(column.type)) return { value: null }
  if (isAmbiguousIn(column, text, locale)) return { problem: 'ambiguous' }
  return READERS[column.type](text, { column, locale })
}

/**
 * The value of a text that was not typed but is one that `writeText` has made: in a plain number the point stands
 * before decimals, whatever the reader's signs are.
 */
export const readDrawn = (column: Column, text: string | null, locale: string): ReadText =>
  readText(column, text, signsFor(text, locale))

/** The locale whose signs a text has that was drawn. */
export const signsFor = (text: string | null, locale: string): string =>
  /^-?\d+\.\d+$/.test(text ?? '') ? 'en' : locale

/** Whether what was typed is one of two numbers. Where there are no thousandths, `1.234` has thousands. */
export const isAmbiguousIn = (
  column: Pick<Column, 'type' | 'scale'>,
  text: string,
  locale: string,
): boolean => hasThousandths(column) && isAmbiguous(text, locale)

/** Whether numbers of the column may have three digits after the point. */
export const hasThousandths = ({
  type,
  scale = THOUSANDTHS,
}: Pick<Column, 'type' | 'scale'>): boolean =>
  type === 'float' || (type === 'decimal' && scale >= THOUSANDTHS)

/** Digits after the point. */
export const THOUSANDTHS = 3

const HOLDS_TEXT: ReadonlySet<Column['type']> = new Set(['text'])

type Reading = { readonly column: Column; readonly locale: string }

/** Digits with a fraction of a second, and an offset from UTC where the column has a zone. */
const TIME = String.raw`-?\d{1,3}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?`
const OFFSET = String.raw`(?:\s?(?:Z|UTC|[+-]\d{2}(?::?\d{2})?))?`

const READERS: { readonly [type in Column['type']]: (text: string, reading: Reading) => ReadText } =
  {
    text: (text) => ({ value: text }),
    integer: (text, { locale }) => {
      const number = readNumber(text, locale)
      if (number === undefined || number === null) return { problem: 'number' }
      if (!/^-?\d+$/.test(String(number))) return { problem: 'whole' }
      return { value: typeof number === 'number' ? number : BigInt(number) }
    },
    decimal: (text, { column, locale }) => {
      const number = readNumber(text, locale)
      if (number === undefined || number === null) return { problem: 'number' }
      const plain = plainNumber(text, locale) ?? ''
      // A type without a number of digits keeps zeros at the end.
      const hasZeros = column.scale === undefined && /\.\d*0$/.test(plain)
      return { value: hasZeros ? plain : number }
    },
    float: (text, { column, locale }) => {
      const bare = text.trim()
      const special = SPECIAL[bare.toLowerCase()]
      if (special !== undefined) return { value: special }
      const isScientific = /^[+-]?\d+(?:\.\d+)?e[+-]?\d+$/i.test(bare)
      const plain = isScientific ? bare : plainNumber(text, locale)
      if (!plain) return { problem: 'number' }
      const value = Number(plain)
      const kept = column.isSingle ? shortestSingle(value) : value
      return digitsOf(String(kept)) === digitsOf(plain) ? { value } : { problem: 'digits' }
    },
    boolean: (text) => {
      const value = YES_NO[text.trim().toLowerCase()]
      return value === undefined ? { problem: 'yesNo' } : { value }
    },
    date: (text, { locale }) => {
      const day = isDate(text.trim()) ? text.trim() : shownDayIn(text, locale)
      return day === undefined ? { problem: 'date' } : { value: day }
    },
    time: (text) => (isTime(text.trim()) ? { value: text.trim() } : { problem: 'time' }),
    datetime: (text) => {
      const [, bare = '', era = ''] = /^(.*?)( BC)?$/.exec(text.trim()) ?? []
      const [day = '', time = ''] = bare.split(/[ T](.*)/, 2)
      const isMoment = isDate(day + era) && (time === '' || isTime(time, DAY_HOURS))
      return isMoment ? { value: text.trim() } : { problem: 'moment' }
    },
    json: (text) => {
      try {
        JSON.parse(text)
        return { value: text }
      } catch {
        return { problem: 'json' }
      }
    },
    // Bytes are no text: files bring them.
    binary: () => ({ problem: 'bytes' }),
  }

const SPECIAL: { readonly [text: string]: number } = {
  infinity: Infinity,
  '+infinity': Infinity,
  '-infinity': -Infinity,
  nan: Number.NaN,
}

const YES_NO: { readonly [text: string]: boolean } = {
  true: true,
  false: false,
  '1': true,
  '0': false,
}

/** The digits of a number that count, wherever its point is. */
const digitsOf = (number: string): string =>
  number
    .replace(/e.*/i, '')
    .replace(/[-+.]/g, '')
    .replace(/^0+|0+$/g, '')

/** A day as cells show it, with or without zeros: others that a text may mean are not guessed. */
function shownDayIn(text: string, locale: string): string | undefined {
  const day = momentIn(text.trim(), locale)?.day
  return day !== undefined && withoutZeros(shownDay(day, locale)) === withoutZeros(text)
    ? day
    : undefined
}

const withoutZeros = (text: string): string =>
  text.trim().toLowerCase().replace(/\b0+/g, '').replace(/\s+/g, ' ')

/** A day as ISO writes it, also one before our era, of a later one or without end, as PostgreSQL has them. */
function isDate(text: string): boolean {
  if (isDay(text) || /^-?infinity$/.test(text)) return true
  const [, year, rest = ''] = /^(\d{4,7})(-\d{2}-\d{2})(?: BC)?$/.exec(text) ?? []
  // Leap years come again after 400 years; that there was none before them is the database's to know.
  return year !== undefined && isDay(`${2000 + (Number(year) % 400)}${rest}`)
}

const DAY_HOURS = 24
/** Those of a time of MySQL, which is as well how long something takes. */
const MOST_HOURS = 838

function isTime(text: string, most = MOST_HOURS): boolean {
  if (!new RegExp(`^${TIME}${OFFSET}$`).test(text)) return false
  const [hours = 0, minutes = 0, seconds = 0] = text.split(/[:Z+]|(?<=\d)-/).map(Number)
  return Math.abs(hours) <= most && minutes <= 59 && seconds < 61
}
