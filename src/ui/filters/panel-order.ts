/** In which order the panel shows its filters, and which of them a typed text leaves. */

import type { FilterOffer } from '../../protocol/filters.ts'
import type { TableView } from '../../protocol/table-view.ts'

/** More filters than are seen at one glance have a field in which they are found. */
export const FINDER_FROM = 9

/**
 * The filters of the columns that are shown; then the others, and last the row's own key. Of these, those of one line
 * come before those of several, so that no row of the panel has holes, and each as its column stands.
 */
export function inPanelOrder(
  offers: readonly FilterOffer[],
  columns: TableView['columns'],
): readonly FilterOffer[] {
  const places = new Map(columns.map(({ name }, place) => [name, place]))
  const placeOf = ({ key, column = key }: FilterOffer): number =>
    places.get(column ?? '') ?? columns.length
  const groupOf = (offer: FilterOffer): number =>
    offer.last ? 2 : placeOf(offer) < columns.length ? 0 : 1
  return offers.toSorted(
    (one, other) =>
      groupOf(one) - groupOf(other) ||
      linesOf(one) - linesOf(other) ||
      placeOf(one) - placeOf(other),
  )
}

/** How high its control is, compared with others. */
const linesOf = ({ control: { type } }: FilterOffer): number => LINES[type] ?? 1

const LINES: { readonly [type: string]: number } = { number: 2, related: 2, choice: 3 }

/** Whether a label holds each of the words, whatever their case and accents. */
export function isFound(label: string, typed: string): boolean {
  const text = plain(label)
  return plain(typed)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
