/** The fields of an action's form, as its schema describes them, and their texts read as its input. */

import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { FieldControl, FieldInput } from '../../protocol/form-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import { humanize } from '../definition/humanize.ts'
import { issueText, type Limits } from './input-words.ts'
import { FIELD_MAX } from '../record/form/field.ts'
import { byName } from '../source/by-name.ts'
import { readDrawn, readText } from '../record/form/read-text.ts'
import type { Column } from '../source/schema.ts'

/** What a schema says of one field, in terms of JSON Schema. */
type Described = Limits & {
  readonly name: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean'
  readonly title?: string | undefined
  readonly help?: string | undefined
  readonly default?: string | undefined
  readonly isRequired: boolean
  readonly isNullable: boolean
}

/** Texts of fields by name; `null` is none. */
export type InputTexts = { readonly [field: string]: string | null }

/**
 * Throws a `TypeError` where the schema does not say what its fields are: only objects of texts, numbers, yes or no
 * and choices make a form.
 */
export const inputFields = (schema: StandardSchemaV1): FieldInput[] =>
  describe(schema).map((field) => {
    const { name, title, help, maxLength, default: text = null, isRequired, isNullable } = field
    return {
      ...{ name, label: title ?? humanize(name), control: controlOf(field), text },
      ...{ nullable: isNullable || !isRequired, takesEmpty: false, required: isRequired },
      ...(help !== undefined && { help }),
      ...(maxLength !== undefined && { maxLength }),
    }
  })

/** What somebody has entered, as the schema's output, or what is wrong with it by field. */
export async function readInput(
  schema: StandardSchemaV1,
  texts: InputTexts,
  reader: Reader,
): Promise<{ readonly input: unknown } | { readonly errors: { [field: string]: string[] } }> {
  const { unreadable } = messagesFor(reader.language).form
  const fields = describe(schema)
  const errors: { [field: string]: string[] } = {}
  const given: Record<string, unknown> = {}
  for (const field of fields) {
    const text = texts[field.name] ?? null
    if (text === null || (text === '' && !field.isRequired)) {
      if (field.isNullable) given[field.name] = null
      continue
    }
    const reads = text === field.default ? readDrawn : readText
    const read = reads(columnOf(field), text, reader.locale)
    if ('problem' in read) errors[field.name] = [unreadable[read.problem]]
    else if (read.value !== null) given[field.name] = read.value
  }
  if (Object.keys(errors).length > 0) return { errors }
  const result = await schema['~standard'].validate(given)
  if (!result.issues) return { input: result.value }
  for (const issue of result.issues) {
    const [first] = issue.path ?? []
    const name = String((typeof first === 'object' ? first.key : first) ?? '')
    const limits = fields.find((field) => field.name === name)
    const text = issueText(issue, { limits, value: given[name] }, reader)
    errors[name] = [...new Set([...(errors[name] ?? []), text])]
  }
  return { errors }
}

const LONG = 200

function controlOf({ type, format = '', options, maxLength = 0 }: Described): FieldControl {
  if (options) return { is: 'choice', options: [...options] }
  if (type === 'boolean') return { is: 'yes-no' }
  if (type !== 'string') return { is: 'number' }
  if (format === 'date' || format === 'time') return { is: format }
  if (format === 'date-time') return { is: 'moment' }
  return { is: maxLength > LONG ? 'long' : 'text' }
}

const TYPES_OF_FORMATS: { readonly [format: string]: Column['type'] } = {
  date: 'date',
  time: 'time',
  'date-time': 'datetime',
}

/** A column that holds such a value: texts are read as those of a record's fields. */
function columnOf({ name, type, format = '' }: Described): Column {
  const ofText = TYPES_OF_FORMATS[format] ?? 'text'
  const own = type === 'string' ? ofText : type === 'number' ? 'float' : type
  return {
    ...{ name, declared: '', type: own, nullable: true, generated: false, hasDefault: false },
  }
}

const limit = v.optional(v.number())
const jsonField = v.object({
  type: v.optional(v.union([v.string(), v.array(v.string())])),
  anyOf: v.optional(v.array(v.looseObject({ type: v.optional(v.string()) }))),
  enum: v.optional(v.array(v.unknown())),
  format: v.optional(v.string()),
  title: v.optional(v.string()),
  description: v.optional(v.string()),
  ...{ minLength: limit, maxLength: limit },
  ...{ minimum: limit, maximum: limit, exclusiveMinimum: limit, exclusiveMaximum: limit },
  default: v.optional(v.unknown()),
})
const jsonObject = v.object({
  type: v.literal('object'),
  properties: byName(jsonField),
  required: v.optional(v.array(v.string()), []),
})

function describe(schema: StandardSchemaV1): Described[] {
  const found = v.safeParse(jsonObject, jsonSchemaOf(schema))
  if (!found.success) throw unreadable('it is no object with fields')
  const { properties, required } = found.output
  return Object.entries(properties).map(([name, field]) => {
    const types = [field.type ?? field.anyOf?.map(({ type }) => type ?? '') ?? 'string'].flat()
    const type = types.find((one) => one !== 'null') ?? 'string'
    if (!isType(type)) throw unreadable(`its field [${name}] is of type [${type}]`)
    const choices = field.enum?.filter((one) => one !== null)
    const isOfTexts = choices?.every((one) => typeof one === 'string') ?? true
    if (!isOfTexts && type !== 'integer')
      throw unreadable(`the choices of its field [${name}] are neither texts nor whole numbers`)
    return {
      ...field,
      ...{ name, type, options: choices?.map(String), help: field.description },
      default: textOf(field.default),
      isRequired: required.includes(name),
      isNullable: types.includes('null'),
    }
  })
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, FIELD_MAX)
    : undefined

const TYPES = ['string', 'number', 'integer', 'boolean'] as const
const isType = (type: string): type is Described['type'] => TYPES.some((one) => one === type)

const unreadable = (why: string) => new TypeError(`No form can be made of the schema: ${why}.`)

/** Libraries that follow Standard JSON Schema say it themselves. */
function jsonSchemaOf(schema: StandardSchemaV1): unknown {
  const standard: StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props> = schema['~standard']
  if (standard.jsonSchema) return standard.jsonSchema.input({ target: 'draft-2020-12' })
  const object = v.safeParse(valibotObject, schema)
  if (!object.success)
    throw unreadable('it is neither an object of Valibot nor one that makes JSON Schema')
  const fields = Object.entries(object.output.entries).map(([name, entry]) => {
    const { field, isRequired } = valibotField(entry)
    return { name, field, isRequired }
  })
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, field }) => [name, field])),
    required: fields.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  }
}

const valibotObject = v.object({
  type: v.picklist(['object', 'strict_object', 'loose_object']),
  entries: byName(v.unknown()),
})
const valibotEntry = v.object({
  type: v.string(),
  wrapped: v.optional(v.unknown()),
  default: v.optional(v.unknown()),
  options: v.optional(v.array(v.unknown())),
  pipe: v.optional(
    v.array(
      v.looseObject({
        type: v.string(),
        requirement: v.optional(v.unknown()),
        title: v.optional(v.string()),
        description: v.optional(v.string()),
      }),
    ),
  ),
})

const OPTIONAL = new Set(['optional', 'nullish', 'exact_optional', 'undefinedable'])
const NULLABLE = new Set(['nullable', 'nullish'])
const FORMATS: { readonly [action: string]: string } = {
  iso_date: 'date',
  iso_time: 'time',
  iso_date_time: 'date-time',
  iso_timestamp: 'date-time',
  email: 'email',
  rfc_email: 'email',
  url: 'uri',
}
const LIMITS: { readonly [action: string]: readonly (keyof Limits)[] } = {
  min_length: ['minLength'],
  max_length: ['maxLength'],
  length: ['minLength', 'maxLength'],
  min_value: ['minimum'],
  max_value: ['maximum'],
  gt_value: ['exclusiveMinimum'],
  lt_value: ['exclusiveMaximum'],
}

/** Fractions are typed: how they are written depends on the language. */
function choicesOf(options: readonly unknown[]): Record<string, unknown> {
  if (options.every((one) => Number.isSafeInteger(one))) return { type: 'integer', enum: options }
  if (options.every((one) => typeof one === 'number')) return { type: 'number' }
  return { type: 'string', enum: options }
}

type ValibotField = {
  readonly field: { readonly [name: string]: unknown }
  readonly isRequired: boolean
}

function valibotField(entry: unknown): ValibotField {
  const { type, wrapped, default: value, options, pipe = [] } = v.parse(valibotEntry, entry)
  if (wrapped !== undefined) {
    const inner = valibotField(wrapped)
    const own = typeof value === 'function' ? undefined : value
    return {
      field: {
        ...inner.field,
        ...(own !== undefined && { default: own }),
        ...(NULLABLE.has(type) && { type: [inner.field['type'], 'null'] }),
      },
      isRequired: inner.isRequired && !OPTIONAL.has(type),
    }
  }
  const field: Record<string, unknown> = options
    ? choicesOf(options)
    : { type: pipe.some((one) => one.type === 'integer') ? 'integer' : type }
  for (const { type: action, requirement, title, description } of pipe) {
    if (title !== undefined) field['title'] = title
    if (description !== undefined) field['description'] = description
    for (const name of LIMITS[action] ?? [])
      if (typeof requirement === 'number') field[name] = requirement
    if (action === 'non_empty') field['minLength'] = 1
    if (FORMATS[action]) field['format'] = FORMATS[action]
  }
  return { field, isRequired: true }
}
