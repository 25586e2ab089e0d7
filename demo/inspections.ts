/** The inspection queue, invented: visits to airports, ordered by hand. */

import { idOf } from './rows.ts'
import type { Ids } from './rows.ts'
import type { ReporterRow } from './reporters.ts'
import type { StrikeRow } from './strikes.ts'

type Priority = 'low' | 'normal' | 'high' | 'urgent'
type State = 'waiting' | 'scheduled' | 'in progress' | 'blocked'

/** From the top of the queue, with the name of the inspector. */
const queue: [code: string, title: string, Priority, State, due: string | null, name: string][] = [
  [
    'JFK',
    'Laughing gull colony, runway 4L end',
    'urgent',
    'in progress',
    '2002-08-05',
    'Fatima Benali',
  ],
  [
    'IAD',
    'Deer inside the fence, cargo gate 7',
    'urgent',
    'in progress',
    '2002-08-06',
    'Siobhán Keane',
  ],
  [
    'MEM',
    'Canada geese on the retention pond',
    'urgent',
    'scheduled',
    '2002-08-09',
    'Curtis Bowman',
  ],
  ['CHS', 'Pigeon roost in the C-17 hangar', 'high', 'scheduled', '2002-08-12', 'Samuel Adeyemi'],
  [
    'EWR',
    'Standing water east of taxiway P',
    'high',
    'scheduled',
    '2002-08-13',
    'Vikram Chaudhary',
  ],
  ['DFW', 'Grass height, runways 17C and 17R', 'high', 'waiting', '2002-08-30', 'Rami Haddad'],
  [
    'SMF',
    'Rice field flooding, northern boundary',
    'high',
    'scheduled',
    '2002-08-19',
    'Sade Okafor',
  ],
  ['ORD', 'Landfill cover, two miles west', 'high', 'blocked', null, 'Grace Oyelaran'],
  [
    'LIH',
    'Golden-plovers back on the apron grass',
    'normal',
    'waiting',
    '2002-08-21',
    'Noelani Kahale',
  ],
  ['STL', 'Mallards in the infield ditch', 'normal', 'waiting', '2002-09-16', 'Pauline Delacroix'],
  ['SLC', 'Gulls from the lake at dusk', 'high', 'waiting', '2002-08-26', 'Owen Prichard'],
  [
    'PHL',
    'Starling roost under the terminal E bridge',
    'normal',
    'scheduled',
    '2002-08-22',
    'Daniel Abramov',
  ],
  ['BNA', 'Burnt-out lights on the bird radar mast', 'normal', 'blocked', null, 'Luther Jackson'],
  [
    'DEN',
    'Prairie dogs and the hawks after them',
    'normal',
    'waiting',
    '2002-09-03',
    'Walter Grunwald',
  ],
  ['PIT', 'Turkey vultures over the quarry', 'normal', 'waiting', '2002-09-05', 'Aleksandra Nowak'],
  ['BOS', 'Terns nesting on the blast pad', 'normal', 'waiting', null, 'Patrick Gallagher'],
  [
    'SEA',
    'Netting over the stormwater ponds',
    'normal',
    'scheduled',
    '2002-08-28',
    'Lars Mikkelsen',
  ],
  [
    'TEB',
    'Wetland restoration next to runway 24',
    'normal',
    'waiting',
    '2002-10-01',
    'Vikram Chaudhary',
  ],
  [
    'MCO',
    'Sandhill cranes along the service road',
    'low',
    'waiting',
    '2002-09-12',
    'Beatriz Carvalho',
  ],
  ['PDX', 'Heron rookery, yearly count', 'low', 'waiting', '2002-10-07', 'Hine Parata'],
  ['IND', 'Bird control vehicle, logbook check', 'normal', 'waiting', '2002-09-19', 'Thuy Nguyen'],
  ['HNL', 'Zebra doves at the fuel farm', 'low', 'waiting', null, 'Kenji Sato'],
  ['AUS', 'Bat emergence, evening watch', 'low', 'waiting', '2002-09-24', 'Esperanza Molina'],
  ['OKC', 'Training of the new operations crew', 'low', 'waiting', '2002-11-04', 'Rami Haddad'],
]

export type InspectionRow = ReturnType<typeof inspectionRows>[number]

export function inspectionRows(airportIds: Ids, reporters: ReporterRow[]) {
  const people = new Map(reporters.map((reporter) => [reporter.name, reporter.id]))
  return queue.map(([code, title, priority, state, due_on, name], index) => ({
    id: requestNumber(index),
    position: index + 1,
    title,
    airport_id: idOf(airportIds, code),
    priority,
    state,
    due_on,
    assigned_to_id: priority === 'low' ? null : idOf(people, name),
  }))
}

/** The queue is ordered by hand, so the requests were made in another order. */
function requestNumber(index: number): number {
  return 1 + ((index * 7 + 3) % queue.length)
}

/** The strikes that are the reason for a visit: the three most expensive at that airport. */
export function inspectionStrikeRows(inspections: InspectionRow[], strikes: StrikeRow[]) {
  const costly = strikes
    .filter((strike) => (strike.cost_total_usd ?? 0) > 0)
    .toSorted((a, b) => (b.cost_total_usd ?? 0) - (a.cost_total_usd ?? 0))
  return inspections.flatMap(({ id, airport_id }) =>
    costly
      .filter((strike) => strike.airport_id === airport_id)
      .slice(0, 3)
      .map((strike) => ({ inspection_id: id, strike_id: strike.id })),
  )
}
