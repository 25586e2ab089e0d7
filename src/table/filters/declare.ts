/** Declares filters of a table, for `filters` in `defineTable`. */

import type { FilterChoice } from '../../protocol/filters.ts'

type Common<Column extends string> = {
  /** The column that it is about. */
  readonly column: Column
  /** What it is called, 1 to 100 characters. Default: the column's label. */
  readonly label?: string
  /** What it is about, in a sentence. */
  readonly help?: string
}

export type NumberRangeOptions<Column extends string = string> = Common<Column> & {
  /** Where its slider begins and ends, as values are stored; rows beyond can still be asked for by typing. */
  readonly min?: number
  readonly max?: number
  /** Shown beside the bounds. Default: the column's unit, as always for amounts that are shown in a larger one. */
  readonly unit?: string
}

export type DateRangeOptions<Column extends string = string> = Common<Column> & {
  /**
   * How days are written: `Y`, `m` and `d` with separators, such as `d.m.Y`. Default: `Y-m-d`.
   */
  readonly format?: string
  /**
   * The time zone whose days *Today*, *This week* and the like are, such as `Europe/Vienna`, for a column that
   * has no time zone. Default: the reader's.
   */
  readonly timeZone?: string
  /** First and last day of the calendar, as `2024-03-05`. */
  readonly earliest?: string
  readonly latest?: string
}

export type ChoiceOptions<Column extends string = string> = Common<Column> & {
  /** Values to choose from, as people read them. Default: those that the column allows or holds. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
}

export type TextFilterOptions<Column extends string = string> = Common<Column>

export type FilterDeclaration<Column extends string = string> =
  | ({ readonly type: 'number' } & NumberRangeOptions<Column>)
  | ({ readonly type: 'date' } & DateRangeOptions<Column>)
  | ({ readonly type: 'choice' } & ChoiceOptions<Column>)
  | ({ readonly type: 'text' | 'boolean' } & Common<Column>)

/**
 * A range of numbers.
 *
 * @example
 * export const orders = defineTable<Database['orders']>({
 *   filters: {
 *     price: numberRange({ column: 'total', label: 'Price', min: 0, max: 500, unit: '€' }),
 *     placed: dateRange({ column: 'placed_at', format: 'd.m.Y' }),
 *     note: false,
 *   },
 * })
 */
export const numberRange = <const Column extends string>(
  options: NumberRangeOptions<Column>,
): FilterDeclaration<Column> => ({ type: 'number', ...options })

/** A range of days, both included. */
export const dateRange = <const Column extends string>(
  options: DateRangeOptions<Column>,
): FilterDeclaration<Column> => ({ type: 'date', ...options })

/** Some of the column's values, or all but some. */
export const choice = <const Column extends string>(
  options: ChoiceOptions<Column>,
): FilterDeclaration<Column> => ({ type: 'choice', ...options })

/** What a text contains, how it starts, what it is, and the negations. */
export const textFilter = <const Column extends string>(
  options: TextFilterOptions<Column>,
): FilterDeclaration<Column> => ({ type: 'text', ...options })

/** Yes, no, or neither. */
export const yesNo = <const Column extends string>(
  options: TextFilterOptions<Column>,
): FilterDeclaration<Column> => ({ type: 'boolean', ...options })

/** The declared choices as a page is told of them. */
export const choicesOf = (choices: NonNullable<ChoiceOptions['choices']>): FilterChoice[] =>
  choices.map(({ value, label }) => ({ value, label }))
