/** Values as the texts of their fields, and back: amounts in their currency, and counts of time as moments. */

import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import { countsTime, countUnit, isCount } from '../../definition/counted-time.ts'
import type { Column } from '../../source/schema.ts'
import type { Value } from '../../source/value.ts'
import type { Values } from '../../source/write-unit.ts'
import { amountText, type Beside, readAmount } from './amounts.ts'
import { textOfField } from './bytes-field.ts'
import { countText, readCount } from './counted-moments.ts'
import { readText, type ReadText, signsFor } from './read-text.ts'

/** Writes values of a row as its fields show them. `null` is NULL. */
export type FieldWriter = (value: Value, column: Column | undefined) => string | null

/** `row`: that in which amounts have their currencies. Default: they are written in the unit in which they are stored. */
export const fieldWriter =
  (open: OpenTable, { timeZone }: Reader, row?: Values): FieldWriter =>
  (value, column) => {
    const isMoment = column !== undefined && countsTime(open.definition, column)
    const moment = isMoment ? countText(value, timeZone) : undefined
    if (moment !== undefined) return moment
    const text = textOfField(value, column)
    return text !== null && column ? amountText(open, column, text, row) : text
  }

/** A text, and where it stood. */
export type Typed = Omit<Beside, 'locale'> & {
  readonly text: string | null
  /** Whether the field began with it. */
  readonly isDrawn: boolean
  /** Whether people choose among texts that are drawn. */
  readonly isOffered: boolean
  /** What the row holds there. */
  readonly held: Value
}

/** The value that a field's text means. */
export function readField(
  open: OpenTable,
  column: Column,
  { text, isDrawn, isOffered, held, ...beside }: Typed,
  { locale: own, timeZone }: Reader,
): ReadText {
  const locale = isDrawn || isOffered ? signsFor(text, own) : own
  if (text === null || text.trim() === '') return readText(column, text, locale)
  if (countsTime(open.definition, column) && !isNumber(text, isDrawn))
    return readCount(text, countUnit(open.definition, column, held), timeZone)
  return readAmount(open, column, text, { ...beside, locale }) ?? readText(column, text, locale)
}

/** Whether a count is drawn as a number, since it is no moment: 0 stands for never, and so it can be typed. */
const isNumber = (text: string, isDrawn: boolean): boolean =>
  text.trim() === '0' || (isDrawn && /^-?\d+$/.test(text) && !isCount(text))
