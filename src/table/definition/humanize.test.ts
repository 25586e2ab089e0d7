import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { humanize, splitUnit, withoutSuffix, wordsOf } from './humanize.ts'

describe('humanize', () => {
  test.each([
    ['incident_date', 'Incident date'],
    ['incidentDate', 'Incident date'],
    ['IncidentDate', 'Incident date'],
    ['incident-date', 'Incident date'],
    ['incident date', 'Incident date'],
    ['schema.table_name', 'Schema table name'],
    ['INCIDENT_DATE', 'Incident date'],
    ['id', 'ID'],
    ['airport_id', 'Airport ID'],
    ['faa_region', 'FAA region'],
    ['pdf_url', 'PDF URL'],
    ['sla_minutes', 'SLA minutes'],
    ['related_ids', 'Related IDs'],
    ['gas_bus_https', 'Gas bus HTTPS'],
    ['HTTPServer', 'HTTP server'],
    ['runway2Length', 'Runway2 length'],
    ['größe', 'Größe'],
    ['名前', '名前'],
    ['_hidden_', 'Hidden'],
    ['__', '__'],
    ['', ''],
    ['2020', '2020'],
  ])('%j → %j', (name, label) => expect(humanize(name)).toBe(label))

  test('never loses a letter or a digit, whatever the name', () => {
    const bare = (text: string) => text.toLowerCase().replace(/[\s_\-.]/gu, '')
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abXYZ19_-. éÖ漢') }), (name) => {
        expect(bare(humanize(name))).toBe(bare(name))
      }),
      { numRuns: runs(1000) },
    )
  })
})

test('wordsOf takes a name apart', () => {
  expect(wordsOf('parseURLQuickly_2-times')).toEqual(['parse', 'url', 'quickly', '2', 'times'])
})

describe('splitUnit', () => {
  test.each([
    ['cost_usd', 'cost', '$'],
    ['speedKt', 'speed', 'kt'],
    ['height_ft', 'height', 'ft'],
    ['share_pct', 'share', '%'],
    ['cost', 'cost', undefined],
    ['usd', 'usd', undefined],
    ['min', 'min', undefined],
    ['kmart', 'kmart', undefined],
  ])('%j is %j in %j', (given, name, unit) => expect(splitUnit(given)).toEqual({ name, unit }))
})

test('withoutSuffix leaves a name that is nothing but the ending', () => {
  expect(withoutSuffix('airport_id', ['id'])).toBe('airport')
  expect(withoutSuffix('createdAt', ['at'])).toBe('created')
  expect(withoutSuffix('id', ['id'])).toBe('id')
  expect(withoutSuffix('format', ['at'])).toBe('format')
})
