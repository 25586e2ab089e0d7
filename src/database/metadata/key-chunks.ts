/** Rows of a plan, by their keys, as compressed bytes and back, with every digit kept. */

import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import * as v from 'valibot'
import { decodeValue, encodeValue } from '../../table/source/predicate-codec.ts'
import type { LeftRow } from '../../table/plans/left-rows.ts'
import type { DigestedRows } from '../../table/source/row-digest.ts'
import type { KeyValues } from '../../table/source/value.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Whole numbers as the steps between them: those of neighbours are all the same. */
const stepsSchema = v.object({ steps: v.array(v.number()) })
const keysSchema = v.array(v.array(v.unknown()))

/** `so`: a sign for each row, 1 for those that are so already. */
const rowsSchema = v.object({
  ...{ keys: v.unknown(), digests: v.array(v.number()) },
  so: v.optional(v.string()),
})

export function packRows({ keys, digests, so }: DigestedRows): Promise<Uint8Array> {
  const packed = stepsOf(keys) ?? keys.map((key) => key.map(encodeValue))
  const signs = so && { so: so.map(Number).join('') }
  return deflate(JSON.stringify(digests ? { keys: packed, digests, ...signs } : packed))
}

/** Throws for bytes that `packRows` has not written. */
export async function unpackRows(bytes: Uint8Array): Promise<DigestedRows> {
  const json: unknown = JSON.parse((await inflate(bytes)).toString())
  if (!v.is(rowsSchema, json)) return { keys: keysIn(json), digests: null }
  const { keys, digests, so } = json
  return { keys: keysIn(keys), digests, ...(so && { so: [...so].map((sign) => sign === '1') }) }
}

/** Rows of a plan that were not written: the reasons, and of each row its key and the place of its reason. */
const leftSchema = v.object({
  reasons: v.array(v.string()),
  rows: v.array(v.tuple([v.number(), v.array(v.unknown())])),
})

export function packLeft(rows: readonly LeftRow[]): Promise<Uint8Array> {
  const reasons = [...new Set(rows.map(({ reason }) => reason))]
  const places = new Map(reasons.map((reason, at) => [reason, at]))
  const packed = rows.map(({ key, reason }) => [places.get(reason), key.map(encodeValue)])
  return deflate(JSON.stringify({ reasons, rows: packed }))
}

/** Throws for bytes that `packLeft` has not written. */
export async function unpackLeft(bytes: Uint8Array): Promise<LeftRow[]> {
  const { reasons, rows } = v.parse(leftSchema, JSON.parse((await inflate(bytes)).toString()))
  return rows.map(([at, key]) => ({ key: key.map(decodeValue), reason: reasons[at] ?? '' }))
}

function keysIn(json: unknown): KeyValues[] {
  if (Array.isArray(json)) return v.parse(keysSchema, json).map((key) => key.map(decodeValue))
  let at = 0
  return v.parse(stepsSchema, json).steps.map((step) => [(at += step)])
}

/** `undefined` unless all keys are one whole number each, whose steps are exact. */
function stepsOf(keys: readonly KeyValues[]): { readonly steps: number[] } | undefined {
  const steps: number[] = []
  let before = 0
  for (const [value, ...others] of keys) {
    if (typeof value !== 'number' || others.length > 0) return undefined
    const step = value - before
    if (!Number.isSafeInteger(value) || !Number.isSafeInteger(step) || Object.is(value, -0))
      return undefined
    steps.push(step)
    before = value
  }
  return { steps }
}
