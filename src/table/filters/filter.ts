/** What a filter is: a key, the forms that its value may take, and what each value means. */

import { AppError, type Detail } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { FilterControl, FilterGroup, FilterValue } from '../../protocol/filters.ts'
import type { NumberSigns } from '../../protocol/typed-numbers.ts'
import { clip } from '../address-error.ts'
import type { RowSource } from '../source/row-source.ts'
import type { Predicate } from '../source/predicate.ts'

/** When and where it is asked: days are days of a zone, and presets are relative to today. */
export type Clock = {
  /** How the reader writes numbers and days. */
  readonly locale: string
  /** The zone in which moments are shown. Default: UTC. */
  readonly timeZone?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** What is needed to put a value into words. */
export type Wording = {
  readonly reader: Reader
  readonly source: RowSource
  readonly signal: AbortSignal
}

/** A value that was found right, and what it means. */
export type Condition<Value = FilterValue | FilterGroup> = {
  /** The value in its one spelling, as the state holds it. */
  readonly value: Value
  predicate(clock: Clock): Predicate
  /** What it asks for, such as `1 – 5`; reads labels of related rows. */
  words(wording: Wording): string | Promise<string>
}

/**
 * The parts of a value as they came: JSON from an update; from an address a text, or a list of texts
 * for a part that holds several values.
 */
export type Given = { readonly [part: string]: unknown }

/** One form that a filter's value may take, such as a range. */
export type Form = {
  /** Names of the value's parts, in an address and in the state. */
  readonly parts: readonly string[]
  /** Those of them that hold several values. */
  readonly lists?: readonly string[]
  /**
   * The condition that these parts make; `undefined` if they ask for nothing. Throws
   * `TABLE_BAD_PARAMETER` for what is no such value.
   */
  parse(given: Given): Condition | undefined
}

/** A filter, as far as one actor may use it. */
export type Filter = {
  /** Its key under `filterComponents`, and in the address. */
  readonly key: string
  readonly label: string
  /** The column that it is about, if it is one. */
  readonly column?: string
  readonly help?: string
  /** It is that of the row's own key, which few people filter by. */
  readonly last?: true
  readonly nullable?: true
  /** How numbers are typed for it, where its control takes them. */
  readonly numbers?: Pick<NumberSigns, 'thousandths'>
  /** How the server has days written for it. Default: `Y-m-d`. */
  readonly dayFormat?: string
  readonly forms: readonly Form[]
  /** What sets it, in the reader's language. */
  control(reader: Reader): FilterControl
  /** Whether no index serves it and the table is large. */
  readonly costly?: true
}

/** A value that the filter does not take; `key` names the filter. */
export const badFilter = (key: string, detail: Detail): AppError =>
  new AppError('TABLE_BAD_PARAMETER', {
    detail: (details, number) => details.filter.of(clip(key), detail(details, number)),
  })

/** Whether a part of a value says nothing: an empty field, or a side left open. */
export const isUnset = (part: unknown): boolean =>
  part === undefined || part === null || part === ''

/** A part that says yes or no, as JSON or as text. */
export const asBoolean = (part: unknown): boolean | undefined =>
  part === true || part === 'true' ? true : part === false || part === 'false' ? false : undefined
