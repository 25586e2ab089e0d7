/** The documents of what is declared in code: their examples compile, and they name every option. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SETTINGS } from '../src/admin/compose/define-admin.ts'
import { PAGE_OPTIONS } from '../src/admin/pages/page.ts'
import { COLUMN_KINDS } from '../src/protocol/table-view.ts'
import { KIND_FIELDS } from '../src/table/definition/check-kinds.ts'
import { COLUMN_FIELDS, TABLE_FIELDS } from '../src/table/definition/check-definitions.ts'
import { ROLE_FIELDS, ROLE_TABLE_FIELDS } from '../src/table/roles/check-roles.ts'

const root = join(import.meta.dirname, '..')
const DEFINITIONS = readFileSync(join(root, 'docs/definitions.md'), 'utf8')
const KINDS = readFileSync(join(root, 'docs/kinds.md'), 'utf8')
const COMPONENTS = readFileSync(join(root, 'docs/components.md'), 'utf8')
const PEOPLE = readFileSync(join(root, 'docs/people.md'), 'utf8')
const UPLOADS = readFileSync(join(root, 'docs/uploads.md'), 'utf8')
const CHANGES = readFileSync(join(root, 'docs/changes.md'), 'utf8')
const ACTIONS = readFileSync(join(root, 'docs/actions.md'), 'utf8')
const JOBS = readFileSync(join(root, 'docs/jobs.md'), 'utf8')

/** First cells of the table under a heading. */
const namesUnder = (heading: string, text: string): string[] => {
  const [, section = ''] =
    new RegExp(`^### ${heading}\n([^]*?)(?=^##|$(?![^]))`, 'm').exec(text) ?? []
  return [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!)
}

/** What the database of the examples holds. */
const SCHEMA = `export type Database = {
  open_orders: { id: number; number: string }
  orders: {
    id: number; number: string; customer_id: number; total: number; margin: number
    placed_at: string; secret_token: string; notes: string; status: string; reason: string | null
    region: string
  }
  sessions: { id: number }
}
`

test('every example of the documents compiles', { timeout: 240_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-docs-'))
  for (const [name, text] of Object.entries({
    DEFINITIONS,
    KINDS,
    COMPONENTS,
    CHANGES,
    ACTIONS,
    JOBS,
    UPLOADS,
    PEOPLE,
  }))
    writeExamples(join(folder, name), text)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const compilerOptions = {
    paths: {
      // As built, of which the compiler reads the types alone.
      tablewire: [join(root, 'dist/exports/index.d.ts')],
      'tablewire/*': [join(root, 'dist/exports/*.d.ts')],
    },
    types: ['node'],
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  }
  const include = ['*/*.ts', '*/*.tsx']
  const project = { extends: join(root, 'tsconfig.json'), compilerOptions, include }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(stdout).toBe('')
})

/** Writes the examples of one document into a folder of their own, with the types of their database. */
function writeExamples(folder: string, text: string): void {
  mkdirSync(folder)
  const examples = [...text.matchAll(/^```(tsx?)\n(?:\/\/ (\S+)\n)?([^]*?)^```$/gm)]
  expect(examples).not.toHaveLength(0)
  for (const [at, [, ending, name, code]] of examples.entries())
    writeFileSync(join(folder, name ?? `example-${at}.${ending}`), code!)
  writeFileSync(join(folder, 'tablewire.schema.ts'), SCHEMA)
}

describe('the documents name', () => {
  test.each([
    ['Settings', Object.keys(SETTINGS), DEFINITIONS],
    ['Options of a table', Object.keys(TABLE_FIELDS), DEFINITIONS],
    ['Options of a column', Object.keys(COLUMN_FIELDS), DEFINITIONS],
    ['Options of a role', Object.keys(ROLE_FIELDS), PEOPLE],
    ['Options of a table in a role', Object.keys(ROLE_TABLE_FIELDS), PEOPLE],
    ['Kinds', COLUMN_KINDS, DEFINITIONS],
    ['Options of a kind', Object.keys(KIND_FIELDS), KINDS],
    ['Options of a page', PAGE_OPTIONS, COMPONENTS],
  ])('all %s', (heading, names, text) => expect(namesUnder(heading, text)).toEqual([...names]))
})
