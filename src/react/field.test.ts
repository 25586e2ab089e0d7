/** A field bound to a property: what it shows, sends and holds. */

import { beforeEach, expect, test } from 'vitest'
import { componentOf, pageOf, simulateBrowser, snapshotOf } from '../../test/simulated-browser.ts'
import { createRuntime } from '../client/create-runtime.ts'
import type { LiveComponent } from '../client/component.ts'
import { BATCH_DELAY_MS, LIVE_INPUT_DEBOUNCE_MS } from '../protocol/constants.ts'
import { type Field, fieldOf } from './field.ts'

const start = { filter: { name: 'a' }, size: 25 }

let browser: ReturnType<typeof simulateBrowser>
let component: LiveComponent
const fieldAt = (path: string): Field =>
  fieldOf(component, component.getState().data, path, { live: true })
const type = (value: string) => fieldAt('filter.name').onChange({ target: { value } })

beforeEach(() => {
  browser = simulateBrowser()
  component = createRuntime(pageOf([componentOf(start)]), browser.environment).component('list')
})

test('shows the property, and is empty where that is no text', () => {
  expect(fieldAt('filter.name').value).toBe('a')
  expect(fieldAt('size').value).toBe('')
  expect(fieldAt('none.such').value).toBe('')
})

test('sends what is typed, and shows it until it is left, whatever is answered', async () => {
  fieldAt('filter.name').onFocus()
  type('b ')
  await browser.pass(LIVE_INPUT_DEBOUNCE_MS + BATCH_DELAY_MS)
  expect(browser.last.body.components[0]?.updates).toEqual({ 'filter.name': 'b ' })
  const snapshot = snapshotOf({ ...start, filter: { name: 'b' } }, { serial: 1 })
  await browser.last.answer({ components: [{ snapshot, effects: {} }], assets: { version: 'v1' } })
  expect(fieldAt('filter.name').value).toBe('b ')
  fieldAt('filter.name').onBlur()
  expect(fieldAt('filter.name').value).toBe('b')
})
