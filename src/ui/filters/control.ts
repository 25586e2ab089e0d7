/** What every control of a filter is given, and what it reports. */

import type {
  BUILDER,
  FilterBounds,
  FilterChoice,
  FilterControl,
  FilterGroup,
  FilterOffer,
  FilterValue,
} from '../../protocol/filters.ts'

export type AnyValue = FilterValue | FilterGroup

export type ControlProps<Control extends FilterControl = FilterControl> = {
  offer: FilterOffer
  control: Control
  /** The value that is set, if any. */
  value: AnyValue | undefined
  /** Sets the filter, or with `null` removes it. */
  change(value: FilterValue | null): void
  /** Name of a form field of the page without script; `undefined` where there is no form. */
  param(part: string): string | undefined
  /** What the server can be asked; `undefined` for filters of another table. */
  ask: Ask | undefined
}

export type Choices = {
  readonly choices: readonly (FilterChoice & { readonly text?: string })[]
  readonly hasMore: boolean
}

/** Questions about the filters of a listing; an aborted one is stopped on the server, too. */
export type Ask = {
  /** Counts are out of date once this has changed. */
  readonly version: string
  /** How many rows hold each value. `within`: for conditions of the builder; default: for the filter itself. */
  facets(key: string, signal: AbortSignal, ...within: [typeof BUILDER?]): Promise<Choices>
  /** Rows of the table that a relation refers to: by a text in their label, or by their key. */
  related(key: string, text: string, signal: AbortSignal): Promise<Choices>
  /** The filters of the table that a filter of related rows is about. */
  offers(key: string, signal: AbortSignal): Promise<readonly FilterOffer[]>
  /** The least and the greatest value. */
  bounds(key: string, signal: AbortSignal): Promise<FilterBounds>
}
