import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ConfigFile } from '../config-file.ts'
import { builtClient, findClient } from './client-file.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'tablewire-client-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string) => writeFileSync(join(folder, name), '')
const configured = (client?: string): ConfigFile => ({
  name: join(folder, 'tablewire.config.ts'),
  config: client === undefined ? {} : { client },
  problems: [],
})

test('without a browser’s half there is nothing to build or to serve', () => {
  expect(findClient(configured())).toBeUndefined()
  expect(builtClient(configured())).toBeUndefined()
})

test('it lies beside the configuration, and so does what is built of it', () => {
  write('tablewire.client.tsx')
  const out = join(folder, 'dist-client')
  expect(findClient(configured())).toEqual({ entry: join(folder, 'tablewire.client.tsx'), out })
  expect(builtClient(configured())).toBe(out)
})

test('the configuration may name another folder', () => {
  write('tablewire.client.js')
  expect(findClient(configured('/elsewhere'))?.out).toBe('/elsewhere')
  expect(builtClient(configured('/elsewhere'))).toBe('/elsewhere')
})

test('what was built is served without what it was built of', () => {
  const out = join(folder, 'dist-client')
  mkdirSync(out)
  expect(builtClient(configured())).toBeUndefined()
  write('dist-client/built.json')
  expect(builtClient(configured())).toBe(out)
})

test('two of them are one too many', () => {
  write('tablewire.client.tsx')
  write('tablewire.client.js')
  expect(() => findClient(configured())).toThrow(
    'There are tablewire.client.tsx and tablewire.client.js. Leave one of them.',
  )
})
