import { expect, test } from 'vitest'
import { bulk } from '../../messages/bulk/en.ts'
import type { BulkField } from '../../protocol/plan-view.ts'
import { askedOf, chosenField, waysOf } from './field-edits.ts'

const field = (name: string, more: Partial<BulkField> = {}): BulkField => ({
  ...{ name, label: name, control: { is: 'text' }, text: null },
  ...{ nullable: false, takesEmpty: true, required: false, hows: ['set'], from: [], ...more },
})
const notes = field('notes', { nullable: true, hows: ['set', 'append', 'replace', 'copy'] })
const price = field('price', { hows: ['set', 'add', 'multiply'] })
const ask = (...chosen: Parameters<typeof askedOf>[0][number][]) =>
  askedOf(chosen, [notes, price], bulk.fields)

test('a field that takes NULL can be cleared besides', () => {
  expect(waysOf(notes)).toEqual(['set', 'clear', 'append', 'replace', 'copy'])
  expect(waysOf(price)).toEqual(['set', 'add', 'multiply'])
})

test('each way is asked of the server as what it means', () => {
  const text = { ...chosenField(notes), text: 'old' }
  const fieldsOf = (one: typeof text) => ask(one)
  expect(fieldsOf(text)).toEqual({ fields: { notes: { how: 'set', text: 'old' } } })
  expect(fieldsOf({ ...text, text: '' })).toEqual({ fields: { notes: { how: 'set', text: '' } } })
  expect(fieldsOf({ ...text, way: 'clear' })).toEqual({
    fields: { notes: { how: 'set', text: null } },
  })
  expect(fieldsOf({ ...text, way: 'replace', with: 'new' })).toEqual({
    fields: { notes: { how: 'replace', text: 'old', with: 'new' } },
  })
  expect(fieldsOf({ ...text, way: 'copy', column: 'remarks' })).toEqual({
    fields: { notes: { how: 'copy', column: 'remarks' } },
  })
  expect(fieldsOf({ ...text, way: 'now' })).toEqual({ fields: { notes: { how: 'now' } } })
  expect(ask({ ...chosenField(price), way: 'multiply', text: '1.1' })).toEqual({
    fields: { price: { how: 'multiply', text: '1.1' } },
  })
})

test('a field that nothing was given for clears nothing, and says what is missing', () => {
  expect(ask()).toEqual({ errors: { '': [bulk.fields.nothing] } })
  expect(ask(chosenField(notes), { ...chosenField(price), way: 'add', text: '' })).toEqual({
    errors: { notes: [bulk.fields.valueMissing], price: [bulk.fields.valueNeeded] },
  })
  expect(ask({ ...chosenField(notes), way: 'copy' })).toEqual({
    errors: { notes: [bulk.fields.columnMissing] },
  })
  expect(ask({ ...chosenField(notes), way: 'replace', text: '' })).toEqual({
    errors: { notes: [bulk.fields.textMissing] },
  })
})
