/** Reads the three public files that the demo is made from, and validates every cell. */

import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { parseCsv } from './csv.ts'

const text = v.pipe(v.string(), v.trim(), v.nonEmpty())
const amount = v.pipe(text, v.digits(), v.transform(Number))
const degrees = v.pipe(text, v.decimal(), v.transform(Number))

/** A number, or null where the report left the cell empty. */
const measure = v.pipe(
  v.string(),
  v.union([v.literal(''), v.pipe(v.string(), v.digits())]),
  v.transform((cell) => (cell === '' ? null : Number(cell))),
)

/** airports.csv writes “NA” where it knows neither city nor state. */
const known = v.pipe(
  text,
  v.transform((cell) => (cell === 'NA' ? null : cell)),
)

const Airport = v.object({
  iata: v.pipe(text, v.regex(/^[A-Z0-9]{3,4}$/)),
  name: text,
  city: known,
  state: known,
  country: text,
  latitude: degrees,
  longitude: degrees,
})

const Route = v.object({ origin: text, destination: text, count: amount })

const Strike = v.pipe(
  v.object({
    'Airport Name': text,
    'Aircraft Make Model': text,
    'Effect Amount of damage': v.picklist(['None', 'Minor', 'Medium', 'Substantial', 'B', 'C']),
    'Flight Date': v.pipe(text, v.isoDate()),
    'Aircraft Airline Operator': text,
    'Origin State': text,
    'Phase of flight': text,
    'Wildlife Size': v.picklist(['Small', 'Medium', 'Large']),
    'Wildlife Species': text,
    'Time of day': v.picklist(['Dawn', 'Day', 'Dusk', 'Night']),
    'Cost Other': amount,
    'Cost Repair': amount,
    'Cost Total $': amount,
    'Speed IAS in knots': measure,
  }),
  v.transform((cells) => ({
    airport: cells['Airport Name'],
    aircraft: cells['Aircraft Make Model'],
    damage: cells['Effect Amount of damage'],
    date: cells['Flight Date'],
    operator: cells['Aircraft Airline Operator'],
    state: cells['Origin State'],
    phase: cells['Phase of flight'],
    size: cells['Wildlife Size'],
    species: cells['Wildlife Species'],
    timeOfDay: cells['Time of day'],
    costOther: cells['Cost Other'],
    costRepair: cells['Cost Repair'],
    costTotal: cells['Cost Total $'],
    speed: cells['Speed IAS in knots'],
  })),
)

export type SourceAirport = v.InferOutput<typeof Airport>
export type SourceRoute = v.InferOutput<typeof Route>
export type SourceStrike = v.InferOutput<typeof Strike>

export interface Sources {
  airports: SourceAirport[]
  routes: SourceRoute[]
  strikes: SourceStrike[]
}

/** The three validated files; an error names the file and the place of an unexpected cell. */
export function readSources(): Sources {
  return {
    airports: read('airports.csv', Airport),
    routes: read('flights-airport.csv', Route),
    strikes: read('birdstrikes.csv', Strike),
  }
}

function read<T>(name: string, row: v.GenericSchema<unknown, T>): T[] {
  const result = v.safeParse(v.array(row), parseCsv(textOf(name)), { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  throw new Error(`vega-datasets ${name}, row ${v.getDotPath(issue)}: ${issue.message}`)
}

function textOf(name: string): string {
  const manifest = findPackageJSON('vega-datasets', import.meta.url)
  if (manifest === undefined) throw new Error('The demo needs vega-datasets: run npm install')
  return readFileSync(join(dirname(manifest), 'data', name), 'utf8')
}
