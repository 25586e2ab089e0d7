import { describe, expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import type { Json } from '../../protocol/json.ts'
import { checkDefinitions } from './check-definitions.ts'
import { type Correction, withCorrections } from './corrections.ts'
import type { Definitions } from './define-table.ts'
import { inferTables } from './infer.ts'
import { kindsWith } from './kinds.ts'

const strikes = tableOf([
  columnOf('id', { type: 'integer', nullable: false }),
  columnOf('name'),
  columnOf('speed_kt', { type: 'integer' }),
  columnOf('photo'),
  columnOf('password'),
])
const schema = { name: 'faa', engine: 'SQLite 3', tables: [strikes] }

const of = (part: string, value: Json, column: string | null = null): Correction => ({
  ...{ table: 'strikes', column, part, value },
})

function correct(corrections: readonly Correction[], declared: Definitions = {}) {
  const made = withCorrections(corrections, { schema, declared, kinds: [] })
  expect(checkDefinitions(made.definitions, schema)).toEqual([])
  const definition = inferTables(schema.tables, made.definitions, kindsWith()).get('strikes')!
  return { definition, ...made }
}

const faults = (corrections: readonly Correction[], declared: Definitions = {}) =>
  correct(corrections, declared).ignored.map(({ fault }) => fault)

describe('what is corrected', () => {
  test('takes the place of what was inferred, and nothing else does', () => {
    const { definition, ignored } = correct([
      of('label', 'Bird strikes'),
      of('labelColumn', ['name', 'speed_kt']),
      of('sort', ['-speed_kt']),
      of('shown', ['name', 'photo']),
      of('label', 'Airspeed', 'speed_kt'),
      of('unit', 'm/s', 'speed_kt'),
      of('kind', 'text', 'speed_kt'),
    ])
    expect(ignored).toEqual([])
    expect(definition).toMatchObject({
      label: 'Bird strikes',
      labelColumns: ['name', 'speed_kt'],
      defaultSort: [{ column: 'speed_kt', descending: true }],
      defaultColumns: ['name', 'photo'],
    })
    expect(definition.columns.get('speed_kt')).toMatchObject({
      ...{ label: 'Airspeed', unit: 'm/s', kind: 'text' },
    })
    expect(definition.columns.get('name')?.label).toBe('Name')
  })

  test('may name values, and is then no other kind', () => {
    const names = of('values', { 1: 'Standing', 999: 'Not known' }, 'speed_kt')
    const { definition, ignored } = correct([names, of('kind', 'number', 'speed_kt')])
    expect([...(definition.columns.get('speed_kt')?.values ?? [])]).toEqual([
      ['1', 'Standing'],
      ['999', 'Not known'],
    ])
    expect(ignored).toMatchObject([{ correction: { part: 'kind' }, fault: { why: 'unfitting' } }])
    expect(faults([of('values', { open: 'Open' }, 'speed_kt')])).toEqual([{ why: 'unfitting' }])
  })

  test('yields to code, option by option', () => {
    const declared = {
      strikes: { label: 'By code', sort: undefined, columns: { speed_kt: { unit: 'kn' } } },
    }
    const { definition, ignored } = correct(
      [
        of('label', 'Corrected'),
        of('sort', ['name']),
        of('unit', 'm/s', 'speed_kt'),
        of('label', 'Airspeed', 'speed_kt'),
      ],
      declared,
    )
    expect(ignored).toEqual([])
    expect(definition.label).toBe('By code')
    expect(definition.defaultSort).toEqual([{ column: 'name', descending: false }])
    expect(definition.columns.get('speed_kt')).toMatchObject({ unit: 'kn', label: 'Airspeed' })
  })

  test('may be that nothing names a row, that there is no order, and no unit', () => {
    const { definition } = correct([
      of('labelColumn', null),
      of('sort', []),
      of('unit', '', 'speed_kt'),
    ])
    expect(definition).toMatchObject({ labelColumns: [], defaultSort: [] })
    expect(definition.columns.get('speed_kt')?.unit).toBeUndefined()
  })
})

test('what only money has is judged after the kind, in whichever order both were made', () => {
  const { definition, ignored } = correct([
    of('currency', 'name', 'speed_kt'),
    of('minorUnit', 'cents', 'speed_kt'),
    of('kind', 'money', 'speed_kt'),
  ])
  expect(ignored).toEqual([])
  expect(definition.columns.get('speed_kt')).toMatchObject({
    ...{ kind: 'money', currency: 'name', minorUnit: 'cents' },
  })
  expect(faults([of('minorUnit', 'cents', 'speed_kt')])).toHaveLength(1)
})

describe('what no longer holds', () => {
  test('is told where a table or a column is gone, and what is left of a list stays', () => {
    expect(faults([{ ...of('label', 'X'), table: 'constructor' }])).toEqual([
      { why: 'gone', name: 'constructor' },
    ])
    expect(faults([of('label', 'X', 'price')])).toEqual([{ why: 'gone', name: 'price' }])
    expect(faults([of('labelColumn', ['price'])])).toEqual([{ why: 'gone', name: 'price' }])
    const { definition, ignored } = correct([
      of('shown', ['photo', 'price', 'speed_kt']),
      of('sort', ['-price', 'name']),
    ])
    expect(ignored.map(({ fault }) => fault)).toEqual([
      { why: 'gone', name: 'price' },
      { why: 'gone', name: 'price' },
    ])
    expect(definition.defaultColumns).toEqual(['photo', 'speed_kt'])
    expect(definition.defaultSort).toEqual([{ column: 'name', descending: false }])
  })

  test.each<[string, Correction]>([
    ['an option that is none of these', of('hidden', true)],
    ['a column’s secret that is to be shown', of('hidden', false, 'password')],
    ['an option of a table at a column', of('sort', ['name'], 'name')],
    ['a value of another type', of('label', 7)],
    ['an object', of('label', { toString: 'x' })],
    ['a long label', of('label', 'x'.repeat(101))],
    ['a kind that there is not', of('kind', 'constructor', 'name')],
    ['a kind that does not suit', of('kind', 'binary', 'name')],
    ['a kind whose values pages load from elsewhere', of('kind', 'image', 'photo')],
    ['a hidden column in a row’s name', of('labelColumn', ['password'])],
    ['a hidden column in the order', of('sort', ['password'])],
    ['a hidden column in the list', of('shown', ['name', 'password'])],
    ['a column twice', of('shown', ['name', 'name'])],
    [
      'too many columns in the order',
      of('sort', ['id', 'name', 'speed_kt', '-id', '-name', 'photo']),
    ],
  ])('%s is left out', (_, correction) => {
    const { ignored, definitions } = correct([correction])
    expect(ignored).toMatchObject([{ correction, fault: { why: 'unfitting' } }])
    expect(definitions['strikes']).toEqual(correct([]).definitions['strikes'] ?? {})
  })

  test('a column that code hides takes no part', () => {
    const declared = { strikes: { columns: { name: { hidden: true } } } }
    expect(faults([of('sort', ['name'])], declared)).toEqual([{ why: 'unfitting' }])
    expect(correct([], declared).definitions).toBe(declared)
  })
})
