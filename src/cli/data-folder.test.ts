import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDataFolder } from './data-folder.ts'

const warnings: string[] = []
const warn = (line: string) => void warnings.push(line)
beforeEach(() => void (warnings.length = 0))

const base = mkdtempSync(join(tmpdir(), 'tablewire-folder-'))
afterAll(() => rmSync(base, { recursive: true }))

test('a missing folder is made, and one that is there is taken', () => {
  const folder = join(base, 'records')
  makeDataFolder(folder, warn)
  expect(existsSync(folder)).toBe(true)
  expect(() => makeDataFolder(folder, warn)).not.toThrow()
})

test.each([
  ['', /it has no name.*--data/],
  [join(base, 'a', 'b'), /the folder that it should be in does not exist.*--data/],
  [join(base, 'file'), /it is a file.*--data/],
  [join(base, 'file', 'inside'), /a part of its path is a file.*--data/],
])('[%s] is refused in one sentence that says what to do', (folder, sentence) => {
  writeFileSync(join(base, 'file'), '')
  expect(() => makeDataFolder(folder, warn)).toThrow(sentence)
})

/** What any part of Tablewire puts into the data folder. */
function namedInSources(): string[] {
  const sources = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] })
  const names = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bdataFolder, '([^']+)'/g)].map(
      ([, name = '']) => name,
    ),
  )
  expect(names).toContain('thumbnails')
  return [...new Set(names)]
}

describe.skipIf(process.platform === 'win32')('a folder that others may read', () => {
  const openFolder = (name: string, mode: number, ...files: string[]) => {
    const folder = join(base, name)
    mkdirSync(folder)
    for (const file of files) writeFileSync(join(folder, file), '')
    chmodSync(folder, mode)
    return folder
  }
  const modeOf = (folder: string) => statSync(folder).mode & 0o777

  const files = ['secret', 'realtime', 'ledger.sqlite-wal', 'meta.sqlite-wal', ...namedInSources()]
  test.each([0o755, 0o770, 0o711, 0o777])('is closed to them, whose mode was %i', (mode) => {
    const folder = openFolder(`own-${mode}`, mode, ...files)
    makeDataFolder(folder, warn)
    expect([modeOf(folder), warnings]).toEqual([0o700, []])
  })

  test('is left as it is if it holds other files, which is said in one sentence', () => {
    const folder = openFolder(
      'shared',
      0o755,
      'meta.sqlite',
      'ledger.sqlite',
      'ledger.sqlite-wal',
      'letter.txt',
    )
    makeDataFolder(folder, warn)
    expect(modeOf(folder)).toBe(0o755)
    expect(warnings).toEqual([expect.stringMatching(/^Others may read .*chmod 700.*--data\.$/)])
  })
})
