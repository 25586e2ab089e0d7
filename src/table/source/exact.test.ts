import { expect, test } from 'vitest'
import { calculated } from './exact.ts'

test('sums and products keep every digit', () => {
  expect(calculated(0.1, 'add', 0.2)).toBe('0.3')
  expect(calculated(1000000.1, 'add', -1000000)).toBe('0.1')
  expect(calculated('12345678901234567890.5', 'add', '0.25')).toBe('12345678901234567890.75')
  expect(calculated(2n ** 63n - 1n, 'add', 1)).toBe('9223372036854775808')
  expect(calculated(1.1, 'multiply', 1.1)).toBe('1.21')
  expect(calculated(-3, 'multiply', '0.5')).toBe('-1.5')
  expect(calculated(1e21, 'add', 1e-7)).toBe('1000000000000000000000.0000001')
  expect(calculated(5, 'add', -5)).toBe('0')
})

test('are rounded half away from zero', () => {
  expect(calculated('1.005', 'multiply', 1, 2)).toBe('1.01')
  expect(calculated('-1.005', 'multiply', 1, 2)).toBe('-1.01')
  expect(calculated('1.004', 'add', 0, 2)).toBe('1')
  expect(calculated(25, 'multiply', '0.1', 0)).toBe('3')
})

test('are of numbers alone', () => {
  expect(calculated('', 'add', 1)).toBeUndefined()
  expect(calculated('x', 'add', 1)).toBeUndefined()
  expect(calculated(1, 'multiply', NaN)).toBeUndefined()
  expect(calculated('1; drop', 'multiply', 1)).toBeUndefined()
})
