/** What eject writes is what was inferred: loaded again it gives the very same admin, and it compiles. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from './tier.ts'
import { copyDemo } from './copy-demo.ts'
import { configText } from '../src/cli/config-text.ts'
import { eject } from '../src/cli/eject.ts'
import { schemaText } from '../src/cli/schema-text.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import type { Json } from '../src/protocol/json.ts'
import { checkDefinitions } from '../src/table/definition/check-definitions.ts'
import { withCorrections } from '../src/table/definition/corrections.ts'
import type { Definitions } from '../src/table/definition/define-table.ts'
import { inferTables } from '../src/table/definition/infer.ts'
import type { Schema, Table } from '../src/table/source/schema.ts'
import { columnOf, tableOf } from './table-of.ts'

const root = join(import.meta.dirname, '..')
let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tablewire-eject-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** Names that are a trial for whoever writes source text. */
const ODD = [
  'a b',
  "it's",
  'new\nline',
  '__proto__',
  'constructor',
  '-lead',
  'lead',
  'größe',
  '1st',
]
const MORE = [
  '\\',
  '"',
  '`${x}`',
  '*/',
  '//',
  '\u2028',
  '💥',
  'class',
  'total',
  'password',
  '',
  '\r',
]

const describeDatabase = async (file: string): Promise<Schema> => {
  const source = await openSqlite(file)
  const schema = await source.describe()
  await source.close()
  return schema
}

/** What the file declares, read by the loader of the command, in a process of its own. */
function load(file: string): Definitions {
  const script = `
    const { loadConfig } = await import(${JSON.stringify(join(root, 'dist/cli/config-file.js'))})
    const file = await loadConfig(${JSON.stringify(file)})
    if (file.problems.length > 0) throw new Error(JSON.stringify(file.problems))
    console.log(JSON.stringify(file.config.tables))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Definitions
}

/** What the compiler says of all configurations in the folders. */
function compile(): string {
  const compilerOptions = {
    paths: { tablewire: [join(root, 'dist/exports/index.d.ts')] },
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  }
  const project = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*/*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' }).stdout
}

/** A database whose names are all odd. */
function makeOdd(file: string): void {
  const db = new DatabaseSync(file)
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
  for (const name of ODD.filter((name) => name !== 'lead'))
    db.exec(`CREATE TABLE ${quoted(name)} (${ODD.map((name) => `${quoted(name)} TEXT`).join()})`)
  db.close()
}

/** The folders of what was written, one for each database. */
const written = new Set<string>()

describe.each([
  ['the demo', copyDemo],
  ['a database with odd names', makeOdd],
])('of %s', (name, make) => {
  let schema: Schema
  let files: string[]

  beforeAll(async () => {
    const database = join(folder, `${name}.sqlite`)
    make(database)
    schema = await describeDatabase(database)
    const out = join(mkdtempSync(join(folder, 'out-')), 'tablewire.config.ts')
    files = eject(schema, { out, database, isNamed: true })
    written.add(dirname(out))
  })

  test('every definition comes back as it was inferred', () => {
    const declared = load(files[0]!)
    expect(Object.keys(declared)).toEqual(schema.tables.map(({ name }) => name))
    expect(checkDefinitions(declared, schema)).toEqual([])
    const again = inferTables(schema.tables, declared)
    for (const [name, definition] of inferTables(schema.tables))
      expect(again.get(name)).toEqual(definition)
  })
})

test('what is written compiles, and no longer does with a name that is not there', () => {
  const lines = [
    "import { defineAdmin } from 'tablewire'",
    "import type { Database } from './tablewire.schema.ts'",
    '// @ts-expect-error There is no such table.',
    'defineAdmin<Database>({ tables: { nope: {} } })',
  ]
  expect(written.size).toBe(2)
  for (const out of written) writeFileSync(join(out, 'wrong.ts'), lines.join('\n'))
  expect(compile()).toBe('')
}, 180_000)

/** What the text declares, without a loader. */
function evaluate(text: string): Definitions {
  const body = text.replace(/^import .*$/gm, '').replace('export default', 'return')
  const run = runInThisContext(`(defineAdmin) => {\n${body}}`) as (
    defineAdmin: (config: unknown) => unknown,
  ) => unknown
  return (run((config) => config) as { tables: Definitions }).tables
}

test('what was corrected in the page is declared, also that something is not there', () => {
  const table = tableOf([
    columnOf('id', { type: 'integer', nullable: false }),
    columnOf('name'),
    columnOf('speed_kt', { type: 'integer' }),
    columnOf('cost_cents', { type: 'integer' }),
  ])
  const tables = [table, { ...table, name: 'species' }]
  const of = (part: string, value: Json, column: string | null = null) => ({
    ...{ table: 'strikes', column, part, value },
  })
  const corrections = [
    of('label', 'Bird strikes'),
    of('labelColumn', null),
    of('sort', []),
    of('shown', ['speed_kt', 'price', 'name']),
    of('unit', '', 'speed_kt'),
    of('kind', 'longtext', 'name'),
    of('currency', { code: 'EUR' }, 'cost_cents'),
  ]
  const schema = { name: 'faa', engine: 'SQLite 3', tables }
  const { definitions } = withCorrections(corrections, { schema, declared: {}, kinds: [] })
  const corrected = inferTables(tables, definitions)
  const text = configText({
    ...{ definitions: corrected.values(), corrected: definitions },
    ...{ database: undefined, types: undefined },
  })
  const declared = evaluate(text)
  expect(checkDefinitions(declared, schema)).toEqual([])
  expect(declared['strikes']).toMatchObject({
    ...{ label: 'Bird strikes', labelColumn: null, sort: [], shown: ['speed_kt', 'name'] },
    columns: {
      ...{ speed_kt: { unit: '' }, name: { kind: 'longtext' } },
      cost_cents: { currency: { code: 'EUR' }, minorUnit: 'cents' },
    },
  })
  expect([...inferTables(tables, declared)]).toEqual([...corrected])
})

describe('of any schema', () => {
  const name = fc.oneof(
    fc.constantFrom(...ODD, ...MORE),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  const type = fc.constantFrom(
    'text',
    'integer',
    'decimal',
    'datetime',
    'json',
    'binary',
    'boolean',
  )
  const table: fc.Arbitrary<Table> = fc
    .record({
      name,
      kind: fc.constantFrom('table', 'view', 'materialized view'),
      columns: fc.uniqueArray(fc.record({ name, type, nullable: fc.boolean() }), {
        selector: ({ name }) => name,
        maxLength: 12,
      }),
      key: fc.nat(2),
    })
    .map(({ name, kind, columns, key }) =>
      tableOf(
        columns.map(({ name, ...over }) => columnOf(name, over as object)),
        { name, kind, key: columns.slice(0, key).map(({ name }) => name) } as Partial<Table>,
      ),
    )
  const tables = fc.uniqueArray(table, { selector: ({ name }) => name, maxLength: 4 })

  test('every definition comes back as it was inferred', () => {
    fc.assert(
      fc.property(tables, (tables) => {
        const inferred = inferTables(tables)
        const text = configText({ definitions: inferred.values(), database: 'x', types: undefined })
        const declared = evaluate(text)
        expect(checkDefinitions(declared, { name: '', engine: '', tables })).toEqual([])
        expect(inferTables(tables, declared)).toEqual(inferred)
      }),
      { numRuns: runs(500) },
    )
  })

  test('the type of the database has one line for each column', () => {
    fc.assert(
      fc.property(tables, (tables) => {
        const lines = schemaText({ name: '', engine: '', tables }).split('\n')
        const columns = tables.flatMap(({ columns }) => columns)
        expect(lines.filter((line) => /^ {4}\S/.test(line))).toHaveLength(columns.length)
      }),
      { numRuns: runs(200) },
    )
  })
})
