import { describe, expect, test } from 'vitest'
import { isClearing, stepOf, tabFrom } from './cell-keys.ts'

const key = (name: string, held: { shift?: boolean; ctrl?: boolean; meta?: boolean } = {}) => ({
  ...{ key: name, shiftKey: held.shift ?? false },
  ...{ ctrlKey: held.ctrl ?? false, metaKey: held.meta ?? false },
})

test('Enter goes a row down, with Shift up; in a long text Shift begins a line', () => {
  expect(stepOf(key('Enter'), 'number')).toEqual({ rows: 1 })
  expect(stepOf(key('Enter', { shift: true }), 'number')).toEqual({ rows: -1 })
  expect(stepOf(key('Enter'), 'long')).toEqual({ rows: 1 })
  expect(stepOf(key('Enter', { shift: true }), 'long')).toBeNull()
})

test('arrows go on from a field of one line, and from no other', () => {
  expect(stepOf(key('ArrowUp'), 'text')).toEqual({ rows: -1 })
  for (const control of ['long', 'json', 'choice', 'yes-no', 'relation'] as const)
    expect(stepOf(key('ArrowDown'), control)).toBeNull()
})

test('Ctrl-Delete clears, and Cmd with the key that a Mac calls delete', () => {
  expect(isClearing(key('Delete', { ctrl: true }))).toBe(true)
  expect(isClearing(key('Backspace', { meta: true }))).toBe(true)
  expect(isClearing(key('Delete'))).toBe(false)
  expect(isClearing(key('Backspace', { ctrl: true }))).toBe(false)
})

describe('Tab', () => {
  // Only their identity counts.
  const [field, clear, theirs] = [{}, {}, {}] as [Element, Element, Element]
  const stops = [field, clear, theirs]
  const at = (target: Element, how: Partial<Parameters<typeof tabFrom>[2]>) =>
    tabFrom(target, stops, {
      ...{ isBack: false, isAsked: false, isModal: false, isField: target === field, ...how },
    })

  test('goes on from the field at once, and from the last button', () => {
    expect(at(field, {})).toBe('on')
    expect(at(field, { isBack: true })).toBe('on')
    expect(at(clear, {})).toBeNull()
    expect(at(theirs, {})).toBe('on')
  })

  test('reaches the buttons first where there is something to answer', () => {
    expect(at(field, { isAsked: true })).toBeNull()
    expect(at(field, { isAsked: true, isBack: true })).toBe('on')
    expect(at(theirs, { isAsked: true })).toBe('on')
  })

  test('stays in a sheet', () => {
    expect(at(field, { isModal: true })).toBeNull()
    expect(at(theirs, { isModal: true })).toBe('around')
    expect(at(field, { isModal: true, isBack: true })).toBe('around')
  })
})
