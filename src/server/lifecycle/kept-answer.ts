/** Makes the text that is stored of a write's answer for a retry; the outcome is kept however long it is. */

import type { Json, JsonObject } from '../../protocol/json.ts'
import type { Effects } from '../../protocol/wire.ts'
import { ANSWER_BYTES } from './idempotency.ts'

/** The outcome of calls: all effects but the view, and the state. */
export type Answer = { effects: Effects; state: JsonObject }

/** Bytes for what the calls returned, and for the messages about fields, where not all has room. */
const RETURNS_BYTES = 2400
const ERRORS_BYTES = 1000
const ERROR_BYTES = 900

/**
 * The answer as text, of at most `ANSWER_BYTES`. Where that is too little, it leaves out the state first, which
 * a retry sends again, and then cuts long values: what was done, whether it conflicts and why it was refused
 * stay, and `shortened` says that more was there.
 */
export function keptAnswer({ effects, state }: Answer): string {
  const wholes: Answer[] = [
    { effects, state },
    { effects, state: {} },
  ]
  const whole = wholes
    .map((one) => JSON.stringify(one))
    .find((text) => sizeOf(text) <= ANSWER_BYTES)
  return whole ?? JSON.stringify({ effects: shortened(effects), state: {} })
}

function shortened({ returns, errors, ...others }: Effects): Effects {
  const share = Math.floor(RETURNS_BYTES / (returns?.length || 1))
  let kept: Effects = {
    shortened: true,
    ...(returns && { returns: returns.map((value) => cut(value, share)) }),
    ...(errors && { errors: cutErrors(errors) }),
  }
  for (const [name, value] of Object.entries(others)) {
    const more: Effects = { ...kept, [name]: value }
    if (sizeOf(JSON.stringify({ effects: more, state: {} })) <= ANSWER_BYTES) kept = more
  }
  return kept
}

/** The beginning of the first message of each field, as far as there is room. */
function cutErrors(errors: NonNullable<Effects['errors']>): NonNullable<Effects['errors']> {
  let kept: NonNullable<Effects['errors']> = {}
  for (const [field, [first = '']] of Object.entries(errors)) {
    const more = { ...kept, [field]: [cutText(first, ERROR_BYTES)] }
    if (sizeOf(JSON.stringify(more)) > ERRORS_BYTES) break
    kept = more
  }
  return kept
}

/** The value within so many bytes: short members of an object come first, and lists and texts end early. */
function cut(value: Json, bytes: number): Json {
  if (sizeOf(JSON.stringify(value)) <= bytes) return value
  if (typeof value === 'string') return cutText(value, bytes)
  if (Array.isArray(value)) return cutList(value, bytes)
  if (typeof value === 'object' && value !== null) return cutObject(value, bytes)
  return null
}

function cutObject(whole: JsonObject, bytes: number): JsonObject {
  const kept: JsonObject = {}
  const sizes = Object.entries(whole).map(
    ([name, value]) => [name, value, sizeOf(JSON.stringify(value))] as const,
  )
  let left = bytes - 2
  for (const [name, value] of sizes.toSorted(([, , one], [, , other]) => one - other)) {
    const head = sizeOf(JSON.stringify(name)) + 2
    // An empty text or list takes two bytes.
    if (left < head + 2) continue
    kept[name] = cut(value, left - head)
    left -= head + sizeOf(JSON.stringify(kept[name]))
  }
  return kept
}

function cutList(whole: readonly Json[], bytes: number): Json[] {
  const kept: Json[] = []
  let left = bytes - 2
  for (const item of whole) {
    const size = sizeOf(JSON.stringify(item)) + 1
    if (size > left) {
      if (kept.length === 0 && typeof item === 'string') kept.push(cutText(item, left - 1))
      break
    }
    kept.push(item)
    left -= size
  }
  return kept
}

/** A character takes at most six bytes where it is escaped. */
const cutText = (whole: string, bytes: number): string => {
  if (sizeOf(JSON.stringify(whole)) <= bytes) return whole
  const most = Math.max(0, Math.floor((bytes - 5) / 6))
  return most === 0 ? '' : `${whole.slice(0, most).toWellFormed()}…`
}

const sizeOf = (text: string): number => Buffer.byteLength(text)
