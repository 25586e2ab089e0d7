/** Which operators the office deals with at which airport, as the strikes show. */

import type { StrikeRow } from './strikes.ts'

/** One row for each airport and operator that occur together in a strike. */
export function airportOperatorRows(strikes: StrikeRow[]) {
  const pairs = Map.groupBy(
    strikes,
    ({ airport_id, operator_id }) => `${airport_id} ${operator_id}`,
  )
  return [...pairs.values()].flatMap(([first, ...rest]) => {
    if (first === undefined || first.airport_id === null) return []
    const { airport_id, operator_id } = first
    return {
      airport_id,
      operator_id,
      reports: 1 + rest.length,
      first_strike_id: first.id,
      last_strike_id: rest.at(-1)?.id ?? first.id,
    }
  })
}
