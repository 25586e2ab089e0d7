/** What the form of a page without script says, and what of it is still to be drawn. */

import { describe, expect, test } from 'vitest'
import { accessTo, columnOf, definitionOf, noOthers } from '../../../test/table-of.ts'
import type { FilterComponents, FormGroup } from '../../protocol/filters.ts'
import { LISTING } from '../list/fold.ts'
import { rowKeys } from '../row-keys.ts'
import { readForm } from './form-fields.ts'

const definitionWith = (name: string, columns: Parameters<typeof definitionOf>[0], more = {}) => {
  const definition = definitionOf(columns, more)
  return { ...definition, label: name, table: { ...definition.table, name } }
}
const songs = definitionWith('songs', [
  columnOf('id', { type: 'integer' }),
  columnOf('price', { type: 'decimal' }),
  columnOf('sold_on', { type: 'date', nullable: true }),
  columnOf('title', { nullable: true }),
  columnOf('mood', { allowed: ['calm', 'loud'] }),
  columnOf('is_new', { type: 'boolean' }),
  columnOf('secret'),
])
const plays = definitionWith(
  'plays',
  [
    columnOf('id', { type: 'integer' }),
    columnOf('song_id', { type: 'integer' }),
    columnOf('place'),
  ],
  { foreignKeys: [{ columns: ['song_id'], table: 'songs', references: ['id'] }] },
)
const openTable = (definition: typeof songs, hidden: string[] = []) => ({
  definition,
  access: accessTo(definition.table, {
    readable: definition.table.columns.map(({ name }) => name).filter((n) => !hidden.includes(n)),
  }),
  keys: rowKeys(definition.table),
  relations: new Map(),
  others: noOthers,
  takesChanges: false,
})
const open = {
  ...openTable(songs, ['secret']),
  others: { find: () => undefined, referringTo: () => [openTable(plays)] },
}
const PLAYS = '~plays~song_id'

type Fields = { readonly [name: string]: string | readonly string[] }

const queryOf = (fields: Fields) =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, texts]) =>
      [texts].flat().map((text): [string, string] => [`filter.${name}`, text]),
    ),
  )
const read = (fields: Fields, step = 'apply', locale = 'en-US') =>
  readForm(queryOf(fields), step, open, locale)
const valuesOf = (fields: Fields, locale?: string): FilterComponents =>
  read(fields, 'apply', locale).values

describe('the test decides which fields count', () => {
  const text = { 'title.text': 'a, b', 'title.list': ' x\ny, z\nx' }
  test.each<[Fields, FilterComponents]>([
    [{ ...text, 'title.mode': 'contains' }, { title: { test: 'contains', text: 'a, b' } }],
    [
      { ...text, 'title.mode': 'not-starts' },
      { title: { test: 'starts', text: 'a, b', not: true } },
    ],
    [{ ...text, 'title.mode': 'in' }, { title: { in: ['x', 'y%2c z'] } }],
    [{ ...text, 'title.mode': 'notIn' }, { title: { notIn: ['x', 'y%2c z'] } }],
    [{ ...text, 'title.mode': 'empty' }, { title: { empty: true } }],
    [{ ...text, 'title.mode': 'filled' }, { title: { empty: false } }],
    [{ 'title.mode': 'contains', 'title.text': '', 'title.list': '' }, {}],
    [
      { 'price.mode': 'range', 'price.min': '1', 'price.max': '', 'price.list': '7' },
      { price: { min: 1 } },
    ],
    [
      { 'price.mode': 'in', 'price.min': '1', 'price.list': '7;8.5' },
      { price: { in: ['7', '8.5'] } },
    ],
    [{ 'mood.mode': 'notIn', 'mood.in': ['calm', 'loud'] }, { mood: { notIn: ['calm', 'loud'] } }],
    [{ 'mood.mode': 'in', 'mood.in': '%null' }, { mood: { in: [null] } }],
    [{ 'is_new.is': 'no' }, { is_new: { is: 'no' } }],
    [
      {
        'sold_on.mode': 'range',
        'sold_on.minDate': '2024-02-01',
        'sold_on.maxDate': '2024-01-01',
        'sold_on.preset': '',
      },
      { sold_on: { minDate: '2024-01-01', maxDate: '2024-02-01' } },
    ],
    [
      { 'sold_on.mode': 'since', 'sold_on.minDate': '2024-02-01', 'sold_on.maxDate': '' },
      { sold_on: { since: '2024-02-01' } },
    ],
    [
      { 'sold_on.minDate': '2024-02-01', 'sold_on.preset': 'today' },
      { sold_on: { preset: 'today' } },
    ],
  ])('%j says %j', (fields, values) => expect(valuesOf(fields)).toEqual(values))
})

test('numbers are read as the reader writes them', () => {
  const fields = { 'price.min': '1.234,5', 'price.max': '2000' }
  expect(valuesOf(fields, 'de-DE')).toEqual({ price: { min: 1234.5, max: 2000 } })
  expect(valuesOf({ 'price.min': '1,234.5' })).toEqual({ price: { min: 1234.5 } })
  const list = { 'price.mode': 'in', 'price.list': '7,5; 1.234,5' }
  expect(valuesOf(list, 'de-DE')).toEqual({ price: { in: ['7.5', '1234.5'] } })
})

test.each<[string, Fields]>([
  ['a range', { 'price.min': '7.777' }],
  ['a list', { 'price.mode': 'in', 'price.list': '2; 7.777' }],
  ['a condition', { 'builder.1.filter': 'price', 'builder.1.min': '7.777', 'builder.join': 'and' }],
])(
  '%s refuses a number that may be one of two, unless the column has no thousandths',
  (_, fields) => {
    expect(() => valuesOf(fields, 'de-DE')).toThrow('A parameter of the address')
    expect(() => valuesOf(fields, 'en-US')).not.toThrow()
    const ofId = Object.entries(fields).map(([name, text]) => [
      name.replace('price', 'id'),
      text === 'price' ? 'id' : text,
    ])
    expect(JSON.stringify(valuesOf(Object.fromEntries(ofId), 'de-DE'))).toContain('7777')
  },
)

test('days may be written as cells show them', () => {
  const fields = { 'sold_on.minDate': '05.03.2024', 'sold_on.maxDate': '2024-04-06' }
  const range = { sold_on: { minDate: '2024-03-05', maxDate: '2024-04-06' } }
  expect(valuesOf(fields, 'de-DE')).toEqual(range)
  const since = { 'sold_on.mode': 'since', 'sold_on.since': 'Mar 5, 2024' }
  expect(valuesOf(since)).toEqual({ sold_on: { since: '2024-03-05' } })
  expect(() => valuesOf({ ...fields, 'sold_on.minDate': '31.02.2024' }, 'de-DE')).toThrow('address')
})

describe('conditions', () => {
  const group: Fields = {
    'builder.join': 'or',
    'builder.1.filter': 'price',
    'builder.1.mode': 'range',
    'builder.1.min': '3',
    'builder.3.join': 'and',
    'builder.3.1.filter': 'title',
    'builder.3.1.mode': 'starts',
    'builder.3.1.text': 'A',
    'builder.4.filter': '',
  }
  const price = { filter: 'price', value: { min: 3 } }
  const title = { filter: 'title', value: { test: 'starts', text: 'A' } }

  test('are a group, in which an empty last line says nothing', () => {
    const { values, isDone } = read(group)
    expect(values).toEqual({ builder: { join: 'or', of: [price, { join: 'and', of: [title] }] } })
    expect(isDone).toBe(true)
  })

  test('that were chosen but have no fields yet are drawn first', () => {
    const { values, entries, isDone } = read({ ...group, 'builder.4.filter': 'mood' })
    expect(isDone).toBe(false)
    expect(entries.at).toBe('builder.3')
    expect(entries.groups['builder']?.of.at(-1)).toEqual({ filter: 'mood', value: null })
    expect(values['builder']).toEqual({ join: 'or', of: [price, { join: 'and', of: [title] }] })
  })

  test('are added and taken away in their groups', () => {
    const added = read(group, 'group:builder')
    expect(added.entries.groups['builder']?.of.at(-1)).toEqual({ join: 'or', of: [] })
    expect([added.entries.at, added.isDone]).toEqual(['builder.3', false])
    const removed = read(group, 'remove:builder.1')
    expect(removed.entries.groups['builder']?.of).toEqual([{ join: 'and', of: [title] }])
    expect(removed.entries.at).toBe('builder')
  })

  test('on related rows are begun, filled in and kept', () => {
    const begun = read({ [`${PLAYS}.rows`]: '' }, `group:${PLAYS}.where`)
    const none: FormGroup = { join: 'and', of: [] }
    expect(begun.entries.groups).toEqual({ [`${PLAYS}.where`]: none })
    expect(begun.values).toEqual({ [PLAYS]: { rows: 'some' } })
    const every = read({ [`${PLAYS}.rows`]: 'every' }, `group:${PLAYS}.where`)
    expect([every.values, every.entries.begun]).toEqual([{}, { [PLAYS]: { rows: 'every' } }])
    const fields = {
      [`${PLAYS}.where.join`]: 'and',
      [`${PLAYS}.where.1.filter`]: 'place',
      [`${PLAYS}.where.1.mode`]: 'equals',
      [`${PLAYS}.where.1.text`]: 'Graz',
    }
    const where = {
      join: 'and',
      of: [{ filter: 'place', value: { test: 'equals', text: 'Graz' } }],
    }
    const filled = read({ ...fields, [`${PLAYS}.rows`]: 'every' })
    expect([filled.values, filled.isDone]).toEqual([{ [PLAYS]: { rows: 'every', where } }, true])
    expect(valuesOf({ ...fields, [`${PLAYS}.rows`]: '' })).toEqual({})
  })

  test('on related rows stand in the builder, too', () => {
    const fields = {
      'builder.join': 'and',
      'builder.1.filter': PLAYS,
      'builder.1.rows': 'none',
      'builder.1.where.join': 'or',
      'builder.1.where.1.filter': 'id',
    }
    const { entries, values } = read(fields, 'more:builder.1.where')
    expect(entries.groups['builder.1.where']?.of).toEqual([{ filter: 'id', value: null }])
    expect(entries.at).toBe('builder.1.where.1')
    expect(values).toEqual({
      builder: { join: 'and', of: [{ filter: PLAYS, value: { rows: 'none' } }] },
    })
  })
})

describe('a text to look for', () => {
  const asked = { 'mood.mode': 'in', 'mood.find': ' lo ' }

  test('is looked for once', () => {
    const first = read(asked)
    expect([first.isDone, first.entries.finds, first.entries.at]).toEqual([
      false,
      { mood: 'lo' },
      'mood',
    ])
    const chosen = read({ ...asked, 'mood.found': 'lo', 'mood.in': 'loud' })
    expect([chosen.isDone, chosen.values]).toEqual([true, { mood: { in: ['loud'] } }])
  })

  test('may be empty for whoever presses the button beside it', () => {
    const { entries, isDone } = read({ 'mood.find': '' }, 'find:mood')
    expect([entries.finds, isDone]).toEqual([{ mood: '' }, false])
  })
})

describe('refused is', () => {
  test.each<[Fields, string]>([
    [{ 'secret.text': 'x' }, 'TABLE_UNKNOWN_COLUMN'],
    [{ 'secret.find': 'x' }, 'TABLE_UNKNOWN_COLUMN'],
    [{ 'nothing.mode': '' }, 'TABLE_UNKNOWN_COLUMN'],
    [{ 'price.color': '' }, 'TABLE_UNKNOWN_COLUMN'],
    [{ 'price.min.x': '1' }, 'TABLE_UNKNOWN_COLUMN'],
    [{ 'price.1.filter': 'title' }, 'TABLE_UNKNOWN_COLUMN'],
    [{ price: '1' }, 'TABLE_BAD_PARAMETER'],
    [{ 'price.mode': 'like' }, 'TABLE_BAD_PARAMETER'],
    [{ 'price.mode': 'contains', 'price.text': '1' }, 'TABLE_BAD_PARAMETER'],
    [{ 'price.min': 'x' }, 'TABLE_BAD_PARAMETER'],
    [{ 'price.mode': 'in', 'price.list': 'x' }, 'TABLE_BAD_PARAMETER'],
    [{ 'mood.find': 'x'.repeat(300) }, 'TABLE_BAD_PARAMETER'],
    [{ 'builder.join': 'xor' }, 'TABLE_BAD_PARAMETER'],
    [{ 'builder.1.filter': 'price' }, 'TABLE_BAD_PARAMETER'],
    [{ 'builder.join': 'or', 'builder.x': '1' }, 'TABLE_UNKNOWN_COLUMN'],
    [{ 'builder.join': 'or', 'builder.1.filter': 'secret' }, 'TABLE_UNKNOWN_COLUMN'],
    [{ [`${PLAYS}.rows`]: 'all' }, 'TABLE_BAD_PARAMETER'],
    [
      {
        [`${PLAYS}.rows`]: '',
        [`${PLAYS}.where.join`]: 'and',
        [`${PLAYS}.where.1.filter`]: 'secret',
      },
      'TABLE_UNKNOWN_COLUMN',
    ],
  ])('%j', (fields, code) =>
    expect(() => read(fields)).toThrow(expect.objectContaining({ code, status: 422 })),
  )

  test('groups too deep, whatever their steps', () => {
    const path = ['builder', ...Array(8).fill('1')]
    const fields = Object.fromEntries(
      path.map((_, at) => [`${path.slice(0, at + 1).join('.')}.join`, 'and']),
    )
    expect(() => read(fields)).toThrow(expect.objectContaining({ code: 'TABLE_BAD_PARAMETER' }))
  })

  test.each(['find', 'more:', 'sql:1', 'apply:x', ''])(
    'another step than the buttons have: %j',
    (step) => {
      const query = new URLSearchParams({ filters: step })
      expect(() => LISTING.parse(query, open)).toThrow(expect.objectContaining({ status: 422 }))
    },
  )
})

describe('the address that a form leads to', () => {
  const leadsTo = (query: string) =>
    LISTING.destination('/tables/songs', new URLSearchParams(query), open, 'en-US')

  test('is that of the list, as script would have written it', () => {
    expect(
      leadsTo('filters=apply&sort=title&filter.mood.mode=in&filter.mood.in=loud&filter.price.min='),
    ).toBe('/tables/songs?filter.mood=loud&sort=title')
    expect(
      leadsTo(
        'filters=apply&filter.builder.join=or&filter.builder.1.filter=price&filter.builder.1.max=2',
      ),
    ).toBe(
      `/tables/songs?filter.builder=${encodeURIComponent('{"join":"or","of":[{"filter":"price","value":{"max":2}}]}')}`,
    )
  })

  test('is none while something is to be drawn, and for other addresses', () => {
    for (const query of ['filters=more:builder', 'filters=open', 'filter.mood=loud'])
      expect(leadsTo(query)).toBeUndefined()
  })
})
