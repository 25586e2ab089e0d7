/** What a page is told of the filters that it offers. */

import { BUILDER, type FilterOffer } from '../../protocol/filters.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Filter } from './filter.ts'
import type { Filters } from './offered.ts'

/** What was drawn of filters last, and for which reader: the same person is offered them on every page. */
const drawn = new WeakMap<Filters, { readonly reader: string; readonly offers: FilterOffer[] }>()

export function offersFor(filters: Filters, { locale, language, timeZone }: Reader): FilterOffer[] {
  const reader = JSON.stringify([locale, language, timeZone])
  const known = drawn.get(filters)
  if (known?.reader === reader) return known.offers
  const offers = drawOffers(filters, { locale, language, timeZone })
  drawn.set(filters, { reader, offers })
  return offers
}

/** The builder is drawn on its own. */
export const drawOffers = (filters: Filters, reader: Reader): FilterOffer[] =>
  [...filters.values()]
    .filter(({ key }) => key !== BUILDER)
    .map((filter) => drawOffer(filter, reader))

function drawOffer(filter: Filter, reader: Reader): FilterOffer {
  const { key, label, column, help, last, nullable, costly, control } = filter
  return {
    key,
    label,
    ...(column !== key && { column: column ?? null }),
    ...(help !== undefined && { help }),
    control: control(reader),
    ...(last && { last }),
    ...(nullable && { nullable }),
    ...(costly && { costly }),
  }
}
