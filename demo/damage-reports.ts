/** One report, with a long text, for every strike that damaged the aircraft. The texts are invented. */

import { dayNumber, isoDate } from './dates.ts'
import { chance, hash, pick, slots } from './hash.ts'
import { fieldReporterId } from './reporters.ts'
import type { ReporterRow } from './reporters.ts'
import type { StrikeRow } from './strikes.ts'

const salt = { part: 181, text: 182, hours: 186, hoursKnown: 187, repair: 188, repaired: 189 }

const parts = slots({
  Engine: 32,
  'Wing or rotor': 24,
  Radome: 14,
  Windshield: 8,
  Nose: 7,
  'Landing gear': 6,
  Fuselage: 4,
  Tail: 3,
  Lights: 2,
})

const findings = [
  'Inspected on the ramp within the hour, in daylight, with the cowls open.',
  'First seen by the crew on the walk-round before the next sector.',
  'Found at the overnight check; the crew had felt nothing in flight.',
  'Inspected with a borescope after the crew reported vibration on climb.',
]
const details = [
  'A dent of about 12 cm by 8 cm lies across two frames; the skin is creased but not torn.',
  'Three blades of the first stage are bent at the tip and one is missing a corner of 2 cm.',
  'The outer layer is cracked over a hand’s breadth and water has entered the core.',
  'The fairing is broken at both forward fasteners and pieces of it were not recovered.',
  'Tissue was found behind the skin, as far back as the second rib.',
]
const actions = [
  'The part was replaced from stock and the aircraft returned to service after a ground run.',
  'A temporary patch was made under the repair manual; the permanent repair is due at the next C check.',
  'The aircraft was ferried unpressurised to the maintenance base.',
  'The operator’s engineering department asked the maker for a repair scheme.',
]
const closings = [
  'Samples were bagged and posted to the laboratory the same day.',
  'Eleven photographs are with the maintenance log; negatives on request.',
  'The captain’s own account differs about the height and is attached.',
  'Costs so far cover labour and parts, not the loss of use.',
]

export function damageReportRows(strikes: StrikeRow[], reporters: ReporterRow[]) {
  return strikes
    .filter((strike) => strike.damage !== 'None')
    .map((strike, index) => ({ id: index + 1, ...damageReport(strike, reporters) }))
}

function damageReport(strike: StrikeRow, reporters: ReporterRow[]) {
  const { id, incident_date, airport_id, damage, cost_repair_usd } = strike
  return {
    strike_id: id,
    part: pick(parts, hash(id, salt.part)),
    damage,
    estimate_usd: cost_repair_usd,
    out_of_service_hours: chance(35, id, salt.hoursKnown) ? null : 2 + (hash(id, salt.hours) % 118),
    repaired_on: repairedOn(id, incident_date),
    inspector_id: fieldReporterId(reporters, airport_id, incident_date),
    description: descriptionOf(id),
  }
}

function repairedOn(id: number, incidentDate: string): string | null {
  if (chance(30, id, salt.repaired)) return null
  return isoDate(dayNumber(incidentDate) + (hash(id, salt.repair) % 6))
}

function descriptionOf(id: number): string {
  return [findings, details, actions, closings]
    .map((sentences, index) => pick(sentences, hash(id, salt.text + index)))
    .join(' ')
}
