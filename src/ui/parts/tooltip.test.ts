import { expect, test } from 'vitest'
import { placeOf } from './tooltip.ts'

const window = { width: 1000, height: 600 }
const tip = { width: 80, height: 20 }
/** A button of 40 × 30 at such a place. */
const buttonAt = (left: number, top: number) =>
  ({ left, top, right: left + 40, bottom: top + 30, width: 40, height: 30 }) as const
const above = { tip, window, isBeside: false, isRtl: false }

test('a tooltip stands in the middle above its owner, or below where there is no room', () => {
  expect(placeOf({ ...above, at: buttonAt(500, 300) })).toEqual({ left: 480, top: 270 })
  expect(placeOf({ ...above, at: buttonAt(500, 30) })).toEqual({ left: 480, top: 70 })
})

test('beside its owner, it stands where a line goes on', () => {
  const beside = { ...above, isBeside: true }
  expect(placeOf({ ...beside, at: buttonAt(500, 300) })).toEqual({ left: 550, top: 305 })
  expect(placeOf({ ...beside, at: buttonAt(500, 300), isRtl: true })).toEqual({
    left: 410,
    top: 305,
  })
})

test('it stays inside the window', () => {
  expect(placeOf({ ...above, at: buttonAt(0, 300) })).toMatchObject({ left: 5 })
  expect(placeOf({ ...above, at: buttonAt(960, 300) })).toMatchObject({ left: 915 })
})
