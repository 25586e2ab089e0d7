/** The rows of all tables, each table after those that it refers to. */

import { aircraftTypeRows } from './aircraft-types.ts'
import { airportIdsByCode, airportRows } from './airports.ts'
import { airportOperatorRows } from './airport-operators.ts'
import { commentRows } from './comments.ts'
import { damageReportRows } from './damage-reports.ts'
import { inspectionRows, inspectionStrikeRows } from './inspections.ts'
import { operatorRows } from './operators.ts'
import { reporterRows } from './reporters.ts'
import { routeRows } from './routes.ts'
import type { Table } from './rows.ts'
import type { Sources } from './sources.ts'
import { speciesRows } from './species.ts'
import { strikeEventRows } from './strike-events.ts'
import { strikeRows } from './strikes.ts'

export function officeTables(sources: Sources): Table[] {
  const airports = airportRows(sources.airports)
  const airportIds = airportIdsByCode(airports)
  const types = aircraftTypeRows(sources.strikes)
  const aircraftTypeIds = new Map(types.map((type) => [type.designation, type.id]))
  const reporters = reporterRows(airportIds)
  const strikes = strikeRows(sources.strikes, { airportIds, aircraftTypeIds, reporters })
  const inspections = inspectionRows(airportIds, reporters)
  return [
    { name: 'airports', rows: airports },
    { name: 'operators', rows: operatorRows },
    { name: 'species', rows: speciesRows },
    { name: 'aircraft_types', rows: types },
    { name: 'reporters', rows: reporters },
    { name: 'strikes', rows: strikes },
    { name: 'strike_events', rows: strikeEventRows(strikes, reporters) },
    { name: 'comments', rows: commentRows(strikes, reporters) },
    { name: 'damage_reports', rows: damageReportRows(strikes, reporters) },
    { name: 'airport_operators', rows: airportOperatorRows(strikes) },
    { name: 'routes', rows: routeRows(sources.routes, airports, airportIds) },
    { name: 'inspections', rows: inspections },
    { name: 'inspection_strikes', rows: inspectionStrikeRows(inspections, strikes) },
  ]
}
