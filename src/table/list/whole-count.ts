/** How many rows a list has without its filters. */

import type { FiltersView } from '../../protocol/filters.ts'
import type { Reader } from '../../server/http/locale.ts'
import { formatterFor } from '../format.ts'
import { everything } from '../source/predicate.ts'
import type { OpenList } from './concern.ts'
import { countKey } from './totals.ts'

/** The number, where the person's list of all rows was counted. */
export async function knownWhole({ access, services }: OpenList): Promise<number | null> {
  const key = countKey(access, services.catalog().policy.version, everything)
  const known = services.totals.known(key, await services.source.dataVersion())
  return known?.kind === 'exact' ? known.count : null
}

/**
 * That number, else an estimate, since counting them all would delay the count of those that match. Told only to
 * whom no row is hidden from.
 */
export function wholeOf(
  { definition, access }: OpenList,
  known: number | null,
  reader: Reader,
): Pick<FiltersView, 'whole'> {
  const count = known ?? definition.table.estimate
  if (count === null || !access.seesAllRows) return {}
  const text = formatterFor(reader).number(count)
  return { whole: { kind: known === null ? 'estimate' : 'exact', text, count } }
}
