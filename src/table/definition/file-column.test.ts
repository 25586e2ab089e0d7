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
    columnOf('long', { maxLength: 400 }),
    columnOf('names', { array: true }),
    columnOf('data', { type: 'json' }),
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

test.each([
  ['photo', true, { types: ['image/png'], multiple: true }, 'json'],
  ['data', 5, { types: ['image/png'], multiple: true, maxFiles: 5 }, 'json'],
  ['names', 2, { types: ['image/png'], multiple: true, maxFiles: 2 }, 'array'],
  ['long', 3, { types: ['image/png'], multiple: true, maxFiles: 3 }, 'json'],
  ['photo', false, { types: ['image/png'] }, undefined],
] as const)('%s holds several files where it says so: %s', (column, multiple, rules, list) => {
  const options = { kind: 'image', storage: 'local', types: ['image/png'], multiple } as const
  expect(linesOf(column, options)).toEqual([])
  expect(columnWith(column, options)?.file).toEqual({
    ...{ rules, isPicture: true, ...(list && { list }) },
  })
})

test.each([
  ['names', undefined, 'it can hold a list of files: say so with multiple.'],
  ['data', false, 'it can hold a list of files: say so with multiple.'],
  ['long', true, 'its length is limited: say how many files it holds, such as multiple: 3.'],
  ['long', 4, 'the paths of so many files take up to 414 letters.'],
  ['photo', 0, 'multiple: expected true, false or most of the files, not [0].'],
  ['cost', true, 'only a column of text can hold the paths of files.'],
])('%s does not hold several files by %j', (column, multiple, why) => {
  const options = { kind: 'file', storage: 'local', multiple }
  expect(linesOf(column, options)).toContainEqual(expect.stringContaining(why))
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
