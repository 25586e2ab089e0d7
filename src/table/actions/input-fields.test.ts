import type { StandardSchemaV1 } from '@standard-schema/spec'
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

const saidOf = async (schema: StandardSchemaV1, texts: { [field: string]: string | null }) => {
  const read = await readInput(schema, texts, DEFAULT_READER)
  return 'errors' in read ? read.errors : {}
}

test('what a schema limits is said at its field in plain words, but for words of its own', async () => {
  const schema = v.object({
    none: v.pipe(v.string(), v.nonEmpty()),
    short: v.pipe(v.string(), v.minLength(1200)),
    long: v.pipe(v.string(), v.maxLength(1)),
    least: v.pipe(v.number(), v.minValue(1000)),
    most: v.pipe(v.number(), v.maxValue(5)),
    above: v.pipe(v.number(), v.gtValue(0)),
    mail: v.pipe(v.string(), v.email()),
    site: v.pipe(v.string(), v.url()),
    size: v.picklist(['s', 'm']),
    code: v.pipe(v.string(), v.regex(/x/)),
    own: v.pipe(v.string(), v.minLength(3, 'Say why.')),
    missing: v.number(),
  })
  const texts = { none: '', short: 'a', long: 'ab', least: '1', most: '6', above: '0', own: 'a' }
  const more = { mail: 'ana', site: 'here', size: 'xl', code: 'y', missing: null }
  expect(await saidOf(schema, { ...texts, ...more })).toEqual({
    none: ['Give a value.'],
    short: ['Write at least 1,200 characters.'],
    long: ['Write at most 1 character.'],
    least: ['Write 1,000 or more.'],
    most: ['Write 5 or less.'],
    above: ['Write more than 0.'],
    mail: ['Write an address such as ana@example.org.'],
    site: ['Write an address such as https://example.org.'],
    size: ['Choose one of the listed values.'],
    code: ['This value is not accepted.'],
    own: ['Say why.'],
    missing: ['Give a value.'],
  })
})

test('what is wrong with the whole is said of no field', async () => {
  const schema = v.pipe(
    v.object({ from: v.number(), to: v.number() }),
    v.check(({ from, to }) => from <= to, 'The end comes first.'),
  )
  expect(await saidOf(schema, { from: '2', to: '1' })).toEqual({ '': ['The end comes first.'] })
})

test('the same holds for a library that makes JSON Schema', async () => {
  const messages = {
    short: 'Too small: expected string to have >=2 characters',
    size: 'Invalid option: expected one of "s"|"m"',
    mail: 'Invalid email address',
    own: 'Invalid code',
  }
  const string = { type: 'string' }
  const properties = {
    ...{ short: { ...string, minLength: 2 }, size: { ...string, enum: ['s', 'm'] } },
    ...{ mail: { ...string, format: 'email' }, own: string },
  }
  const schema = {
    '~standard': {
      ...({ version: 1, vendor: 'own' } as const),
      validate: () => ({
        issues: Object.entries(messages).map(([name, message]) => ({ message, path: [name] })),
      }),
      jsonSchema: {
        input: () => ({ type: 'object', properties, required: Object.keys(properties) }),
        output: () => ({}),
      },
    },
  }
  expect(await saidOf(schema, { short: 'a', size: 'xl', mail: 'ana', own: 'b' })).toEqual({
    short: ['Write at least 2 characters.'],
    size: ['Choose one of the listed values.'],
    mail: ['Write an address such as ana@example.org.'],
    own: ['Invalid code'],
  })
})
