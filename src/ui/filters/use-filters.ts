/** The filters of a listing as its panel uses them: what is set, and how a filter is set. */

import { useMemo } from 'react'
import { BUILDER, type FilterGroup, type FilterOffer } from '../../protocol/filters.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useComponent } from '../../react/use-component.ts'
import { useKept } from '../../react/use-kept.ts'
import type { AnyValue, Ask } from './control.ts'
import { untilAnswered } from './until-answered.ts'

/** What is set but not applied, because it is costly; `null` removes a filter. */
type Waiting = { readonly [key: string]: AnyValue | null }

export type Filters = {
  /** What the person has set, whether or not it was applied. */
  valueOf(key: string): AnyValue | undefined
  /** Applies the value at once, or with others if its filter is costly. */
  change(offer: Pick<FilterOffer, 'key' | 'costly'>, value: AnyValue | null): void
  /** How many filters wait to be applied. */
  readonly waiting: number
  apply(): void
  /** What the server said about the filter's value. */
  errorsOf(key: string): readonly string[]
  readonly group: FilterGroup | undefined
  readonly ask: Ask
}

export function useFilters(id: string, view: TableView): Filters {
  const { data, errors, set, cancellable } = useComponent<TableComponent>(id)
  const [waiting, setWaiting] = useKept<Waiting>(`filters of ${view.name}`, {})
  // An empty value removes a filter.
  const send = (key: string, value: AnyValue | null, isLast = true) =>
    set(`filterComponents.${key}`, JSON.parse(JSON.stringify(value ?? {})), {
      throttle: isLast,
    })
  const valueOf = (key: string) => {
    const value = waiting[key] === undefined ? data.filterComponents[key] : waiting[key]
    return value === null || value === undefined || isNothing(value) ? undefined : value
  }
  const group = valueOf(BUILDER)
  const ask = useAsk(view, cancellable)
  return {
    valueOf,
    change(offer, value) {
      if (offer.costly) setWaiting({ ...waiting, [offer.key]: value })
      else send(offer.key, value)
    },
    waiting: Object.keys(waiting).length,
    apply() {
      const all = Object.entries(waiting)
      setWaiting({})
      for (const [at, [key, value]] of all.entries()) send(key, value, at === all.length - 1)
    },
    errorsOf: (key) =>
      Object.entries(errors).flatMap(([path, messages]) =>
        `${path}.`.startsWith(`filterComponents.${key}.`) ? messages : [],
      ),
    group: group && 'join' in group ? group : undefined,
    ask,
  }
}

const isNothing = (value: object): boolean => Object.keys(value).length === 0

type Cancellable = ReturnType<typeof useComponent<TableComponent>>['cancellable']

function useAsk(view: TableView, cancellable: Cancellable): Ask {
  // Counts are those of the rows that all other filters leave.
  const version = JSON.stringify([view.search, view.filters.values])
  return useMemo(
    () => ({
      version,
      facets: (key, signal, ...within) =>
        untilAnswered(signal, () => cancellable(signal).facets(key, ...within)),
      related: (key, text, signal) => cancellable(signal).findRelated(key, text),
      offers: (key, signal) => cancellable(signal).relatedOffers(key),
      bounds: (key, signal) => cancellable(signal).bounds(key),
    }),
    [version, cancellable],
  )
}
