/** Checks the airports that were matched by hand against the state that each report names. */

import { expect, test } from 'vitest'
import { reportedAirport, reportedAirports } from './airports.ts'
import { readSources } from './sources.ts'

const states = new Map(
  Object.entries({
    Arizona: 'AZ',
    California: 'CA',
    Colorado: 'CO',
    Florida: 'FL',
    Georgia: 'GA',
    Hawaii: 'HI',
    Illinois: 'IL',
    Indiana: 'IN',
    Kentucky: 'KY',
    Louisiana: 'LA',
    Maryland: 'MD',
    Massachusetts: 'MA',
    Michigan: 'MI',
    Minnesota: 'MN',
    Missouri: 'MO',
    Nebraska: 'NE',
    'New Jersey': 'NJ',
    'New York': 'NY',
    'North Carolina': 'NC',
    Ohio: 'OH',
    Oklahoma: 'OK',
    Oregon: 'OR',
    Pennsylvania: 'PA',
    'South Carolina': 'SC',
    Tennessee: 'TN',
    Texas: 'TX',
    Utah: 'UT',
    Washington: 'WA',
    // Both airports of the capital are in Virginia.
    DC: 'VA',
  }),
)

const { airports, strikes } = readSources()
const stateByCode = new Map(airports.map((airport) => [airport.iata, airport.state]))
const stateByName = new Map(strikes.map((strike) => [strike.airport, strike.state]))

test('every airport that a report names is known, and matched but for Barksdale', () => {
  const unmatched = [...stateByName.keys()].filter((name) => reportedAirport(name).code === null)
  expect(unmatched).toEqual(['BARKSDALE AIR FORCE BASE ARPT'])
})

const matched = [...reportedAirports].filter(([, { code }]) => code !== null)

test.each(matched)('%s is %o, in the same state', (reported, { code }) => {
  expect(stateByCode.get(code ?? '')).toBe(states.get(stateByName.get(reported) ?? ''))
})

test('no two reported names mean the same airport', () => {
  expect(new Set(matched.map(([, { code }]) => code)).size).toBe(matched.length)
})

test('a name that is new is refused, not guessed', () => {
  expect(() => reportedAirport('NOWHERE INTL')).toThrow('NOWHERE INTL')
})
