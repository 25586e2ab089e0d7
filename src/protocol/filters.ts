/** Filters of a listing: the values under `filterComponents.<key>`, and what a page is told of each. */

import type { Tone, Total } from './table-view.ts'

/** A bound of a number range; decimals and 64-bit integers are texts, so that they keep every digit. */
export type NumberBound = number | string

/** Both bounds count (spec §3, §5); one that is missing leaves that side open. */
export type NumberRange = { min?: NumberBound | null; max?: NumberBound | null }

/**
 * Both days count, in the time zone in which the column is shown (spec §3, §5). A preset stays
 * relative: it is worked out whenever rows are read.
 */
export type DateRange = { minDate: string; maxDate: string } | { preset: DatePreset }

/** From a day on, or up to it, that day included; the other side is open. */
export type DayBound = { since: string } | { until: string }

export const DATE_PRESETS = [
  'today',
  'yesterday',
  'thisWeek',
  'lastWeek',
  'last7days',
  'last30days',
  'thisMonth',
  'lastMonth',
  'thisYear',
  'lastYear',
] as const
export type DatePreset = (typeof DATE_PRESETS)[number]

export const TEXT_TESTS = ['contains', 'starts', 'equals'] as const
export type TextTest = (typeof TEXT_TESTS)[number]

/** With `not`, the rows that do not fulfil the test; those without a text are among them. */
export type TextFilter = { test: TextTest; text: string; not?: true }

/**
 * Values as in addresses: `encodeText` writes texts so, and numbers are their digits; `null` stands
 * for NULL. For relations they are keys of related rows. Choices, pasted lists, “only these” and “all
 * but these” are all of this form; at most `ONE_OF_MAX` values.
 */
export type OneOf = { in: (string | null)[] } | { notIn: (string | null)[] }

/** Most values of one list. */
export const ONE_OF_MAX = 1000

/** A text as a value of `OneOf` and of addresses: separators of keys and paths are escaped. */
export const encodeText = (text: string): string =>
  text === '' ? '%' : text.replace(/[%,/]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)

/** NULL among the values of an address. */
export const NULL_TEXT = '%null'

/** The values of a pasted list, each once. With line breaks or tabs, commas belong to the values. */
export function readList(text: string, signs = /[,;]/): string[] {
  const separator = /[\n\t]/.test(text) ? /[\n\t]/ : signs
  const values = text.split(separator).map((value) => value.trim())
  return [...new Set(values.filter((value) => value !== ''))]
}

export type YesNo = { is: 'yes' | 'no' | 'unset' }

/** Whether the column holds NULL or, where it holds texts, the empty text. */
export type Emptiness = { empty: boolean }

/** Rows by rows of another table that refer to them: some, none, or every one fulfils `where`. */
export type RelatedRows = { rows: 'some' | 'none' | 'every'; where?: FilterGroup }

/** The value of one filter. */
export type FilterValue =
  | NumberRange
  | DateRange
  | DayBound
  | TextFilter
  | OneOf
  | YesNo
  | Emptiness
  | RelatedRows

/** Under the key `builder`: conditions joined by “and” or “or”, in groups. */
export type FilterGroup = { join: 'and' | 'or'; of: (FilterCondition | FilterGroup)[] }

/** A condition of the builder: the key of a filter, and its value. */
export type FilterCondition = { filter: string; value: FilterValue }

/** The live values of all filters that are set, by key (spec §3, §7). */
export type FilterComponents = { [key: string]: FilterValue | FilterGroup }

/** Key of the builder in `filterComponents`. */
export const BUILDER = 'builder'

/** A value to choose from, as `OneOf` holds it, and as people read it. */
export type FilterChoice = { value: string | null; label: string; tone?: Tone }

/** The control that sets a filter. */
export type FilterControl =
  | {
      type: 'number'
      /** The least and greatest value, where they are known cheaply; a slider needs both. */
      min?: number
      max?: number
      unit?: string
      /** Whether values may have three digits after the point, so that `7.777` may be one of two numbers. */
      thousandths?: true
      /** Values at equal steps of the rows, for a slider over a skewed column. */
      quantiles?: number[]
    }
  | {
      type: 'date'
      /** The server's format (spec §9), such as `Y-m-d`, and the first day of the week, 0 for Sunday. */
      format: string
      weekStart: number
      /** In which zone it is today. */
      zone: string
      earliest?: string
      latest?: string
    }
  | { type: 'text' }
  /** `choices` where they are known from the schema; else the query `facets` returns them. */
  | { type: 'choice'; choices?: FilterChoice[] }
  | { type: 'boolean' }
  /** The query `findRelated` returns rows to choose from; `rows` says about how many there are, where that is known. */
  | { type: 'relation'; table: string; label: string; rows?: string }
  /** The query `relatedOffers` returns the filters of the other table, for `where`. */
  | { type: 'related'; table: string; label: string }

/** A filter that the listing offers. */
export type FilterOffer = {
  /** Its key under `filterComponents`. */
  key: string
  label: string
  /** The column at whose head it is offered: absent where its key is the column's name, `null` for none. */
  column?: string | null
  help?: string
  control: FilterControl
  /** It is that of the row's own key, which a panel shows after all others. */
  last?: true
  /** Whether rows may hold nothing there, so that `Emptiness` makes sense. */
  nullable?: true
  /** No index serves it, so several of these are set first and applied together. */
  costly?: true
}

/** An active filter in words. */
export type FilterChip = {
  key: string
  /** What it is about and which value it asks for, such as `Species` and `Canada goose`. */
  label: string
  value: string
  /** Its parameters in the address; a form without them leads to the list without the filter. */
  params: string[]
  /** What the address says once it is removed, where that is more than nothing. */
  removed?: [name: string, value: string]
}

/** What a listing's view says of its filters. */
export type FiltersView = {
  /** All filters on offer, in the order of the columns. */
  offers: FilterOffer[]
  /** Whether the builder is offered. */
  builder: boolean
  /** The values that were applied. */
  values: FilterComponents
  chips: FilterChip[]
  /** The listing without any filter. */
  clearHref: string
  /** How many rows there are without filters; absent where none is set, or nobody knows. */
  whole?: Total
  /** Of a page whose panel is open in its address. */
  form?: FilterForm
}

/** A group while the form of a page without script is filled in: its conditions may have no value yet. */
export type FormGroup = { join: 'and' | 'or'; of: (FormCondition | FormGroup)[] }
export type FormCondition = { filter: string; value: FilterValue | null }

/** What the person has entered into the form so far, besides the values of filters. */
export type FilterEntries = {
  /** Where they are: the path of the field or group that they asked about. */
  at: string | null
  /**
   * Groups by their paths, such as `builder` and `~strikes~species_id.where`. The path of a condition is
   * that of its group and its number there: `builder.2`, `builder.3.1`.
   */
  groups: { [path: string]: FormGroup }
  /** Related rows of which every one is to fulfil conditions that are still to be entered, by key. */
  begun: { [key: string]: RelatedRows }
  /** What is looked for, by the paths of the fields. */
  finds: { [path: string]: string }
}

/** What a field shows in which values are looked for. */
export type FormChoices = {
  chosen: FilterChoice[]
  /** What was found; `null` if that took too long. Absent where nothing was looked for. */
  found?: FoundChoices | null
}

/** The form of a page without script, as far as values and offers do not say it. */
export type FilterForm = FilterEntries & {
  choices: { [path: string]: FormChoices }
  /** What conditions may be about, by the path of their group; the builder's are those of the list. */
  offers: { [path: string]: FilterOffer[] }
}

/** What the query `findRelated` returns: rows to choose from; `hasMore`: there are, or may be, others. */
export type FoundChoices = { choices: FilterChoice[]; hasMore: boolean }

/** What the query `bounds` returns: the least and the greatest value, `null` where there is none. */
export type FilterBounds = { min: string | null; max: string | null }

/** What the query `facets` returns: how many of the rows that match all other filters hold a value. */
export type FilterFacets = {
  choices: (FilterChoice & { count: number; text: string })[]
  hasMore: boolean
}
