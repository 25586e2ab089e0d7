import { expect, test } from 'vitest'
import * as constants from './constants.ts'

test('polling', () => {
  expect(constants.POLL_INTERVAL_MS).toBe(2000)
  expect(constants.POLL_SKIP_RATIO).toBe(0.05)
})

test('typing, panels and popups', () => {
  expect(constants.BATCH_DELAY_MS).toBe(5)
  expect(constants.LIVE_INPUT_DEBOUNCE_MS).toBe(150)
  expect(constants.DEBOUNCE_MS).toBe(250)
  expect(constants.COLLAPSE_MS).toBe(250)
  expect(constants.FOCUS_TRAP_DELAY_MS).toBe(15)
  expect(constants.POPUP_OFFSET_PX).toBe(5)
})

test('navigation', () => {
  expect(constants.BACK_CACHE_PAGES).toBe(10)
  expect(constants.PROGRESS_BAR_DELAY_MS).toBe(150)
  expect(constants.HOVER_PREFETCH_MS).toBe(60)
})

test('loading presets', () => {
  expect(Object.values(constants.LOADING_DELAYS_MS)).toEqual([0, 50, 100, 150, 200, 300, 500, 1000])
})

test('realtime', () => {
  expect(constants.ACTIVITY_TIMEOUT_MS).toBe(120_000)
  expect(constants.PONG_TIMEOUT_MS).toBe(30_000)
  expect(constants.UNAVAILABLE_TIMEOUT_MS).toBe(10_000)
  expect(constants.HTTP_TIMEOUT_MS).toBe(0)
})

test('date picker', () => {
  expect(constants.DATE_PICKER).toEqual({
    format: 'Y-m-d',
    defaultHour: 12,
    defaultMinute: 0,
    minuteStep: 5,
    hourStep: 1,
    weekStart: 0,
    hourCycle: 12,
  })
})

test('upload', () => {
  expect(constants.UPLOAD).toEqual({
    maxFilesMultiple: 1_000_000,
    maxFilesSingle: 1,
    resizeDebounceMs: 250,
    resizeEndMs: 500,
    announceClearMs: 1500,
    announceAddDelayMs: 750,
  })
})

test('tooltip', () => {
  expect(constants.TOOLTIP).toEqual({
    delayMs: 0,
    maxWidthPx: 350,
    offsetPx: [0, 10],
    showMs: 300,
    hideMs: 250,
    navigationZIndex: 9999,
  })
})

test('the overlay of a server error', () => {
  expect(constants.ERROR_OVERLAY).toEqual({ zIndex: 200_000, opacity: 0.6 })
})
