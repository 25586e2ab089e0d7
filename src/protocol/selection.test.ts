import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../test/tier.ts'
import {
  ALL_SELECTED,
  fits,
  isNone,
  keysOf,
  NONE_SELECTED,
  type Selected,
  SELECTED_LENGTH_MAX,
  SELECTED_MAX,
  selectedIn,
  withRows,
} from './selection.ts'

/** A table of a few rows: what is selected of it is a plain set. */
const ROWS = ['1', '2', '3', 'a,b', 'ä', '0xff', '%', '7']

const rowsOf = (selected: Selected): string[] => ROWS.filter(selectedIn(selected))

type Step = { readonly do: 'add' | 'drop' | 'all' | 'none'; readonly rows: readonly string[] }

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('add', 'drop', 'all', 'none'),
  rows: fc.array(fc.constantFrom(...ROWS), { maxLength: 6 }),
})

function stepped(selected: Selected, step: Step): Selected {
  if (step.do === 'all') return ALL_SELECTED
  if (step.do === 'none') return NONE_SELECTED
  return withRows(selected, step.rows, step.do === 'add') ?? selected
}

test('a selection is what a plain set of its rows is, whatever is done with it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let selected = NONE_SELECTED
      let plain = new Set<string>()
      for (const next of steps) {
        selected = stepped(selected, next)
        if (next.do === 'all') plain = new Set(ROWS)
        else if (next.do === 'none') plain = new Set()
        else if (next.do === 'add') plain = new Set([...plain, ...next.rows])
        else plain = new Set([...plain].filter((row) => !next.rows.includes(row)))
        expect(rowsOf(selected)).toEqual(ROWS.filter((row) => plain.has(row)))
        expect(new Set(keysOf(selected)).size).toBe(keysOf(selected).length)
      }
    }),
    { numRuns: runs(300) },
  )
})

test('all are selected but for the rows that were taken out since', () => {
  const some = withRows(ALL_SELECTED, ['2', '3', '2'], false)
  expect(some).toEqual({ except: ['2', '3'] })
  expect(withRows(some!, ['3'], true)).toEqual({ except: ['2'] })
  expect([isNone(ALL_SELECTED), isNone(NONE_SELECTED), isNone(['1'])]).toEqual([false, true, false])
})

test('a selection names a thousand keys and no more, and of long ones fewer', () => {
  const keys = Array.from({ length: SELECTED_MAX }, (_, i) => String(i))
  expect(withRows(keys, ['0'], true)).toEqual(keys)
  expect(withRows(keys, ['one more'], true)).toBeNull()
  expect(withRows({ except: keys }, ['one more'], false)).toBeNull()
  expect(withRows(keys, ['0'], false)).toHaveLength(SELECTED_MAX - 1)
  // What is too much already may become less.
  expect(withRows([...keys, 'x', 'y'], ['x'], false)).toHaveLength(SELECTED_MAX + 1)
  expect(fits(['x'.repeat(SELECTED_LENGTH_MAX)])).toBe(true)
  expect(fits(['x'.repeat(SELECTED_LENGTH_MAX), 'y'])).toBe(false)
})
