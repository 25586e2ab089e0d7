/** How many flights went from airport to airport in 2008, with the distance between the two. */

import type { AirportRow } from './airports.ts'
import { idOf } from './rows.ts'
import type { Ids } from './rows.ts'
import type { SourceRoute } from './sources.ts'

const EARTH_RADIUS_MI = 3_958.8

export function routeRows(routes: SourceRoute[], airports: AirportRow[], airportIds: Ids) {
  return routes.map(({ origin, destination, count }, index) => {
    const origin_id = idOf(airportIds, origin)
    const destination_id = idOf(airportIds, destination)
    return {
      id: index + 1,
      name: `${origin}–${destination}`,
      origin_id,
      destination_id,
      year: 2008,
      flights: count,
      distance_mi: distanceOf(airports[origin_id - 1], airports[destination_id - 1]),
    }
  })
}

/** Along the great circle, by the haversine formula, in whole statute miles. */
function distanceOf(from: AirportRow | undefined, to: AirportRow | undefined): number | null {
  if (from === undefined || to === undefined) return null
  const [north, south] = [radians(from.latitude), radians(to.latitude)]
  const across = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2
  const half = Math.sin((south - north) / 2) ** 2 + Math.cos(north) * Math.cos(south) * across
  return Math.round(2 * EARTH_RADIUS_MI * Math.asin(Math.sqrt(half)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
