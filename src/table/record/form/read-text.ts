/** Texts that people type into fields, as values of columns: every digit is kept, and nothing is guessed. */

import { isDay } from '../../../protocol/date-format.ts'
import { readNumber } from '../../../protocol/numbers.ts'
import type { Column } from '../../source/schema.ts'
import type { Value } from '../../source/value.ts'

/** The value, or why the text is none of the column's. */
export type ReadText =
  | { readonly value: Value }
  | {
      readonly problem: 'number' | 'whole' | 'date' | 'time' | 'moment' | 'json' | 'yesNo' | 'bytes'
    }

/** `null` is NULL. An empty text is NULL too, but where the column holds texts. */
export function readText(column: Column, text: string | null, locale: string): ReadText {
  if (text === null) return { value: null }
  if (column.array) return { value: text }
  if (text.trim() === '' && !HOLDS_TEXT.has(column.type)) return { value: null }
  return READERS[column.type](text, { column, locale })
}

const HOLDS_TEXT: ReadonlySet<Column['type']> = new Set(['text'])

type Reading = { readonly column: Column; readonly locale: string }

/** Digits with a fraction of a second, and an offset from UTC where the column has a zone. */
const TIME = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?`
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
    decimal: (text, { locale }) => numeric(text, locale),
    float: (text, { locale }) => {
      const special = /^([+-]?)(infinity|nan)$/i.exec(text.trim())
      if (special) return { value: Number(SPECIAL[text.trim().toLowerCase()]) }
      const exponent = /^[+-]?\d+(?:\.\d+)?e[+-]?\d+$/i.test(text.trim())
      return exponent ? { value: Number(text.trim()) } : numeric(text, locale)
    },
    boolean: (text) => {
      const value = YES_NO[text.trim().toLowerCase()]
      return value === undefined ? { problem: 'yesNo' } : { value }
    },
    date: (text) => (isDate(text.trim()) ? { value: text.trim() } : { problem: 'date' }),
    time: (text) => (isTime(text.trim()) ? { value: text.trim() } : { problem: 'time' }),
    datetime: (text) => {
      const [day = '', time = ''] = text.trim().split(/[ T](.*)/, 2)
      const isMoment = isDate(day) && (time === '' || isTime(time))
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

function numeric(text: string, locale: string): ReadText {
  const number = readNumber(text, locale)
  return number === undefined || number === null ? { problem: 'number' } : { value: number }
}

/** A day as ISO writes it, also one before our era or without end, as PostgreSQL has them. */
const isDate = (text: string): boolean =>
  isDay(text) || /^-?infinity$/.test(text) || /^\d{4,}-\d{2}-\d{2} BC$/.test(text)

function isTime(text: string): boolean {
  if (!new RegExp(`^${TIME}${OFFSET}$`).test(text)) return false
  const [hours = 0, minutes = 0, seconds = 0] = text.split(/[:Z+]|(?<=\d)-/).map(Number)
  return hours <= 24 && minutes <= 59 && seconds < 61
}
