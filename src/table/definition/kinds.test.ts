import { describe, expect, test } from 'vitest'
import { rating } from '../../../test/rating.ts'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import { messagesFor } from '../../messages/messages.ts'
import { COLUMN_KINDS } from '../../protocol/table-view.ts'
import { formatterFor } from '../format.ts'
import { drawValue } from '../record/value.ts'
import type { Schema } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { assertDefinitions, checkDefinitions } from './check-definitions.ts'
import { checkKinds } from './check-kinds.ts'
import type { ColumnOptions, Definitions } from './define-table.ts'
import { inferTables } from './infer.ts'
import { defineKind } from './kind.ts'
import { KINDS, kindsWith } from './kinds.ts'
import { optionsOf } from './options-of.ts'
import { orderWords } from './order-words.ts'
import { problemLines } from './problems.ts'

const reader = { locale: 'en-US', language: 'en' }
const stars = columnOf('stars', { type: 'integer', declared: 'integer' })
const points = columnOf('points', { type: 'integer', declared: 'integer' })
const films = tableOf([columnOf('id', { type: 'integer' }), columnOf('title'), stars, points], {
  name: 'films',
})
const schema: Schema = { name: 'test', engine: 'none', tables: [films] }

const columnsWith = (declared: Definitions = {}, kinds = [rating]) =>
  inferTables([films], declared, kindsWith(kinds)).get('films')!.columns

const ofPoints = (options: ColumnOptions): Definitions => ({
  films: { columns: { points: options } },
})

const linesOf = (definitions: unknown, kinds = [rating]) =>
  problemLines(checkDefinitions(definitions, schema, kinds))

test('the built-in kinds are those that the wire knows by name, each once', () => {
  expect(KINDS.map(({ name }) => name).toSorted()).toEqual([...COLUMN_KINDS].toSorted())
})

test('the built-in kinds are what a kind has to be, but for their names', () => {
  const renamed = KINDS.map((kind) => ({ ...kind, name: `my-${kind.name}` }))
  expect(checkKinds(renamed)).toEqual([])
})

describe('a kind of one’s own', () => {
  test('is inferred by its rule before the built-in ones, and nowhere without being named', () => {
    expect(columnsWith().get('stars')).toMatchObject({ kind: 'rating', summary: 'mean' })
    expect(columnsWith().get('points')).toMatchObject({ kind: 'number' })
    expect(columnsWith({}, []).get('stars')).toMatchObject({ kind: 'number' })
  })

  test('is declared by its name', () => {
    expect(linesOf(ofPoints({ kind: 'rating' }))).toEqual([])
    expect(columnsWith(ofPoints({ kind: 'rating' })).get('points')).toMatchObject({
      kind: 'rating',
      ownKind: rating,
    })
  })

  test('never takes a key, a reference or a list, unless it says so', () => {
    const greedy = defineKind({ name: 'greedy', infer: [{ when: [() => true] }] })
    const first = defineKind({ name: 'first', infer: [{ by: 'structure', when: [() => true] }] })
    expect(columnsWith({}, [greedy]).get('id')?.kind).toBe('key')
    expect(columnsWith({}, [greedy]).get('title')?.kind).toBe('greedy')
    expect(columnsWith({}, [first]).get('id')?.kind).toBe('first')
  })

  test('may be that of all columns of a type', () => {
    const count = defineKind({ name: 'count', defaultFor: ['integer'] })
    expect(columnsWith({}, [count]).get('points')?.kind).toBe('count')
  })

  const column = columnsWith().get('stars')!
  const cellOf = (value: Value) => formatterFor(reader).cell(column, value)
  const valueOf = (value: Value) => drawValue(column, value, reader).value

  test('writes its cells, and leaves NULL and bytes to all kinds', () => {
    expect(cellOf(4)).toEqual(['★★★★☆', '4'])
    expect(cellOf(null)).toBe(null)
    expect(cellOf(new Uint8Array(3))).toBe('3 bytes')
    expect(cellOf('x'.repeat(200))).toEqual(['x'.repeat(160), 200])
  })

  test('shows on a record page what its cells hold, and whole what a cell would cut', () => {
    expect(valueOf(4)).toEqual({ is: 'own', kind: 'rating', text: '★★★★☆', more: '4' })
    expect(valueOf(9)).toEqual({ is: 'own', kind: 'rating', text: '9' })
    expect(valueOf('x'.repeat(200))).toEqual({ is: 'text', text: 'x'.repeat(200) })
    expect(valueOf(null)).toEqual({ is: 'null' })
  })

  test('may draw its values otherwise on a record page', () => {
    const half = defineKind({
      ...rating,
      value: (value, { text }) => ({ value: text(`${String(value)} of 5`), note: 'By readers' }),
    })
    expect(drawValue(columnsWith({}, [half]).get('stars')!, 4, reader)).toEqual({
      value: { is: 'text', text: '4 of 5' },
      note: 'By readers',
    })
  })

  test('has words of its own for its order', () => {
    const { order } = messagesFor('en')
    expect(orderWords(column, stars, 'ascending', order)).toBe('worst first')
    expect(orderWords(column, stars, 'descending', order)).toBe('best first')
    expect(orderWords(columnsWith().get('points')!, points, 'descending', order)).toBe(
      'largest first',
    )
  })

  test('of a name that an object has by itself is no other', () => {
    expect(formatterFor(reader).cell({ ...column, kind: 'constructor' }, 4)).toEqual(cellOf(4))
    const { ownKind: _, ...unknown } = { ...column, kind: 'constructor' }
    expect(formatterFor(reader).cell(unknown, 4)).toBe('4')
  })
})

describe('a mistake', () => {
  test('in the name of a kind is told with what was probably meant', () => {
    expect(linesOf(ofPoints({ kind: 'ratng' }))).toEqual([
      expect.stringMatching(
        /: expected one of text, .*, rating, not \[ratng\]\. Did you mean \[rating\]\?$/,
      ),
    ])
    expect(linesOf(ofPoints({ kind: 'rating' }), [])).toEqual([
      expect.stringMatching(/not \[rating\]\.$/),
    ])
  })

  test('in the column that a kind is declared for is told by the kind', () => {
    expect(linesOf({ films: { columns: { title: { kind: 'rating' } } } })).toEqual([
      'tables.films.columns.title.kind: a column of text holds no ratings.',
    ])
  })

  test.each<[string, unknown, string]>([
    ['no list', {}, 'kinds: expected a list of kinds, not an object.'],
    ['no object', [1], 'kinds[0]: expected an object, as defineKind makes it, not [1].'],
    ['no name', [{}], 'kinds[0].name: a kind needs a name.'],
    [
      'a name that no class may have',
      [{ name: 'My rating' }],
      'kinds[0].name: expected small letters, digits and dashes, such as rating, not [My rating].',
    ],
    ['a name that is taken', [{ name: 'money' }], 'kinds[0].name: [money] is a built-in kind.'],
    [
      'an option that there is not',
      [{ name: 'rating', cel: () => undefined }],
      'kinds[0].cel: there is no such option. Did you mean [cell]?',
    ],
    [
      'an option of another type',
      [{ name: 'rating', cell: 'stars' }],
      'kinds[0].cell: expected a function, not [stars].',
    ],
  ])('of a kind with %s is told by its place', (_, kinds, line) => {
    expect(problemLines(checkKinds(kinds))).toEqual([line])
  })

  test('of two kinds of one name is told of both', () => {
    expect(problemLines(checkKinds([rating, rating]))).toEqual([
      'kinds[0].name: [rating] is the name of several kinds.',
      'kinds[1].name: [rating] is the name of several kinds.',
    ])
  })

  test('of a kind is told beside those of tables', () => {
    const wrong = { ...rating, namesRows: 1 } as unknown as typeof rating
    expect(() => assertDefinitions({ film: {} }, schema, [wrong])).toThrow(
      'kinds[0].namesRows: expected true or false, not [1].\ntables.film: there is no such table. Did you mean [films]?',
    )
  })
})

describe('names of values', () => {
  const values = { 0: 'Open', 4: 'Cancelled' }
  const stored = [points, columnOf('stars', { allowed: ['in_review', 'b', 'failed'] })]
  const stars = { values: { b: 'Better', failed: 'Sent back' } }
  const named = inferTables([tableOf(stored, { name: 'films' })], {
    films: { columns: { points: { values }, stars } },
  }).get('films')!
  const cellOf = (name: string, value: Value) =>
    formatterFor(reader).cell(named.columns.get(name)!, value)

  test('make a column of numbers one of states', () => {
    expect(named.columns.get('points')?.kind).toBe('status')
    expect(named.columns.get('points')?.summary).toBeUndefined()
    expect(cellOf('points', 0)).toEqual(['Open', 'new'])
    expect(cellOf('points', 4)).toEqual(['Cancelled', 'bad'])
    expect(cellOf('points', 5)).toEqual(['5', 'idle'])
    expect(cellOf('points', null)).toBeNull()
  })

  test('leave the tone that the stored value has', () => {
    expect(cellOf('stars', 'failed')).toEqual(['Sent back', 'bad'])
  })

  test('are those of their own column alone', () => {
    expect(cellOf('stars', 'b')).toEqual(['Better', 'idle'])
    expect(cellOf('stars', 'in_review')).toEqual(['In review', 'warn'])
    expect(cellOf('stars', '0')).toEqual(['0', 'idle'])
  })

  test('stand on the page of a record, and in the declarations that begin with what is known', () => {
    expect(drawValue(named.columns.get('points')!, 4, reader)).toEqual({
      value: { is: 'status', text: 'Cancelled', tone: 'bad' },
    })
    expect(optionsOf(named).columns?.['points']).toMatchObject({ kind: 'status', values })
  })
})

test('a long text is no pill, whatever its column', () => {
  const table = tableOf([columnOf('state', { allowed: ['open'] })])
  const state = inferTables([table], { strikes: { columns: { state: { kind: 'status' } } } })
    .get('strikes')!
    .columns.get('state')!
  const text = 'The person asks to be called back tomorrow.'
  expect(formatterFor(reader).cell(state, text)).toBe(text)
  expect(drawValue(state, text, reader)).toEqual({ value: { is: 'text', text } })
  expect(formatterFor(reader).cell(state, 'open')).toEqual(['Open', 'new'])
})

test('coordinates have five digits in a list, every digit on their page, and no grouping', () => {
  const decimal = (name: string, sample: number[]) => columnOf(name, { type: 'float', sample })
  const { columns } = inferTables([
    tableOf([
      decimal('lat', [48.20817430000001]),
      decimal('long', [-122.5]),
      decimal('longitude', [1234.5]),
      columnOf('address_lng', { type: 'decimal' }),
    ]),
  ]).get('strikes')!
  expect([...columns.values()].map(({ kind, summary }) => [kind, summary])).toEqual([
    ...[
      ['coordinate', undefined],
      ['coordinate', undefined],
    ],
    ...[
      ['number', undefined],
      ['coordinate', undefined],
    ],
  ])
  const german = { locale: 'de-DE', language: 'en' }
  const lat = columns.get('lat')!
  const cells = [48.20817430000001, -122.5, '16.3738190000', 0].map((value) =>
    formatterFor(german).cell(lat, value),
  )
  expect(cells).toEqual(['48.20817', '-122.5', '16.37382', '0'])
  const text = '48.20817430000001'
  expect(drawValue(lat, 48.20817430000001, german)).toEqual({ value: { is: 'text', text } })
  const alone = inferTables([tableOf([decimal('long', [1.5])])]).get('strikes')!
  expect(alone.columns.get('long')?.kind).toBe('number')
})

test('numbers of accounts and phones are not grouped, also where several rows have one', () => {
  const names = ['phone_number', 'account_no', 'tax_nr', 'part_number', 'telephone']
  const table = tableOf(names.map((name) => columnOf(name, { type: 'integer' })))
  const { columns } = inferTables([table]).get('strikes')!
  expect(names.map((name) => columns.get(name)?.kind)).toEqual([
    ...['key', 'key', 'key', 'number', 'key'],
  ])
})
