/** The form of what somebody asks for a selection; `readAsk` reads it. */

import * as v from 'valibot'
import type { BulkAsk, FieldEdit } from '../../protocol/plan-view.ts'
import { FIELD_MAX } from '../record/form/field.ts'
import { byName } from '../source/by-name.ts'

const FIELDS_MAX = 200
const name = v.pipe(v.string(), v.maxLength(200))
const text = v.pipe(v.string(), v.maxLength(FIELD_MAX))

const editSchema: v.GenericSchema<unknown, FieldEdit> = v.variant('how', [
  v.strictObject({ how: v.literal('set'), text: v.nullable(text) }),
  v.strictObject({ how: v.picklist(['add', 'multiply', 'append']), text }),
  v.strictObject({ how: v.literal('replace'), text, with: text }),
  v.strictObject({ how: v.literal('copy'), column: name }),
  v.strictObject({ how: v.literal('now') }),
])

const fewEntries = <Type>(entries: v.GenericSchema<unknown, { [key: string]: Type }>) =>
  v.pipe(
    entries,
    v.check((all) => Object.keys(all).length <= FIELDS_MAX),
  )

/** What was entered in the form of an action of the table's own. */
export const ownSchema = {
  name,
  texts: fewEntries(byName(v.nullable(text), name)),
}

export const askSchema: v.GenericSchema<unknown, BulkAsk> = v.variant('do', [
  v.strictObject({ do: v.literal('edit'), fields: fewEntries(byName(editSchema, name)) }),
  v.strictObject({ do: v.picklist(['delete', 'mark', 'restore']) }),
  v.strictObject({ do: v.literal('own'), ...ownSchema }),
])
