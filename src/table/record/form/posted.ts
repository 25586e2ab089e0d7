/** Reads a form that was posted without script: which fields were touched, and what they hold now. */

import * as v from 'valibot'
import { type FieldInput, POSTED } from '../../../protocol/form-view.ts'
import { endedAs } from '../../../protocol/line-ends.ts'
import { UPDATE_LIMITS } from '../../../protocol/wire.ts'
import { AppError } from '../../../server/app-error.ts'
import type { Reader } from '../../../server/http/locale.ts'
import { parseStrictJson } from '../../../server/http/strict-json.ts'
import type { OpenTable } from '../../catalog.ts'
import { byName } from '../../source/by-name.ts'
import { drawFields } from './field.ts'
import type { Texts } from './changed.ts'
import type { Readings } from './readings.ts'

/** The fields of a posted form by name, each once. */
export type Fields = ReadonlyMap<string, string>

export type Posted = {
  /** The texts that were typed, of the fields that were touched. */
  readonly typed: Texts
  /** What these held when the person saw them. */
  readonly seen: Texts
  /** How these were read when the person saw them. */
  readonly readings: Readings
  /** Those of them whose text may be the name of a related row, in place of its key. */
  readonly named: readonly string[]
}

const text = v.nullable(v.string())
export const shownSchema = byName(
  v.strictObject({
    seen: text,
    held: v.optional(text),
    label: v.optional(v.string()),
    reading: v.optional(v.string()),
    told: v.optional(text),
  }),
)

export type ShownField = v.InferOutput<typeof shownSchema>[string]

/** Throws `REQUEST_INVALID`. */
export function readPosted(
  open: OpenTable,
  fields: Fields,
  { isNew, reader }: { readonly isNew: boolean; readonly reader: Reader },
): Posted {
  const shown = readShown(fields.get(POSTED.shown))
  const values = Object.fromEntries([...shown].map(([name, { seen }]) => [name, seen]))
  const asked = drawFields(open, { values, isNew, labels: new Map() }, reader)
  const inputs = new Map(
    asked.flatMap((one) => ('input' in one ? [[one.input.name, one.input]] : [])),
  )
  const names = [...fields.keys()].flatMap((field) =>
    field.startsWith(POSTED.text) ? [field.slice(POSTED.text.length)] : [],
  )
  return touchedIn(names, { fields, shown, inputs, prefix: '', isNew })
}

type Reading = {
  readonly fields: Fields
  readonly shown: ReadonlyMap<string, ShownField>
  readonly inputs: ReadonlyMap<string, FieldInput>
  /** Stands before the names of the fields. */
  readonly prefix: string
  readonly isNew: boolean
}

/** Which of these fields were touched. */
export function touchedIn(
  names: readonly string[],
  { fields, shown, inputs, prefix, isNew }: Reading,
): Posted {
  const touched = names.flatMap((name) => {
    const sent = fields.get(prefix + POSTED.text + name)
    if (sent === undefined) return []
    const was = shown.get(name)
    if (!was) return [{ name, text: sent, seen: null, reading: undefined, isNamed: false }]
    const stays = fields.get(prefix + POSTED.stays + name)
    if (was.told !== undefined && stays === 'theirs') return []
    const input = inputs.get(name)
    const text = textOf(sent, {
      ...{ was, input },
      isNone: fields.has(prefix + POSTED.none + name),
      isEmpty: fields.has(prefix + POSTED.empty + name),
    })
    const seen = was.told !== undefined && stays === 'mine' ? was.told : was.seen
    const isNamed = input?.control.is === 'relation' && text !== null && text !== was.seen
    // A new row is written with all that it begins with, another one with what was changed.
    const isTouched = isNew ? text !== null : text !== was.seen
    return isTouched ? [{ name, text, seen, reading: was.reading, isNamed }] : []
  })
  return {
    typed: Object.fromEntries(touched.map(({ name, text }) => [name, text])),
    seen: Object.fromEntries(touched.map(({ name, seen }) => [name, seen])),
    readings: Object.fromEntries(
      touched.flatMap(({ name, reading }) => (reading === undefined ? [] : [[name, reading]])),
    ),
    named: touched.flatMap(({ name, isNamed }) => (isNamed ? [name] : [])),
  }
}

function readShown(sent: string | undefined): ReadonlyMap<string, ShownField> {
  const parsed = v.safeParse(shownSchema, parseStrictJson(sent ?? '{}', UPDATE_LIMITS.depth))
  if (!parsed.success)
    throw new AppError('REQUEST_INVALID', { detail: ({ request }) => request.at(POSTED.shown) })
  return new Map(Object.entries(parsed.output))
}

const heldOf = ({ seen, held }: ShownField): string | null => (held === undefined ? seen : held)

type Sent = {
  readonly was: ShownField
  readonly input: FieldInput | undefined
  /** Whether *No value* is ticked, and *Empty text*: a text without either is what it says. */
  readonly isNone: boolean
  readonly isEmpty: boolean
}

/** What the field holds; exactly what it held before, unless somebody has changed it. */
function textOf(sent: string, { was, input, isNone, isEmpty }: Sent): string | null {
  const held = heldOf(was)
  const control = input?.control.is
  // An option has a sign before its value, since no value is an option as well; a field of a kind's own has none.
  if (control === 'choice' || control === 'yes-no')
    return sent === '' ? null : sent.replace(/^=/, '')
  if (isNone) return null
  if (sent === '' && held === null) return isEmpty ? '' : null
  if (isSame(sent, was.label ?? held ?? '', control)) return held
  return sent === '' && !input?.takesEmpty ? null : endedAs(lines(sent), held)
}

/** Whether a browser sends this for a field that was drawn with the text: it ends lines in its own way. */
function isSame(sent: string, drawn: string, control: string | undefined): boolean {
  const isLong = control === 'long' || control === 'json'
  const kept = drawn.replaceAll('\0', '\uFFFD').toWellFormed()
  return lines(sent) === (isLong ? lines(kept) : kept.replace(/[\r\n]/g, ''))
}

const lines = (text: string): string => text.replace(/\r\n?/g, '\n')
