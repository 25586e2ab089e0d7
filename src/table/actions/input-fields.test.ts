import * as v from 'valibot'
import { expect, test } from 'vitest'
import { DEFAULT_READER } from '../../server/http/locale.ts'
import { inputFields, readInput } from './input-fields.ts'

test('an object of Valibot makes a form', () => {
  const schema = v.strictObject({
    day: v.pipe(v.string(), v.isoDate()),
    text: v.pipe(v.string(), v.maxLength(500), v.description('In your own words.')),
    count: v.nullable(v.pipe(v.number(), v.integer())),
    size: v.optional(v.picklist(['s', 'm']), 'm'),
  })
  const field = { text: null, takesEmpty: false, nullable: false, required: true }
  expect(inputFields(schema)).toEqual([
    { ...field, name: 'day', label: 'Day', control: { is: 'date' } },
    {
      ...{ ...field, name: 'text', label: 'Text', control: { is: 'long' } },
      ...{ help: 'In your own words.', maxLength: 500 },
    },
    { ...field, name: 'count', label: 'Count', control: { is: 'number' }, nullable: true },
    {
      ...{ ...field, name: 'size', label: 'Size', control: { is: 'choice', options: ['s', 'm'] } },
      ...{ text: 'm', nullable: true, required: false },
    },
  ])
})

test('any schema that makes JSON Schema does, too', async () => {
  const asked: unknown[] = []
  const schema = {
    '~standard': {
      ...({ version: 1, vendor: 'own' } as const),
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input(options: unknown) {
          asked.push(options)
          const count = { anyOf: [{ type: 'integer' }, { type: 'null' }], title: 'How many' }
          const at = { type: 'string', format: 'date-time' }
          return { type: 'object', properties: { count, at }, required: ['count'] }
        },
        output: () => ({}),
      },
    },
  }
  expect(inputFields(schema).map(({ name, label, control }) => [name, label, control])).toEqual([
    ['count', 'How many', { is: 'number' }],
    ['at', 'At', { is: 'moment' }],
  ])
  expect(asked).toEqual([{ target: 'draft-2020-12' }])
  const given = { count: '1,000', at: '2024-03-05 14:30', more: 'x' }
  expect(await readInput(schema, given, DEFAULT_READER)).toEqual({
    input: { count: 1000, at: '2024-03-05 14:30' },
  })
  expect(await readInput(schema, { count: '1.5', at: null }, DEFAULT_READER)).toEqual({
    errors: { count: ['Write a whole number.'] },
  })
  expect(await readInput(schema, { count: null }, DEFAULT_READER)).toEqual({
    input: { count: null },
  })
})

test('others are refused when they are declared', () => {
  expect(() => inputFields(v.string())).toThrow('neither an object of Valibot')
  expect(() => inputFields(v.object({ many: v.array(v.string()) }))).toThrow('field [many]')
})

test('choices are texts or whole numbers, and other numbers are typed', async () => {
  const schema = v.object({
    stars: v.picklist([1, 2]),
    share: v.picklist([0.5, 1]),
    size: v.nullable(v.picklist(['s', 'm'])),
  })
  expect(inputFields(schema).map(({ control }) => control)).toEqual([
    { is: 'choice', options: ['1', '2'] },
    { is: 'number' },
    { is: 'choice', options: ['s', 'm'] },
  ])
  expect(await readInput(schema, { stars: '2', share: '0.5', size: 's' }, DEFAULT_READER)).toEqual({
    input: { stars: 2, share: 0.5, size: 's' },
  })
  for (const odd of [v.union([v.string(), v.number()]), v.picklist(['s', 2])])
    expect(() => inputFields(v.object({ odd }))).toThrow('[odd]')
})
