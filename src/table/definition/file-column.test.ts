import { expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import { checkDefinitions } from './check-definitions.ts'
import type { ColumnOptions } from './define-table.ts'
import { inferTables } from './infer.ts'
import { problemLines } from './problems.ts'

const table = tableOf(
  [
    columnOf('id'),
    columnOf('photo'),
    columnOf('report_path'),
    columnOf('airport'),
    columnOf('cost', { type: 'integer' }),
    columnOf('short', { maxLength: 64 }),
    columnOf('state', { allowed: ['new'] }),
    columnOf('made', { generated: true }),
    columnOf('a.b'),
    columnOf('constructor'),
  ],
  {
    name: 'strikes',
    foreignKeys: [{ columns: ['airport'], table: 'airports', references: ['code'] }],
  },
)
const schema = { name: 'test', engine: 'none', tables: [table] }
const linesOf = (column: string, options: unknown) =>
  problemLines(checkDefinitions({ strikes: { columns: { [column]: options } } }, schema)).map(
    (line) => line.replace(/^tables\.strikes\.columns[^:]*\]?\.(\w+: )/, '$1'),
  )

const columnWith = (name: string, options: ColumnOptions) =>
  inferTables([table], { strikes: { columns: { [name]: options } } })
    .get('strikes')
    ?.columns.get(name)

test('a column of text holds files where it says so', () => {
  expect(linesOf('photo', { kind: 'image', storage: 'local' })).toEqual([])
  expect(columnWith('photo', { kind: 'image', storage: 'local' })).toMatchObject({
    ...{ kind: 'file', sortable: false, searchable: false },
    file: {
      rules: { types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'] },
      isPicture: true,
    },
  })
  const report = { kind: 'file', storage: 'local', types: ['text/csv'], maxBytes: 9 } as const
  expect(linesOf('report_path', report)).toEqual([])
  expect(columnWith('report_path', report)).toMatchObject({
    label: 'Report',
    file: { rules: { types: ['text/csv'], maxBytes: 9 }, isPicture: false },
  })
})

test('a picture without a storage is an address, as before', () => {
  expect(linesOf('photo', { kind: 'image' })).toEqual([])
  const { file, kind, loads } = columnWith('photo', { kind: 'image' }) ?? {}
  expect([kind, loads, file]).toEqual(['image', true, undefined])
})

test.each([
  ['photo', { kind: 'file' }, 'kind: say where its files are kept: add storage, such as local.'],
  ['photo', { storage: 'local' }, 'storage: only a column of the kind file or image keeps files.'],
  ['photo', { kind: 'image', maxBytes: 9 }, 'maxBytes: only a column with storage takes files.'],
  [
    'photo',
    { kind: 'image', types: ['image/png'] },
    'types: only a column with storage takes files.',
  ],
  [
    'photo',
    { kind: 'image', storage: 'local', types: ['application/pdf'] },
    'types: [application/pdf] is no type of pictures that browsers show.',
  ],
  ['photo', { kind: 'file', storage: 's4' }, 'storage: expected local, not [s4].'],
  [
    'photo',
    { kind: 'file', storage: 'local', maxBytes: 0.5 },
    'maxBytes: expected a whole number of bytes, not [0.5].',
  ],
])('%s cannot be declared as %j', (column, options, line) => {
  expect(linesOf(column, options)).toContainEqual(expect.stringContaining(line))
})

test('nothing else takes SVG or HTML', () => {
  const options = { kind: 'file', storage: 'local', types: ['image/svg+xml', 'text/html'] }
  expect(linesOf('photo', options)).toEqual([expect.stringMatching(/^types: expected a list of/)])
})

test.each([
  ['cost', 'only a column of text can hold the paths of files.'],
  ['state', 'only a column of text can hold the paths of files.'],
  ['made', 'the database writes this column by itself.'],
  ['id', 'a column of a key cannot hold the path of a file.'],
  ['airport', 'a column of a key cannot hold the path of a file.'],
  ['short', 'the path of a file takes up to 100 letters.'],
  ['a.b', 'a column with such a name takes no files.'],
  ['constructor', 'a column with such a name takes no files.'],
])('the column %s holds no files', (column, why) => {
  const lines = problemLines(
    checkDefinitions(
      { strikes: { columns: { [column]: { kind: 'file', storage: 'local' } } } },
      schema,
    ),
  )
  expect(lines).toContainEqual(expect.stringContaining(why))
})
