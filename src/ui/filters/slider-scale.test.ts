import { expect, test } from 'vitest'
import { sliderScale, STEPS } from './slider-scale.ts'

test('the ends are exact, and what is between is rounded', () => {
  const { valueAt, placeOf } = sliderScale(0, 12_397_751)
  expect(valueAt(0)).toBe(0)
  expect(valueAt(STEPS)).toBe(12_397_751)
  expect(valueAt(500)).toBe(6_200_000)
  expect(placeOf(-5)).toBe(0)
  expect(placeOf(99_999_999)).toBe(STEPS)
})

test('small spans have decimals', () => {
  expect(sliderScale(0, 1).valueAt(333)).toBe(0.33)
  expect(sliderScale(0, 350).valueAt(333)).toBe(117)
})

test('a skewed column moves by quantiles', () => {
  const { placeOf, valueAt } = sliderScale(0, 1_000_000, [0, 10, 100, 1000, 1_000_000])
  expect(placeOf(10)).toBe(250)
  expect(placeOf(100)).toBe(500)
  expect(valueAt(500)).toBe(100)
  expect(valueAt(STEPS)).toBe(1_000_000)
})

test('values that recur are one place, and moving never leaves the range', () => {
  const { placeOf, valueAt } = sliderScale(0, 50, [0, 0, 0, 20, 50])
  expect(placeOf(0)).toBe(0)
  for (let place = 0; place <= STEPS; place++) {
    expect(valueAt(place)).toBeGreaterThanOrEqual(0)
    expect(valueAt(place)).toBeLessThanOrEqual(50)
  }
})
