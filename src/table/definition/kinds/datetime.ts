/** Dates with times: with a zone, in the reader's zone; without one, as stored. */

import { type FieldValue, MOMENT_FORMAT } from '../../../protocol/record-view.ts'
import { defineKind } from '../kind.ts'
import { memoizeCells } from '../memoize-cells.ts'
import { formatCalendar, type MomentFormats } from './date.ts'

function formatsIn(locale: string, timeZone: string): MomentFormats {
  const { second, ...toTheMinute } = { ...MOMENT_FORMAT, timeZone }
  return {
    format: new Intl.DateTimeFormat(locale, toTheMinute),
    exact: new Intl.DateTimeFormat(locale, { ...toTheMinute, second }),
  }
}

function formatsOf(locale: string, timeZone: string | undefined): MomentFormats {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return {
    format: new Intl.DateTimeFormat(locale, format),
    exact: new Intl.DateTimeFormat(locale, { ...format, timeStyle: 'medium' }),
    local: timeZone === undefined ? undefined : formatsIn(locale, timeZone),
  }
}

const ABSOLUTE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)$/i

const HAS_FRACTION = /\.\d*[1-9]/
const UTC = /(?:Z|[+-]00(?::?00)?)$/i

function isoOf([, date, time, second = ':00', fraction = '', zone = 'Z']: RegExpExecArray): string {
  const offset = /^[+-]\d\d$/.test(zone)
    ? `${zone}:00`
    : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  return `${date}T${time}${second}${fraction.slice(0, 4)}${offset.toUpperCase()}`
}

export const datetime = defineKind({
  name: 'datetime',
  filter: 'date',
  defaultFor: ['datetime'],
  cell({ locale, timeZone, cut }) {
    const formats = formatsOf(locale, timeZone)
    return memoizeCells((value) => formatCalendar(value, formats, cut))
  },
  /**
   * Shows a time with a zone in the reader's zone, a naive one as stored, and notes the stored text
   * where that tells more.
   */
  value(value, { reader, copy, cell, text: textValue }) {
    const text = String(value)
    const parts = ABSOLUTE.exec(text)
    const moment = parts && new Date(isoOf(parts))
    if (moment && !Number.isNaN(moment.getTime())) {
      const iso = moment.toISOString()
      const timeZone = reader.timeZone ?? 'UTC'
      const format = new Intl.DateTimeFormat(reader.locale, { ...MOMENT_FORMAT, timeZone })
      const drawn: FieldValue = { is: 'moment', iso, text: format.format(moment) }
      const isTold = !HAS_FRACTION.test(text) && UTC.test(text)
      return { value: drawn, ...(!isTold && { note: copy.row.storedAs(text) }) }
    }
    const shown = cell(text)
    if (typeof shown !== 'string' || shown === text) return { value: textValue(text) }
    return {
      value: { is: 'text', text: shown },
      isZoneless: true,
      ...(HAS_FRACTION.test(text) && { note: copy.row.storedAs(text) }),
    }
  },
  endings: ['on', 'at'],
})
