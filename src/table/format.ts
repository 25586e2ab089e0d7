/** Values as people read them, in the reader's language: what a cell holds, by the kind of its column. */

import { type Messages, messagesFor } from '../messages/messages.ts'
import type { Cell, ColumnKind } from '../protocol/table-view.ts'
import type { Reader } from '../server/http/locale.ts'
import { remember } from '../server/remember.ts'
import type { CellWriter, Formats, Kind } from './definition/kind.ts'
import { kindOf } from './definition/kinds.ts'
import type { ColumnDefinition } from './definition/table-definition.ts'
import type { Value } from './source/value.ts'

/** Text beyond this length is cut in a listing, characters. */
export const TEXT_MAX = 160

export type Formatter = {
  readonly locale: string
  /** `length` is the value's own where only its beginning was read, characters or bytes. */
  cell(column: ColumnDefinition, value: Value, length?: number): Cell
  /** A number as text: exact, with every digit it has. */
  number(value: number | bigint | string, options?: Intl.NumberFormatOptions): string
}

/** Readers differ in few things; a zone is one of hundreds. */
const FORMATTERS_MAX = 200

/** How values are written for a reader; each way is made once. */
export const formatterFor = ({ locale, language, timeZone = '' }: Reader): Formatter =>
  formatterBy([locale, language, timeZone].join(' '))

const formatterBy = remember(FORMATTERS_MAX, (name: string): Formatter => {
  const [locale = '', language = '', timeZone = ''] = name.split(' ')
  return createFormatter(locale, messagesFor(language).cell, timeZone || undefined)
})

function createFormatter(
  locale: string,
  copy: Messages['cell'],
  timeZone: string | undefined,
): Formatter {
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
  const formatBy = remember(50, (options: string) => {
    const format = new Intl.NumberFormat(locale, JSON.parse(options) as Intl.NumberFormatOptions)
    return remember(WRITTEN_MAX, (value: number | bigint | string) =>
      format.format(value as number),
    )
  })
  const number: Formatter['number'] = (value, options = { maximumFractionDigits: 20 }) =>
    formatBy(JSON.stringify(options))(value)

  const formats: Formats = { locale, timeZone, copy, plain, cut }
  const writerOf = remember(KINDS_MAX, (of: Kind | ColumnKind): CellWriter => {
    const kind = typeof of === 'string' ? kindOf({ kind: of }) : of
    return kind.cell?.(formats) ?? ((value) => cut(String(value)))
  })
  return {
    locale,
    number,
    cell(column, value, length) {
      if (value === null) return null
      if (value instanceof Uint8Array) return copy.bytes(plain.format(length ?? value.byteLength))
      if (length !== undefined) return cut(String(value), length)
      return writerOf(column.ownKind ?? column.kind)(value, column)
    },
  }
}

/** An application has some more kinds than the built-in ones; its tests may make many. */
const KINDS_MAX = 200

/** Values that are remembered for each set of options. */
const WRITTEN_MAX = 5000

/** Cut between characters, never inside one. */
function cut(text: string, length = text.length): Cell {
  if (length <= TEXT_MAX) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(TEXT_MAX - 1)) ? TEXT_MAX - 1 : TEXT_MAX
  return [text.slice(0, end), length]
}
