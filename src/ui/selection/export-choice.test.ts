import { expect, test } from 'vitest'
import { FIRST_EXPORT } from '../../protocol/export.ts'
import { keepChoice, lastChoice } from './export-choice.ts'

function storeWith(text: string | null) {
  let kept = text
  return () => ({
    getItem: () => kept,
    setItem: (_: string, value: string) => void (kept = value),
  })
}

test('the last choice is there again', () => {
  const store = storeWith(null)
  expect(lastChoice(store)).toEqual(FIRST_EXPORT)
  const choice = { format: 'xlsx', columns: 'all', references: 'both' } as const
  keepChoice(choice, store)
  expect(lastChoice(store)).toEqual(choice)
})

test('of what was kept, only what can be chosen counts', () => {
  for (const text of ['', 'pdf some none', '{}', '  '])
    expect(lastChoice(storeWith(text))).toEqual(FIRST_EXPORT)
  expect(lastChoice(storeWith('json <b>'))).toEqual({ ...FIRST_EXPORT, format: 'json' })
})

test('where the browser keeps nothing, it is asked for again', () => {
  const store = () => {
    throw new Error('SecurityError')
  }
  keepChoice(FIRST_EXPORT, store)
  expect(lastChoice(store)).toEqual(FIRST_EXPORT)
})
