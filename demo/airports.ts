/** The airports, and the names under which the strike reports mention them. */

import type { Ids } from './rows.ts'
import type { SourceAirport } from './sources.ts'

export type AirportRow = {
  id: number
  code: string
  name: string
  city: string | null
  state: string | null
  country: string
  latitude: number
  longitude: number
}

export function airportRows(airports: SourceAirport[]): AirportRow[] {
  return airports.map(({ iata, ...rest }, index) => ({ id: index + 1, code: iata, ...rest }))
}

/** Airport ids by code. */
export function airportIdsByCode(airports: AirportRow[]): Ids {
  return new Map(airports.map((airport) => [airport.code, airport.id]))
}

/** A reported airport: its code in the airport file, or null, and the name to show. */
type ReportedAirport = { code: string | null; name: string }

/** Finds an airport by the reports' name; throws for an unknown name. */
export function reportedAirport(reported: string): ReportedAirport {
  const airport = reportedAirports.get(reported)
  if (airport === undefined) throw new Error(`The demo does not know the airport “${reported}”`)
  return airport
}

/**
 * The code for each name in the reports, matched by hand against name, city and state, and the
 * name as people write it. The airport file has no Barksdale Air Force Base.
 */
const matches: [reported: string, code: string | null, name: string][] = [
  ['ATLANTA INTL', 'ATL', 'Atlanta Intl'],
  ['ATLANTIC CITY INTL', 'ACY', 'Atlantic City Intl'],
  ['AUSTIN-BERGSTROM INTL', 'AUS', 'Austin-Bergstrom Intl'],
  ['BALTIMORE WASH INTL', 'BWI', 'Baltimore Wash Intl'],
  ['BARKSDALE AIR FORCE BASE ARPT', null, 'Barksdale Air Force Base'],
  ['CHARLESTON AFB/INTL ARPT', 'CHS', 'Charleston AFB/Intl'],
  ['CHARLOTTE/DOUGLAS INTL ARPT', 'CLT', 'Charlotte/Douglas Intl'],
  ['CHICAGO MIDWAY INTL ARPT', 'MDW', 'Chicago Midway Intl'],
  ["CHICAGO O'HARE INTL ARPT", 'ORD', 'Chicago O’Hare Intl'],
  ['CINCINNATI/NORTHERN KENTUCKY INTL ARPT', 'CVG', 'Cincinnati/Northern Kentucky Intl'],
  ['CLEVELAND-HOPKINS INTL ARPT', 'CLE', 'Cleveland-Hopkins Intl'],
  ['DALLAS/FORT WORTH INTL ARPT', 'DFW', 'Dallas/Fort Worth Intl'],
  ['DENVER INTL AIRPORT', 'DEN', 'Denver Intl'],
  ['DETROIT METRO WAYNE COUNTY ARPT', 'DTW', 'Detroit Metro Wayne County'],
  ['EPPLEY AIRFIELD', 'OMA', 'Eppley Airfield'],
  ['FORT LAUDERDALE/HOLLYWOOD INTL', 'FLL', 'Fort Lauderdale/Hollywood Intl'],
  ['GEORGE BUSH INTERCONTINENTAL', 'IAH', 'George Bush Intercontinental'],
  ['GREATER PITTSBURGH', 'PIT', 'Greater Pittsburgh'],
  ['HONOLULU INTL ARPT', 'HNL', 'Honolulu Intl'],
  ['HOUSTON-HOBBY', 'HOU', 'Houston-Hobby'],
  ['INDIANAPOLIS INTL', 'IND', 'Indianapolis Intl'],
  ['JOHN F KENNEDY INTL', 'JFK', 'John F Kennedy Intl'],
  ['KANSAS CITY INTL', 'MCI', 'Kansas City Intl'],
  ['LAGUARDIA NY', 'LGA', 'LaGuardia'],
  ['LAMBERT-ST LOUIS INTL', 'STL', 'Lambert-St Louis Intl'],
  ['LIHUE ARPT', 'LIH', 'Lihue'],
  ['LOGAN INTL', 'BOS', 'Logan Intl'],
  ['LOS ANGELES INTL', 'LAX', 'Los Angeles Intl'],
  ['LOUISVILLE INTL ARPT', 'SDF', 'Louisville Intl'],
  ['MEMPHIS INTL', 'MEM', 'Memphis Intl'],
  ['METRO OAKLAND INTL', 'OAK', 'Metro Oakland Intl'],
  ['MINETA SAN JOSE INTL', 'SJC', 'Mineta San José Intl'],
  ['MINNEAPOLIS-ST PAUL INTL', 'MSP', 'Minneapolis-St Paul Intl'],
  ['NASHVILLE INTL', 'BNA', 'Nashville Intl'],
  ['NEW ORLEANS INTL', 'MSY', 'New Orleans Intl'],
  ['NEWARK LIBERTY INTL ARPT', 'EWR', 'Newark Liberty Intl'],
  ['ORLANDO INTL', 'MCO', 'Orlando Intl'],
  ['PHILADELPHIA INTL', 'PHL', 'Philadelphia Intl'],
  ['PHOENIX SKY HARBOR', 'PHX', 'Phoenix Sky Harbor'],
  ['PORT COLUMBUS INTL', 'CMH', 'Port Columbus Intl'],
  ['PORTLAND INTL (OR)', 'PDX', 'Portland Intl (OR)'],
  ['RONALD REAGAN WASHINGTON NATL', 'DCA', 'Ronald Reagan Washington Natl'],
  ['SACRAMENTO INTL', 'SMF', 'Sacramento Intl'],
  ['SALT LAKE CITY INTL', 'SLC', 'Salt Lake City Intl'],
  ['SAN ANTONIO INTL', 'SAT', 'San Antonio Intl'],
  ['SAN FRANCISCO INTL ARPT', 'SFO', 'San Francisco Intl'],
  ['SEATTLE-TACOMA INTL', 'SEA', 'Seattle-Tacoma Intl'],
  ['TETERBORO AIRPORT', 'TEB', 'Teterboro'],
  ['WASHINGTON DULLES INTL ARPT', 'IAD', 'Washington Dulles Intl'],
  ['WILL ROGERS WORLD ARPT', 'OKC', 'Will Rogers World'],
]

export const reportedAirports: ReadonlyMap<string, ReportedAirport> = new Map(
  matches.map(([reported, code, name]) => [reported, { code, name }]),
)
