/** The people of the office, all invented: who files, reviews and follows up the reports. */

import { pick } from './hash.ts'
import { idOf } from './rows.ts'
import type { Ids } from './rows.ts'

type Role = 'analyst' | 'biologist' | 'inspector' | 'supervisor'

/** Analysts and supervisors work in the main office; the others work at their airport. */
const people: [name: string, role: Role, airport: string | null, since: string][] = [
  ['Ana Kovač', 'supervisor', null, '1989-11-06'],
  ['Desmond Achebe', 'supervisor', null, '1996-09-16'],
  ['Jonas Whitfield', 'analyst', null, '1990-01-02'],
  ['Lena Brandt', 'analyst', null, '1995-01-09'],
  ['Priya Raghunathan', 'analyst', null, '1997-08-18'],
  ['Tomás Herrera', 'analyst', null, '1999-05-03'],
  ['Ingrid Solberg', 'analyst', null, '2001-02-12'],
  ['Rami Haddad', 'biologist', 'DFW', '1990-01-08'],
  ['Kenji Sato', 'inspector', 'HNL', '1990-04-23'],
  ['Sade Okafor', 'biologist', 'SMF', '1993-10-11'],
  ['Thuy Nguyen', 'inspector', 'IND', '1990-02-05'],
  ['Pauline Delacroix', 'biologist', 'STL', '1990-01-15'],
  ['Mateo Ortega', 'inspector', 'MSY', '1990-01-08'],
  ['Grace Oyelaran', 'inspector', 'ORD', '1990-07-02'],
  ['Wei Zhang', 'biologist', 'SFO', '1994-03-21'],
  ['Hannah Lindqvist', 'inspector', 'MSP', '1990-05-14'],
  ['Samuel Adeyemi', 'inspector', 'ATL', '1990-03-19'],
  ['Fatima Benali', 'biologist', 'JFK', '1991-11-25'],
  ['Patrick Gallagher', 'inspector', 'BOS', '1990-01-22'],
  ['Noelani Kahale', 'biologist', 'LIH', '1990-08-06'],
  ['Vikram Chaudhary', 'inspector', 'EWR', '1992-02-10'],
  ['Rosa Jiménez', 'inspector', 'SAT', '1990-06-18'],
  ['Eleni Papadakis', 'biologist', 'BWI', '1993-04-12'],
  ['Curtis Bowman', 'inspector', 'MEM', '1990-02-26'],
  ['Aleksandra Nowak', 'inspector', 'PIT', '1990-10-01'],
  ['Yusuf Demir', 'inspector', 'CVG', '1991-07-15'],
  ['Margaret Tsosie', 'biologist', 'PHX', '1990-09-10'],
  ['Daniel Abramov', 'inspector', 'PHL', '1990-04-02'],
  ['Keisha Fontaine', 'inspector', 'CLT', '1992-12-07'],
  ['Lars Mikkelsen', 'biologist', 'SEA', '1995-05-22'],
  ['Beatriz Carvalho', 'inspector', 'MCO', '1994-01-31'],
  ['Owen Prichard', 'inspector', 'SLC', '1990-11-19'],
  ['Min-ji Park', 'inspector', 'LAX', '1991-01-14'],
  ['Abdullah Rahman', 'inspector', 'DTW', '1990-12-03'],
  ['Siobhán Keane', 'biologist', 'IAD', '1990-03-05'],
  ['Luther Jackson', 'inspector', 'BNA', '1990-05-29'],
  ['Caroline Dubois', 'inspector', 'SDF', '1993-08-23'],
  ['Esperanza Molina', 'inspector', 'AUS', '1999-05-24'],
  ['Walter Grunwald', 'inspector', 'DEN', '1995-02-28'],
  ['Hine Parata', 'biologist', 'PDX', '1990-07-30'],
]

export type ReporterRow = ReturnType<typeof reporterRows>[number]

export function reporterRows(airportIds: Ids) {
  return people.map(([name, role, airport, since], index) => ({
    id: index + 1,
    name,
    email: emailOf(name),
    role,
    airport_id: airport === null ? null : idOf(airportIds, airport),
    joined_on: since,
    active: index % 13 === 12 ? 0 : 1,
  }))
}

/** Who reports from an airport on a date: its own reporter, else the one who covers it, too. */
export function fieldReporterId(
  reporters: ReporterRow[],
  airportId: number | null,
  date: string,
): number | null {
  const field = reporters.filter((reporter) => reporter.airport_id !== null)
  const own = field.find((reporter) => reporter.airport_id === airportId)
  const reporter = own ?? pick(field, airportId ?? 0)
  return reporter.joined_on <= date ? reporter.id : null
}

/** Someone in the main office on a date who could review a report. */
export function reviewerId(reporters: ReporterRow[], date: string, chance: number): number {
  const office = reporters.filter(
    (reporter) => reporter.airport_id === null && reporter.joined_on <= date,
  )
  return pick(office, chance).id
}

/** “Siobhán Keane” has the address siobhan.keane@faa.example. */
function emailOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return `${plain.toLowerCase().replaceAll(/\s/g, '.')}@faa.example`
}
