/** The documents say what is true: errors, the specification's list, and links between files. */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { languages, messagesFor } from '../src/messages/messages.ts'
import { ERRORS } from '../src/protocol/errors.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const rows = (path: string) =>
  read(path)
    .split('\n')
    .filter((line) => /^\| (`|\d)/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

test('docs/errors.md and the catalogue name the same codes with the same status', () => {
  const documented = rows('docs/errors.md').map(([code, status]) => [
    code!.replaceAll('`', ''),
    Number(status),
  ])
  expect(documented).toEqual(Object.entries(ERRORS).map(([code, { status }]) => [code, status]))
})

test.each(languages)('every error has its words in %s, and nothing else has', (language) => {
  expect(Object.keys(messagesFor(language).errors)).toEqual(Object.keys(ERRORS))
})

describe('docs/specification.md', () => {
  const statements = rows('docs/specification.md')

  test('covers every section', () => {
    expect([...new Set(statements.map(([section]) => section))]).toEqual('123456789'.split(''))
  })

  test.each(statements)('§%s %s', (_section, _statement, proof) => {
    const named = [...proof!.matchAll(/`([^`]+\.test\.tsx?)`(?: › ([^;|]+))?/g)]
    expect(named.length).toBeGreaterThan(0)
    for (const [, file, title] of named) {
      expect(existsSync(file!), file).toBe(true)
      if (title) expect(read(file!), file).toContain(`'${title.trim()}'`)
    }
  })
})

test('the README promises no keys of other pages, and nothing without script that needs it', () => {
  const readme = read('README.md').replaceAll(/\s+/g, ' ')
  expect(readme).toContain('`?` lists the keys of the page you are on')
  expect(readme).not.toMatch(/works [^.]*without JavaScript/)
  expect(readme).toContain('*Display*, the keys and live updates need it')
})

test.each(globSync(['*.md', 'docs/**/*.md', '{demo,examples}/*.md']))(
  'links in %s lead somewhere',
  (file) => {
    for (const [, target] of read(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g))
      expect(existsSync(join(dirname(file), target!)), target).toBe(true)
  },
)
