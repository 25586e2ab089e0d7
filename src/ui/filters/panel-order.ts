/** In which order the panel shows its filters, and which of them a typed text leaves. */

import type { FilterOffer } from '../../protocol/filters.ts'
import type { TableView } from '../../protocol/table-view.ts'

/** More filters than are seen at one glance have a field in which they are found. */
export const FINDER_FROM = 9

/** The filters of the columns that are shown, as these stand; then the others, and last the row's own key. */
export function inPanelOrder(
  offers: readonly FilterOffer[],
  columns: TableView['columns'],
): readonly FilterOffer[] {
  const places = new Map(columns.map(({ name }, place) => [name, place]))
  const placeOf = ({ key, column = key, last }: FilterOffer): number =>
    last ? columns.length + 1 : (places.get(column ?? '') ?? columns.length)
  return offers.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Whether a label holds each of the words, whatever their case and accents. */
export function isFound(label: string, typed: string): boolean {
  const text = plain(label)
  return plain(typed)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
