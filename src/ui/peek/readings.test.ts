/** How often a row that is peeked at is read. */

import { beforeEach, expect, test } from 'vitest'
import { simulateBrowser } from '../../../test/simulated-browser.ts'
import { createReadings, type Readings } from './readings.ts'

let browser: ReturnType<typeof simulateBrowser>
let readings: Readings
let reads: number

beforeEach(() => {
  browser = simulateBrowser()
  reads = 0
  readings = createReadings(browser.environment, () => void reads++)
})

test('a change that is told of by events and by the rows of the list is read once', async () => {
  readings.event()
  readings.event()
  await browser.pass(500)
  readings.rows()
  await browser.pass(5000)
  expect(reads).toBe(1)
})

test('one that the list does not show is read once as well, and those that follow again', async () => {
  for (const expected of [1, 2]) {
    readings.event()
    readings.event()
    await browser.pass(5000)
    expect(reads).toBe(expected)
  }
})

test('what the person has changed is read at once, and nothing after the panel has closed', async () => {
  readings.rows()
  expect(reads).toBe(1)
  readings.event()
  readings.stop()
  await browser.pass(5000)
  expect(reads).toBe(1)
})
