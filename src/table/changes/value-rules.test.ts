import { describe, expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import type { Column } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { problemsOfInsert, problemsOfValues } from './value-rules.ts'

const kindOf = (over: Partial<Column>, value: Value) =>
  problemsOfValues(tableOf([columnOf('x', over)]), { x: value })[0]?.kind

describe('a new row', () => {
  const table = tableOf([
    columnOf('id', { type: 'integer', nullable: false, identity: true }),
    columnOf('name', { nullable: false }),
    columnOf('state', { nullable: false, hasDefault: true }),
    columnOf('slug', { nullable: false, generated: true }),
    columnOf('note'),
  ])

  test('needs what nobody but the person can give', () => {
    expect(problemsOfInsert(table, {})).toEqual([{ kind: 'required', columns: ['name'] }])
    expect(problemsOfInsert(table, { name: '' })).toEqual([])
  })

  test('cannot set to NULL what must not be NULL, whatever its default', () => {
    expect(problemsOfInsert(table, { name: 'A', state: null })).toEqual([
      { kind: 'required', columns: ['state'] },
    ])
  })
})

describe('a value', () => {
  test('counts in characters, not in code units, with blanks at its end', () => {
    const short = { maxLength: 2 }
    expect(kindOf(short, '👍👍')).toBeUndefined()
    expect(kindOf(short, 'ab   ')).toBe('tooLong')
    expect(kindOf({ ...short, isPadded: true }, 'ab   ')).toBeUndefined()
    expect(kindOf(short, 'abc')).toBe('tooLong')
  })

  test('is one of those that the column lists, whatever its letter case', () => {
    const listed = { allowed: ['paid', 'Open'] }
    expect(kindOf(listed, 'OPEN')).toBeUndefined()
    expect(kindOf(listed, 'void')).toBe('notAllowed')
    expect(kindOf({ ...listed, declared: "set('paid','Open')" }, 'paid,Open')).toBeUndefined()
    expect(kindOf({ ...listed, array: true }, '{paid,Open}')).toBeUndefined()
  })

  test.each<[value: Value, kind: string | undefined]>([
    ['999.99', undefined],
    [-999, undefined],
    ['0000123.4', undefined],
    ['1.50000', undefined],
    ['1.005', 'tooPrecise'],
    [0.125, 'tooPrecise'],
    ['1000', 'outOfRange'],
    [1000n, 'outOfRange'],
    ['NaN', undefined],
  ])('with %s in a decimal of five digits, two of them after the point, is %s', (value, kind) => {
    expect(kindOf({ type: 'decimal', precision: 5, scale: 2 }, value)).toBe(kind)
  })

  test('is a whole number of 64 bits, signed or not', () => {
    const whole = { type: 'integer' } as const
    expect(kindOf(whole, 2n ** 63n - 1n)).toBeUndefined()
    expect(kindOf(whole, 2n ** 63n)).toBe('type')
    const unsigned = { ...whole, declared: 'bigint(20) unsigned' }
    expect(kindOf(unsigned, 2n ** 64n - 1n)).toBeUndefined()
    expect(kindOf(unsigned, 2n ** 64n)).toBe('type')
  })
})
