/** The free text of a report, invented from stock phrases; most reports have none. */

import { chance, hash, pick } from './hash.ts'
import type { SourceStrike } from './sources.ts'

const salt = { any: 141, empty: 142, opening: 143, middle: 144, ending: 145 }

/** The phrases are about birds. */
const mammals = new Set(['Coyote', 'White-tailed deer'])

const onGround = [
  'Struck just left of the centreline.',
  'Flushed from the grass beside the runway as the aircraft passed.',
  'Remains found on the runway at the morning inspection.',
  'Crew saw a flock cross from the drainage canal at high speed.',
  'Tower reported birds on the runway; crew already committed.',
  'Bird hit the nose gear; runway swept and reopened after nine minutes.',
]
const inAir = [
  'Thump heard under the cockpit floor at 300 ft.',
  'Bird passed over the left wing and was not seen again.',
  'Crew turned the landing lights on after the first bird.',
  'Crew noticed a smell of burning for about a minute.',
  'Nothing seen beforehand; one loud bang, then normal flight.',
  'Windscreen smeared on the captain’s side; view not lost.',
  'Controllers had advised of bird activity in the area.',
]
const damaged = [
  'Engine ingested at least one bird; crew reported vibration and returned.',
  'Radome dented over a hand’s breadth; aircraft taken out of service.',
  'Three fan blades bent on the first stage; borescope inspection follows.',
  'Leading edge of the slat holed; aircraft ferried for repair.',
  'Landing light broken; replaced overnight.',
  'Pitot tube blocked on the first officer’s side; airspeed disagreed until landing.',
]
const unharmed = [
  'Blood smear on the radome, no damage found.',
  'Mechanics inspected engine and wing; aircraft released.',
  'No damage found at the gate.',
  'Next departure delayed by 25 minutes for inspection.',
]
const endings = [
  'Feathers sent to the Smithsonian Feather Identification Lab.',
  'Carcass collected by airport operations.',
  'Photographs with the maintenance log.',
  'Airline asked for the cost of the delay to be added.',
  'Species given by the crew, not confirmed.',
  'Please compare with the report filed by the tower for the same evening.',
  'Operations scared off about forty birds afterwards.',
]

/** A remark of one to three sentences, an empty text, or null. */
export function remarkOf(id: number, strike: SourceStrike): string | null {
  if (mammals.has(strike.species)) return null
  const wanted = strike.damage === 'None' ? 14 : 70
  if (!chance(wanted, id, salt.any)) return chance(1, id, salt.empty) ? '' : null
  const sentences = [
    pick(isOnGround(strike.phase) ? onGround : inAir, hash(id, salt.opening)),
    pick(strike.damage === 'None' ? unharmed : damaged, hash(id, salt.middle)),
    pick(endings, hash(id, salt.ending)),
  ]
  return sentences.slice(0, 1 + (hash(id, salt.empty) % 3)).join(' ')
}

function isOnGround(phase: string): boolean {
  return /roll|run|taxi|parked/i.test(phase)
}
