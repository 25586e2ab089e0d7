/** Decodes values from the browser by the schemas that a component declares. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import { getPath, parsePath, withPath } from '../../protocol/path.ts'
import type { ErrorCode } from '../../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { UPDATE_LIMITS } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import type { Schema } from './component.ts'
import type { AnyComponent } from './define.ts'

/** Validates a value by a schema. Throws `code` with the schema's own message if it is invalid. */
export async function decode<T>(
  schema: Schema<T>,
  value: unknown,
  code: ErrorCode,
  subject: string,
): Promise<T> {
  const result = await schema['~standard'].validate(value)
  if (!result.issues) return result.value
  const [issue] = result.issues
  throw new AppError(code, {
    detail: ({ request }) => request.invalid(subject, issue?.message ?? ''),
  })
}

/** Messages by path, for the person who typed the values. */
export type ValidationErrors = { [path: string]: string[] }

/**
 * The state with the browser's updates applied, each decoded by its property's schema. If a schema
 * refuses a value, returns its errors and the state unchanged. Throws for a path that does not exist
 * or is not writable.
 */
export async function applyUpdates(
  component: AnyComponent,
  params: Json,
  data: JsonObject,
  updates: { readonly [path: string]: Json },
): Promise<{ readonly data: JsonObject; readonly errors: ValidationErrors | null }> {
  const shape = component.state(params)
  const next = { ...data }
  const changed = new Map<string, Changed>()
  for (const [path, value] of Object.entries(updates)) {
    const { property, schema, inside } = readPath(component, shape, path)
    next[property] = write(next[property], inside, value, path)
    const edits = changed.get(property)?.edits
    changed.set(property, { schema, edits: edits ? [...edits, path] : [path] })
  }
  const errors: ValidationErrors = {}
  for (const [property, { schema, edits }] of changed) {
    const result = await schema['~standard'].validate(next[property])
    if (result.issues) addErrors(errors, property, edits, result.issues)
    else next[property] = result.value
  }
  return Object.keys(errors).length > 0 ? { data, errors } : { data: next, errors: null }
}

/** A property's schema, and the paths at which it was edited. */
type Changed = { readonly schema: Schema; readonly edits: readonly [string, ...string[]] }

/** Assigns each issue to the edit that wrote the part in question, else to the first edit. */
function addErrors(
  errors: ValidationErrors,
  property: string,
  edits: Changed['edits'],
  issues: readonly StandardSchemaV1.Issue[],
): void {
  for (const issue of issues) {
    const { message } = issue
    const at = `${[property, ...keysOf(issue)].join('.')}.`
    const edit = edits.find((edit) => at.startsWith(`${edit}.`))
    ;(errors[edit ?? edits[0]] ??= []).push(message)
  }
}

/** The path of an issue, as texts. */
const keysOf = ({ path = [] }: StandardSchemaV1.Issue): string[] =>
  path.map((part) => String(typeof part === 'object' ? part.key : part))

/**
 * Decodes every declared property of a state and drops all others. An invalid value is a bug of the
 * component, because values from the browser were checked before.
 */
export const decodeState = (
  component: AnyComponent,
  params: Json,
  state: JsonObject,
): Promise<JsonObject> => decodeAll(component, component.state(params), state)

/** Whether parameters and state are such as the component declares now, neither more nor less. */
export async function fitsDefinition(
  component: AnyComponent,
  params: Json,
  state: JsonObject,
): Promise<boolean> {
  const given = component.params && (await component.params['~standard'].validate(params))
  if (given?.issues) return false
  const shape = component.state(params)
  if (Object.keys(state).some((property) => !shape.has(property))) return false
  for (const [property, schema] of shape)
    if ((await schema['~standard'].validate(state[property])).issues) return false
  return true
}

/** The same for some of the properties, such as those that `load` returned. */
export function decodeProperties(
  component: AnyComponent,
  params: Json,
  properties: Partial<JsonObject>,
): Promise<JsonObject> {
  const shape = component.state(params)
  const some = Object.keys(properties).flatMap((name) => {
    const schema = shape.get(name)
    return schema && properties[name] !== undefined ? [[name, schema] as const] : []
  })
  return decodeAll(component, some, properties)
}

async function decodeAll(
  component: AnyComponent,
  shape: Iterable<readonly [string, Schema]>,
  state: Partial<JsonObject>,
): Promise<JsonObject> {
  const decoded: JsonObject = {}
  for (const [property, schema] of shape) {
    // Most schemas are synchronous, and awaiting each would cost more than they do.
    const checked = schema['~standard'].validate(state[property])
    const result = checked instanceof Promise ? await checked : checked
    if (result.issues)
      throw new TypeError(
        `Component [${component.name}]: its state [${property}] does not fit its schema: ${result.issues[0]?.message ?? 'not valid'}`,
      )
    if (result.value !== undefined) decoded[property] = result.value
  }
  return decoded
}

/** The declared properties of a state. Others that code has added never leave the server. */
export function declaredState(
  component: AnyComponent,
  params: Json,
  state: Readonly<JsonObject>,
): JsonObject {
  const declared: JsonObject = {}
  for (const property of component.state(params).keys())
    if (state[property] !== undefined) declared[property] = state[property]
  return declared
}

/**
 * Decodes the parameters that a page gives. An invalid value is a bug of the page, so the error names
 * the path of the value and `place`, where the page gives it.
 */
export async function decodeParams(
  component: AnyComponent,
  params: Json,
  place: string,
): Promise<Json> {
  if (!component.params) return null
  const result = await component.params['~standard'].validate(params)
  if (!result.issues) return result.value
  throw new TypeError(
    `Component [${component.name}]: its params do not fit their schema: ${issueText(result.issues[0])} (${place})`,
  )
}

/** The first mistake in parameters with its path; `undefined` if there is none. */
export async function paramsMistake(
  component: AnyComponent,
  params: Json,
): Promise<string | undefined> {
  const result = await component.params?.['~standard'].validate(params)
  return result?.issues && issueText(result.issues[0])
}

function issueText(issue: StandardSchemaV1.Issue | undefined): string {
  const at = issue ? keysOf(issue).join('.') : ''
  return `${at === '' ? '' : `[${at}]: `}${issue?.message ?? 'not valid'}`
}

function readPath(
  component: AnyComponent,
  shape: ReadonlyMap<string, Schema>,
  path: string,
): { readonly property: string; readonly schema: Schema; readonly inside: readonly string[] } {
  const [property = '', ...inside] = parsePath(path) ?? []
  const schema = shape.get(property)
  if (!schema || inside.length >= UPDATE_LIMITS.pathSegments)
    throw new AppError('UPDATE_INVALID', { detail: ({ request }) => request.noProperty })
  if (!component.writable.has(property)) throw new AppError('PROPERTY_LOCKED')
  return { property, schema, inside }
}

/** Like `withPath`, but only along existing values; an array grows by one at most. */
function write(
  root: Json | undefined,
  segments: readonly string[],
  value: Json,
  path: string,
): Json {
  let at: Json | undefined = root
  for (const segment of segments) {
    const fits = Array.isArray(at)
      ? /^(0|[1-9]\d{0,5})$/.test(segment) && Number(segment) <= at.length
      : isJsonObject(at)
    if (!fits)
      throw new AppError('UPDATE_INVALID', {
        detail: ({ request }) => request.nothingAt(path.slice(0, 80)),
      })
    at = at === undefined ? at : getPath(at, [segment])
  }
  return withPath(root, segments, value)
}
