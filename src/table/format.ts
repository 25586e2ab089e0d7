/**
 * Formats values for people in the reader's language: cells, by the kind of their column, and
 * numbers.
 */

import { messagesFor } from '../messages/messages.ts'
import type { Cell, ColumnKind } from '../protocol/table-view.ts'
import type { Reader } from '../server/http/locale.ts'
import { memoize } from '../server/memoize.ts'
import type { CellWriter, Formats, Kind } from './definition/kind.ts'
import { kindOf } from './definition/kinds.ts'
import { namedCell } from './definition/kinds/status.ts'
import type { ColumnDefinition } from './definition/table-definition.ts'
import type { Value } from './source/value.ts'

/** Longest text in a cell of a listing, in characters. */
export const TEXT_MAX = 160

/** Longest text that a kind formats in a cell; `Intl` writes numbers of more digits as infinite. */
export const FORMATTED_MAX = 300

/** Longest text that a kind may make of it. */
const DRAWN_MAX = 1000

export type Formatter = {
  readonly locale: string
  /** Of the copy. */
  readonly language: string
  /**
   * `length` is that of the whole value, in characters or bytes, if only its beginning was read.
   */
  cell(column: ColumnDefinition, value: Value, length?: number): Cell
  /** A number as text: exact, with every digit it has. */
  number(value: number | bigint | string, options?: Intl.NumberFormatOptions): string
}

/**
 * Formatters kept at a time. Readers differ in language, locale, and one of hundreds of time zones.
 */
const FORMATTERS_MAX = 200

/** The formatter for a reader; readers with the same settings share one. */
export const formatterFor = ({ locale, language, timeZone = '' }: Reader): Formatter =>
  formatterBy([locale, language, timeZone].join(' '))

const formatterBy = memoize(FORMATTERS_MAX, (name: string): Formatter => {
  const [locale = '', language = '', timeZone = ''] = name.split(' ')
  return createFormatter(locale, language, timeZone || undefined)
})

function createFormatter(
  locale: string,
  language: string,
  timeZone: string | undefined,
): Formatter {
  const copy = messagesFor(language).cell
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
  const formatBy = memoize(50, (options: string) => {
    // `number` has written these options, as its key for them.
    const format = new Intl.NumberFormat(locale, JSON.parse(options) as Intl.NumberFormatOptions)
    return memoize(NUMBERS_MAX, (value: number | bigint | string) =>
      // A format keeps every digit of a decimal text (ECMAScript 2023), though its type takes none.
      format.format(value as number),
    )
  })
  const exactly = formatBy(JSON.stringify({ maximumFractionDigits: 20 }))
  const number: Formatter['number'] = (value, options) =>
    (options ? formatBy(JSON.stringify(options)) : exactly)(value)

  const formats: Formats = { locale, timeZone, copy, plain, cut }
  const writers = new Map<Kind | ColumnKind, CellWriter>()
  function writerOf(of: Kind | ColumnKind): CellWriter {
    const kind = typeof of === 'string' ? kindOf({ kind: of }) : of
    const writer = kind.cell?.(formats) ?? asText
    if (writers.size >= KINDS_MAX) writers.clear()
    writers.set(of, writer)
    return writer
  }
  return {
    locale,
    language,
    number,
    cell(column, value, length) {
      if (value === null) return null
      if (value instanceof Uint8Array) return copy.bytes(plain.format(length ?? value.byteLength))
      if (length !== undefined) return cut(String(value), length)
      const written = column.isPadded ? withoutPadding(column, value) : value
      const isLong = typeof written === 'string' && written.length > FORMATTED_MAX
      // The names in a list of files are shorter than their keys.
      if (isLong && !column.file) return cut(written)
      // Asked here, since a kind keeps what it has formatted whatever the column.
      const named = column.values && namedCell(column, String(written))
      if (named) return named
      const kind = column.ownKind ?? column.kind
      const drawn = (writers.get(kind) ?? writerOf(kind))(written, column)
      return typeof drawn === 'string' && drawn.length <= DRAWN_MAX ? drawn : bounded(drawn)
    },
  }
}

/** A text without the blanks that its column is filled up with. */
export const withoutPadding = <T extends Value>(
  { isPadded = false }: Pick<ColumnDefinition, 'isPadded'>,
  value: T,
): T | string => (isPadded && typeof value === 'string' ? value.slice(0, endOf(value)) : value)

/** Where the blanks at the end begin. A regular expression would try every run of blanks. */
function endOf(text: string): number {
  let end = text.length
  while (end > 0 && text[end - 1] === ' ') end--
  return end
}

/** Cell writers kept at a time. An application adds a few kinds; its tests may make many. */
const KINDS_MAX = 200

/** Formatted numbers kept for each set of options. */
const NUMBERS_MAX = 5000

/** A kind of your own may return more than a page should hold. */
function bounded(cell: Cell): Cell {
  if (typeof cell === 'string') return cell.length > DRAWN_MAX ? cut(cell) : cell
  if (!Array.isArray(cell)) return cell
  const [text, more] = cell
  const isLong = text.length > DRAWN_MAX || (typeof more === 'string' && more.length > DRAWN_MAX)
  return isLong ? cut(text) : cell
}

const asText: CellWriter = (value) =>
  typeof value === 'string' && value.length <= TEXT_MAX ? value : cut(String(value))

/** Cuts between characters, never inside a surrogate pair. */
function cut(text: string, length = text.length): Cell {
  if (length <= TEXT_MAX) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(TEXT_MAX - 1)) ? TEXT_MAX - 1 : TEXT_MAX
  return [text.slice(0, end), length]
}
