import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { type Feature, isSource, sourcesOf } from './sources.ts'

const request = new IncomingMessage(new Socket())

test('each kind has the sources of the features in use, each once', () => {
  let isUsed = false
  const maps: Feature = {
    sources: { img: ['https://tiles.example.org', 'data:'], connect: ['https://api.example.org'] },
    isUsed: () => isUsed,
  }
  const films: Feature = { sources: { img: ['data:'], media: ['https:'] }, isUsed: () => true }
  expect(sourcesOf([maps, films], 'img', request)).toEqual(['data:'])
  isUsed = true
  expect(sourcesOf([maps, films], 'img', request)).toEqual(['https://tiles.example.org', 'data:'])
  expect(sourcesOf([maps, films], 'connect', request)).toEqual(['https://api.example.org'])
  expect(sourcesOf([maps, films], 'frame', request)).toEqual([])
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
