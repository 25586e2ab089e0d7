/** Images of rows as JSON and back, with every digit kept. */

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { byName } from '../../table/source/by-name.ts'
import {
  type ImageValue,
  type ImageValues,
  isKept,
  type RowImage,
} from '../../table/source/ledger-entry.ts'
import { decodeValue, encodeValue } from '../../table/source/predicate-codec.ts'
import type { KeyValues } from '../../table/source/value.ts'

const values = v.nullable(byName(v.unknown()))
const images = v.array(v.strictTuple([v.array(v.unknown()), values, values, v.picklist([0, 1])]))
const apart = v.union([
  v.strictObject({ $digest: v.string(), bytes: v.number() }),
  v.strictObject({ $lost: v.number() }),
])

/** What an encoded image holds of a value that stands apart; in a text, its quotes would be escaped. */
export const DIGEST = '"$digest":"'

/** Digests of the values that stand apart from encoded images. */
export const digestsIn = (encoded: string): string[] =>
  encoded
    .split(DIGEST)
    .slice(1)
    .flatMap((rest) => rest.split('"', 1))

/** All of one table. */
export const encodeImages = (some: readonly RowImage[]): string =>
  JSON.stringify(
    some.map(({ key, before, after, cascaded }) => [
      key.map(encodeValue),
      before && encodeValues(before),
      after && encodeValues(after),
      cascaded ? 1 : 0,
    ]),
  )

/** Throws for a text that `encodeImages` has not written. */
export const decodeImages = (table: string, text: string): RowImage[] =>
  v.parse(images, JSON.parse(text)).map(([key, before, after, cascaded]) => ({
    table,
    key: key.map(decodeValue),
    before: before && decodeValues(before),
    after: after && decodeValues(after),
    ...(cascaded === 1 && { cascaded: true }),
  }))

const encodeValues = (of: ImageValues) =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, encodeImageValue(value)]))

export function encodeImageValue(value: ImageValue): unknown {
  if (isKept(value)) return encodeValue(value)
  return 'lost' in value ? { $lost: value.lost } : { $digest: value.digest, bytes: value.bytes }
}

const decodeValues = (of: Readonly<Record<string, unknown>>): ImageValues =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, decodeImageValue(value)]))

export function decodeImageValue(json: unknown): ImageValue {
  const found = v.safeParse(apart, json)
  if (!found.success) return decodeValue(json)
  const { output } = found
  return '$lost' in output
    ? { lost: output.$lost }
    : { digest: output.$digest, bytes: output.bytes }
}

/** Longest key that an index holds as it is, characters. */
const KEY_MAX = 200

/** A row's key as the ledger finds it by: long ones by their digest. */
export function rowKeyOf(key: KeyValues): string {
  const text = JSON.stringify(key.map(encodeValue))
  return text.length <= KEY_MAX ? text : digestOf(text)
}

export const digestOf = (value: string | Uint8Array): string =>
  createHash('sha256').update(value).digest('base64url')
