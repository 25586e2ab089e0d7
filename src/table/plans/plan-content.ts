/** What a sealed plan writes, as JSON and back, with every digit kept. */

import * as v from 'valibot'
import type { BulkAsk } from '../../protocol/plan-view.ts'
import type { InputTexts } from '../actions/input-fields.ts'
import { byName } from '../source/by-name.ts'
import { type Computed, isComputed, type NewValue, type NewValues } from '../source/computed.ts'
import type { Predicate } from '../source/predicate.ts'
import {
  decodePredicate,
  decodeValue,
  encodePredicate,
  encodeValue,
} from '../source/predicate-codec.ts'
import { askSchema } from './ask-schema.ts'

export type PlannedWrite =
  | { readonly set: NewValues }
  | { readonly delete: true }
  /** An action of the table's own, and the texts of its form. */
  | { readonly own: string; readonly texts: InputTexts }

export type PlanContent = {
  readonly ask: BulkAsk['do']
  /** What was asked, so that it can be asked again. */
  readonly asked?: BulkAsk
  /** How many rows were refused as it was sealed. */
  readonly refused?: number
  /** How many of its rows are so already: they are compared and not written. */
  readonly so?: number
  readonly write: PlannedWrite
  /** The condition that the rows fulfil, by which they are written. */
  readonly where: Predicate
  /** How many rows fulfil it: those of the plan, and those that the table's rules refuse. */
  readonly matching: number
  /** The columns by whose values its rows are known: those that hold others by then are not written. */
  readonly compared: readonly string[]
  /** What it is called, for who has sealed it. */
  readonly title: string
  /** What its row is called, if it was asked of one alone. */
  readonly only?: string
  readonly runs: 'at-once' | 'job'
}

const text = v.string()
const computed: v.GenericSchema<unknown, Computed> = v.union([
  v.strictObject({ add: text }),
  v.strictObject({ multiply: text }),
  v.strictObject({ append: text }),
  v.strictObject({ replace: text, with: text }),
  v.strictObject({ column: text }),
  v.strictObject({ now: v.literal(true) }),
])
const contentSchema = v.strictObject({
  ask: v.picklist(['edit', 'delete', 'mark', 'restore', 'own']),
  asked: v.exactOptional(askSchema),
  refused: v.exactOptional(v.number()),
  so: v.exactOptional(v.number()),
  write: v.union([
    v.strictObject({ delete: v.literal(true) }),
    v.strictObject({ own: v.string(), texts: byName(v.nullable(v.string())) }),
    v.strictObject({ set: byName(v.unknown()) }),
  ]),
  where: v.unknown(),
  matching: v.number(),
  // Plans of earlier versions compare none.
  compared: v.optional(v.array(v.string()), []),
  title: v.string(),
  only: v.exactOptional(v.string()),
  runs: v.picklist(['at-once', 'job']),
})
const workedOut = v.strictObject({ $computed: computed })

export function encodeContent({ write, where, ...rest }: PlanContent): string {
  const encoded = !('set' in write)
    ? write
    : { set: Object.fromEntries(Object.entries(write.set).map(([n, one]) => [n, encode(one)])) }
  return JSON.stringify({ ...rest, write: encoded, where: encodePredicate(where) })
}

/** Throws for a text that `encodeContent` has not written. */
export function decodeContent(json: string): PlanContent {
  const { write, where, ...rest } = v.parse(contentSchema, JSON.parse(json))
  return { ...rest, write: writeOf(write), where: decodePredicate(where) }
}

const writeOf = (write: v.InferOutput<typeof contentSchema>['write']): PlannedWrite =>
  !('set' in write)
    ? write
    : { set: Object.fromEntries(Object.entries(write.set).map(([n, one]) => [n, decode(one)])) }

/** Amounts are texts, so that what is worked out is JSON as it is. */
const encode = (value: NewValue): unknown =>
  isComputed(value) ? { $computed: value } : encodeValue(value)

function decode(json: unknown): NewValue {
  const found = v.safeParse(workedOut, json)
  return found.success ? found.output.$computed : decodeValue(json)
}
