/** docs/definitions.md: its examples compile, and it names every option, setting and kind. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SETTINGS } from '../src/admin/compose/define-admin.ts'
import { COLUMN_KINDS } from '../src/protocol/table-view.ts'
import { COLUMN_FIELDS, TABLE_FIELDS } from '../src/table/definition/check-definitions.ts'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs/definitions.md'), 'utf8')

/** First cells of the table under a heading. */
const namesUnder = (heading: string): string[] => {
  const [, section = ''] =
    new RegExp(`^### ${heading}\n([^]*?)(?=^##|$(?![^]))`, 'm').exec(text) ?? []
  return [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!)
}

/** What the database of the examples holds. */
const SCHEMA = `export type Database = {
  orders: {
    id: number; number: string; customer_id: number; total: number; margin: number
    placed_at: string; secret_token: string; notes: string
  }
  sessions: { id: number }
}
`

test('every example compiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-docs-'))
  const examples = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code!)
  expect(examples.length).toBeGreaterThan(1)
  for (const [at, code] of examples.entries()) writeFileSync(join(folder, `example-${at}.ts`), code)
  writeFileSync(join(folder, 'tablewire.schema.ts'), SCHEMA)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const compilerOptions = {
    paths: { tablewire: [join(root, 'src/exports/index.ts')] },
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  }
  const project = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(stdout).toBe('')
})

describe('the document names', () => {
  test.each([
    ['Settings', Object.keys(SETTINGS)],
    ['Options of a table', Object.keys(TABLE_FIELDS)],
    ['Options of a column', Object.keys(COLUMN_FIELDS)],
    ['Kinds', COLUMN_KINDS],
  ])('all %s', (heading, names) => expect(namesUnder(heading)).toEqual([...names]))
})
