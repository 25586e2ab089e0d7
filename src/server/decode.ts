/** Values from the browser, taken in by the schemas that a component declared. */

import { parsePath, withPath } from '../protocol/path.ts'
import type { ErrorCode } from '../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'
import { UPDATE_LIMITS } from '../protocol/wire.ts'
import { AppError } from './app-error.ts'
import type { Component, Schema } from './component.ts'

/** Runs a schema; throws `code` with the schema's own words where the value does not fit. */
export async function decode<T>(
  schema: Schema<T>,
  value: unknown,
  code: ErrorCode,
  subject: string,
): Promise<T> {
  const result = await schema['~standard'].validate(value)
  if (!result.issues) return result.value
  throw new AppError(code, { detail: `${subject}: ${result.issues[0]?.message ?? 'not valid'}` })
}

/**
 * The state with the browser's updates applied, each decoded by its property's schema.
 * Nothing is changed in place, so one bad value leaves all of it as it was.
 */
export async function applyUpdates(
  component: Component,
  data: JsonObject,
  updates: { readonly [path: string]: Json },
): Promise<JsonObject> {
  const next = { ...data }
  const changed = new Set<string>()
  for (const [path, value] of Object.entries(updates)) {
    const segments = readPath(component, path)
    const property = segments[0]!
    next[property] = write(next[property], segments.slice(1), value, path)
    changed.add(property)
  }
  for (const property of changed)
    next[property] = await decode(
      component.state.get(property)!,
      next[property],
      'UPDATE_INVALID',
      property,
    )
  return next
}

function readPath(component: Component, path: string): string[] {
  const segments = parsePath(path)
  const property = segments?.[0]
  const known = property !== undefined && component.state.has(property)
  if (!segments || !known || segments.length > UPDATE_LIMITS.pathSegments)
    throw new AppError('UPDATE_INVALID', { detail: 'There is no such property.' })
  if (!component.writable.has(property)) throw new AppError('PROPERTY_LOCKED')
  return segments
}

/** Like `withPath`, but only along what is there: an array grows by one at most. */
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
        detail: `There is nothing at [${path.slice(0, 80)}].`,
      })
    at = Object.hasOwn(at as object, segment) ? (at as JsonObject)[segment] : undefined
  }
  return withPath(root, segments, value)
}
