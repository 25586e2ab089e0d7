/** The strikes: data from the reports, and what an office would have added. */

import { reportedAirport } from './airports.ts'
import { chance, fraction, hash, pick, slots } from './hash.ts'
import { operatorIds } from './operators.ts'
import { remarkOf } from './remarks.ts'
import { fieldReporterId } from './reporters.ts'
import type { ReporterRow } from './reporters.ts'
import { idOf, inOrder } from './rows.ts'
import type { Ids } from './rows.ts'
import type { SourceStrike } from './sources.ts'
import { speciesIds, speciesName } from './species.ts'
import { timelineOf } from './timeline.ts'
import type { Status } from './timeline.ts'

/** The rows that a strike refers to. */
export type References = { airportIds: Ids; aircraftTypeIds: Ids; reporters: ReporterRow[] }

export type StrikeRow = ReturnType<typeof strikeRow>

const salt = {
  reporter: 120,
  heightKnown: 121,
  height: 122,
  number: 123,
  skyKnown: 124,
  sky: 125,
  fallKnown: 126,
  fall: 127,
  effectKnown: 128,
  effect: 129,
}

const damageWords = { B: 'Class B', C: 'Class C' } as const
const skies = slots({ 'No cloud': 38, 'Some cloud': 30, Overcast: 32 })
const falls = slots({ None: 5, Fog: 1, Rain: 3, Snow: 1 })
const effects = slots({
  'Precautionary landing': 5,
  'Aborted take-off': 2,
  'Engine shutdown': 1,
  Other: 2,
})

/** The strikes by date, numbered from 1; an exact duplicate refers to the earlier strike. */
export function strikeRows(strikes: SourceStrike[], references: References) {
  const ordered = strikes.toSorted((a, b) => inOrder(a.date, b.date))
  const originals = firstIds(ordered)
  return ordered.map((strike, index) => {
    const original = originals.get(JSON.stringify(strike)) ?? null
    return strikeRow(strike, index + 1, original === index + 1 ? null : original, references)
  })
}

/** Reversed, because a map keeps the last of equal keys. */
function firstIds(strikes: SourceStrike[]): Ids {
  const ids = strikes.map((strike, index) => [JSON.stringify(strike), index + 1] as const)
  return new Map(ids.toReversed())
}

function strikeRow(
  strike: SourceStrike,
  id: number,
  duplicateOf: number | null,
  references: References,
) {
  const airport = reportedAirport(strike.airport)
  const airportId = airport.code === null ? null : idOf(references.airportIds, airport.code)
  const steps = timelineOf(id, strike.date)
  const status = steps.at(-1)?.status ?? 'new'
  return {
    id,
    airport_name: airport.name,
    incident_date: strike.date,
    aircraft_type_id: idOf(references.aircraftTypeIds, strike.aircraft),
    operator_id: idOf(operatorIds, strike.operator),
    species_id: idOf(speciesIds, speciesName(strike.species)),
    phase: strike.phase === 'Landing Roll' ? 'Landing roll' : strike.phase,
    speed_kt: strike.speed,
    ...costsOf(strike, status),
    status,
    reporter_id: reporterOf(id, airportId, strike.date, references.reporters),
    time_of_day: strike.timeOfDay,
    airport_id: airportId,
    height_ft: heightOf(id, strike.phase),
    damage: damageOf(strike),
    effect: effectOf(id, strike),
    wildlife_size: strike.size,
    number_struck: numberOf(id),
    ...weatherOf(id),
    duplicate_of_id: duplicateOf,
    received_at: steps[0]?.at ?? null,
    reviewed_at: steps[1]?.at ?? null,
    remarks: remarkOf(id, strike),
  }
}

/** The file writes 0 for “not stated” too: here damage without a figure, and new reports, have none. */
function costsOf(strike: SourceStrike, status: Status) {
  const unknown = strike.costTotal === 0 && (strike.damage !== 'None' || status === 'new')
  return {
    cost_repair_usd: unknown ? null : strike.costRepair,
    cost_other_usd: unknown ? null : strike.costOther,
    cost_total_usd: unknown ? null : strike.costTotal,
  }
}

/** B and C occur with military aircraft only: they are the Air Force's classes of mishap. */
function damageOf({ damage }: SourceStrike) {
  return damage === 'B' || damage === 'C' ? damageWords[damage] : damage
}

function reporterOf(id: number, airportId: number | null, date: string, reporters: ReporterRow[]) {
  return chance(5, id, salt.reporter) ? null : fieldReporterId(reporters, airportId, date)
}

/** 0 on the ground; in the air mostly low, in steps of 50 ft; often not stated. */
function heightOf(id: number, phase: string): number | null {
  const ceiling = { Approach: 4_000, Climb: 6_000, Descent: 12_000 }[phase]
  if (ceiling === undefined) return 0
  if (chance(24, id, salt.heightKnown)) return null
  return 50 * Math.ceil((ceiling * fraction(id, salt.height) ** 3) / 50)
}

/** Mostly one; one report in eight mentions a few, one in a hundred a flock. */
function numberOf(id: number): number {
  const roll = hash(id, salt.number)
  if (roll % 100 === 0) return 11 + (roll % 37)
  return roll % 8 === 0 ? 2 + (roll % 7) : 1
}

function weatherOf(id: number) {
  const sky = chance(20, id, salt.skyKnown) ? null : pick(skies, hash(id, salt.sky))
  if (chance(sky === null ? 90 : 12, id, salt.fallKnown)) return { sky, precipitation: null }
  const precipitation = sky === 'Overcast' ? pick(falls, hash(id, salt.fall)) : 'None'
  return { sky, precipitation }
}

function effectOf(id: number, { damage, phase }: SourceStrike): string | null {
  if (!chance(damage === 'None' ? 3 : 45, id, salt.effectKnown)) return null
  const effect = pick(effects, hash(id, salt.effect))
  return effect === 'Aborted take-off' && phase !== 'Take-off run' ? 'Other' : effect
}
