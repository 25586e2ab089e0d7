import { expect, test } from 'vitest'
import { type Feature, isSource, sourcesOf } from './sources.ts'

test('each kind has the sources of the features, each once', () => {
  const maps: Feature = {
    sources: { img: ['https://tiles.example.org', 'data:'], connect: ['https://api.example.org'] },
    isUsed: () => true,
  }
  const films: Feature = { sources: { img: ['data:'], media: ['https:'] }, isUsed: () => true }
  expect(sourcesOf([maps, films], 'img')).toEqual(['https://tiles.example.org', 'data:'])
  expect(sourcesOf([films], 'img')).toEqual(['data:'])
  expect(sourcesOf([maps, films], 'connect')).toEqual(['https://api.example.org'])
  expect(sourcesOf([maps, films], 'frame')).toEqual([])
})

test.each([
  ...['https:', 'data:', 'blob:', 'https://a.example', 'http://localhost:8080'],
  ...['https://*.example.org', 'wss://live.example.org'],
])('%s is a source', (text) => expect(isSource(text)).toBe(true))

test.each([
  ...['', '*', "'self'", "'unsafe-inline'", 'javascript:', 'https://a.example/path'],
  ...['https://a.example; script-src *', 'https://a.example,b', 'https://a b', "https://a'"],
  ...['https://', 'https:\n', 7, null, undefined, {}],
])('%j is none', (text) => expect(isSource(text)).toBe(false))
