/** Keys of a plan and what their rows held as compressed bytes and back, with every digit kept. */

import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import * as v from 'valibot'
import { decodeValue, encodeValue } from '../../table/source/predicate-codec.ts'
import type { PlanChunk } from '../../table/plans/plan-store.ts'
import type { KeyValues } from '../../table/source/value.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Whole numbers as the steps between them: those of neighbours are all the same. */
const stepsSchema = v.object({ steps: v.array(v.number()) })
const keysSchema = v.array(v.array(v.unknown()))

const chunkSchema = v.object({ keys: v.unknown(), seen: v.nullable(v.array(v.number())) })

export const packChunk = ({ keys, seen }: PlanChunk): Promise<Uint8Array> =>
  deflate(JSON.stringify({ keys: stepsOf(keys) ?? keys.map((key) => key.map(encodeValue)), seen }))

/** Throws for bytes that `packChunk` has not written. */
export async function unpackChunk(bytes: Uint8Array): Promise<PlanChunk> {
  const json: unknown = JSON.parse((await inflate(bytes)).toString())
  // Chunks of earlier versions are keys alone.
  const { keys, seen } = v.is(chunkSchema, json) ? json : { keys: json, seen: null }
  return { keys: unpackKeys(keys), seen }
}

function unpackKeys(json: unknown): KeyValues[] {
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
