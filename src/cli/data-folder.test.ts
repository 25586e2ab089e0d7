import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataFolder } from './data-folder.ts'

const base = mkdtempSync(join(tmpdir(), 'tablewire-folder-'))
afterAll(() => rmSync(base, { recursive: true }))

test('a missing folder is made, and one that is there is taken', () => {
  const folder = join(base, 'records')
  makeDataFolder(folder)
  expect(existsSync(folder)).toBe(true)
  expect(() => makeDataFolder(folder)).not.toThrow()
})

test.each([
  ['', /it has no name.*--data/],
  [join(base, 'a', 'b'), /the folder that it should be in does not exist.*--data/],
  [join(base, 'file'), /it is a file.*--data/],
  [join(base, 'file', 'inside'), /a part of its path is a file.*--data/],
])('[%s] is refused in one sentence that says what to do', (folder, sentence) => {
  writeFileSync(join(base, 'file'), '')
  expect(() => makeDataFolder(folder)).toThrow(sentence)
})
