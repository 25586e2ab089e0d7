/** How the texts of fields are read: amounts in which unit, moments by which clock; one that was typed for another is refused. */

import { messagesFor } from '../../../messages/messages.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import { countsTime } from '../../definition/counted-time.ts'
import type { Column } from '../../source/schema.ts'

/** By column, as fields were drawn with them; columns without one are read as they are stored. */
export type Readings = { readonly [column: string]: string }

const OF_ROW = 'row'

/** A time zone, the code of a currency, or that the row names it; `undefined` where a text is what is stored. */
export function readingOf(
  { definition, access }: OpenTable,
  column: Column,
  { timeZone = 'UTC' }: Reader,
): string | undefined {
  if (countsTime(definition, column)) return timeZone
  const { minorUnit, fixedCurrency, currency = '' } = definition.columns.get(column.name) ?? {}
  if (minorUnit === undefined) return undefined
  return fixedCurrency?.code ?? (access.canRead(currency) ? OF_ROW : undefined)
}

/** Why a text must be typed again; `undefined` where it means what it meant when its field was drawn. */
export function readOtherwise(
  open: OpenTable,
  column: Column,
  drawn: string | undefined,
  reader: Reader,
): string | undefined {
  const now = readingOf(open, column, reader)
  if (now === drawn) return undefined
  const { enteredNow } = messagesFor(reader.language).form
  if (now === undefined) return enteredNow.number
  if (countsTime(open.definition, column)) return enteredNow.moment(now)
  return now === OF_ROW ? enteredNow.ofRow : enteredNow.currency(now)
}

/** Those of a section's fields, whose columns stand after the section's name and a slash. */
export const readingsIn = (section: string, readings: Readings | undefined): Readings | undefined =>
  readings &&
  Object.fromEntries(
    Object.entries(readings).flatMap(([name, reading]) =>
      name.startsWith(`${section}/`) ? [[name.slice(section.length + 1), reading]] : [],
    ),
  )
