/** What somebody asks for a selection, read as what is written; or what is wrong with it, by field. */

import { messagesFor } from '../../messages/messages.ts'
import { plainNumber } from '../../protocol/numbers.ts'
import type { BulkAsk, FieldEdit } from '../../protocol/plan-view.ts'
import { AppError } from '../../server/app-error.ts'
import { readInput } from '../actions/input-fields.ts'
import { problemText } from '../changes/problem-text.ts'
import { problemsOfValues } from '../changes/value-rules.ts'
import { countsTime, countUnit } from '../definition/counted-time.ts'
import { minorCurrency } from '../definition/currency.ts'
import { inMinor } from '../source/minor-units.ts'
import { readOnlyReason } from '../list/read-only.ts'
import { readAll, type Texts, withoutEmptied } from '../record/form/changed.ts'
import { isAmbiguousIn, THOUSANDTHS } from '../record/form/read-text.ts'
import { markNow, markOf, mayMark } from '../record/marking.ts'
import { type Computed, givenIn, type NewValues, suits } from '../source/computed.ts'
import type { Predicate } from '../source/predicate.ts'
import type { Column } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import type { Asking } from './asking.ts'
import { isEditable, isSource } from './bulk-fields.ts'
import { findAction } from './own-action.ts'
import type { PlannedWrite } from './plan-content.ts'

export type FieldErrors = { [field: string]: string[] }

/** `unless`: rows of the selection that are so already. */
export type ReadAsk = { readonly write: PlannedWrite; readonly unless?: Predicate }

type Reading = Pick<Asking, 'open' | 'reader'>

/** Throws `FORBIDDEN` for what the actor is not offered, and `NOT_FOUND` for an action that is not there. */
export async function readAsk(
  reading: Reading,
  ask: BulkAsk,
): Promise<ReadAsk | { errors: FieldErrors }> {
  const { open, reader } = reading
  if (ask.do === 'own') return readOwn(reading, ask)
  const why = readOnlyReason(open, reader, ask.do === 'delete' ? 'delete' : 'update')
  if (why !== null) return { errors: { '': [why] } }
  switch (ask.do) {
    case 'edit':
      return readEdit(reading, ask.fields)
    case 'delete':
      return { write: { delete: true } }
    case 'mark':
    case 'restore':
      return readMark(reading, ask.do === 'mark')
  }
}

async function readOwn(
  { open, reader }: Reading,
  { name, texts }: Extract<BulkAsk, { do: 'own' }>,
): Promise<ReadAsk | { errors: FieldErrors }> {
  const { input } = findAction(open, name)
  const read = input ? await readInput(input, texts, reader) : { input: undefined }
  return 'errors' in read ? read : { write: { own: name, texts: input ? texts : {} } }
}

function readMark({ open }: Reading, isDeleted: boolean): ReadAsk {
  const column = markOf(open)
  if (column === undefined || !mayMark(open)) throw new AppError('FORBIDDEN')
  const isUnmarked: Predicate = { op: 'null', column }
  return isDeleted
    ? { write: { set: { [column]: markNow(open, column) } }, unless: { op: 'not', of: isUnmarked } }
    : { write: { set: { [column]: null } }, unless: isUnmarked }
}

function readEdit(
  reading: Reading,
  fields: { readonly [column: string]: FieldEdit },
): ReadAsk | { errors: FieldErrors } {
  const { open, reader } = reading
  const { sealing } = messagesFor(reader.language)
  const asked = Object.entries(fields)
  if (asked.length === 0) return { errors: { '': [sealing.nothingAsked] } }
  const columns = new Map(open.access.table.columns.map((column) => [column.name, column]))
  // Maps, since a column may be called `__proto__`.
  const texts = new Map<string, string | null>()
  const worked = new Map<string, Computed>()
  /** The present moment, as columns that count time hold it. */
  const counts = new Map<string, Value>()
  const errors: FieldErrors = {}
  for (const [name, edit] of asked) {
    const column = columns.get(name)
    if (!column || !isEditable(open, column)) throw new AppError('FORBIDDEN')
    const isCounted = countsTime(open.definition, column)
    if (edit.how === 'set') texts.set(name, edit.text)
    else if (isCounted && edit.how === 'now')
      counts.set(name, Math.floor(Date.now() / countUnit(open.definition, column)))
    else if (isCounted && edit.how !== 'copy') throw new AppError('FORBIDDEN')
    else {
      // Engines differ in what a column holds while it is set.
      const isSet = edit.how === 'copy' && Object.hasOwn(fields, edit.column)
      const computed = isSet ? sealing.copiedFromChanged : computedOf(reading, column, edit)
      if (typeof computed === 'string') errors[name] = [computed]
      else worked.set(name, computed)
    }
  }
  const given = readGiven(reading, Object.fromEntries(texts))
  const all = { ...given.errors, ...errors }
  return Object.keys(all).length > 0
    ? { errors: all }
    : {
        write: {
          set: inOrder(asked, { ...given.values, ...Object.fromEntries([...worked, ...counts]) }),
        },
      }
}

/** As they were asked. */
const inOrder = (asked: readonly (readonly [string, unknown])[], values: NewValues): NewValues =>
  Object.fromEntries(
    asked.flatMap(([name]) => Object.entries(values).filter(([other]) => other === name)),
  )

/** The values of texts, as a form reads them, and what the schema has against them. */
function readGiven({ open, reader }: Reading, texts: Texts) {
  const read = withoutEmptied(open, readAll(open, texts, reader), {}, false)
  const errors: FieldErrors = { ...read.errors }
  for (const problem of problemsOfValues(open.access.table, givenIn(read.values)))
    for (const name of problem.columns)
      errors[name] = [problemText(problem, open.definition, reader)]
  return { values: read.values, errors }
}

/** How it is worked out, or why it cannot be. Throws `FORBIDDEN` for a column that the actor may not read. */
function computedOf(
  { open, reader }: Reading,
  column: Column,
  edit: Exclude<FieldEdit, { how: 'set' }>,
): Computed | string {
  const { form, sealing } = messagesFor(reader.language)
  const other =
    edit.how === 'copy'
      ? open.access.table.columns.find(({ name }) => name === edit.column)
      : undefined
  const isFit = other && open.access.canRead(other.name) && isSource(open, column, other)
  if (edit.how === 'copy' && !isFit) throw new AppError('FORBIDDEN')
  const minor = minorCurrency(open.definition.columns.get(column.name) ?? {})
  const isFine = minor !== undefined && minor.digits >= THOUSANDTHS
  // A factor may have decimals, whatever it multiplies.
  const numbers = edit.how === 'multiply' || isFine ? FACTOR : column
  if (
    (edit.how === 'add' || edit.how === 'multiply') &&
    isAmbiguousIn(numbers, edit.text, reader.locale)
  )
    return form.unreadable.ambiguous
  const computed = workedOut(edit, reader.locale)
  if (!computed) return form.unreadable.number
  if (minor && 'add' in computed) {
    const add = inMinor(String(computed.add), minor.digits)
    return add === undefined ? form.unreadable.digits : { add }
  }
  if (suits(computed, column, other)) return computed
  if (edit.how === 'replace') return sealing.nothingToReplace
  const isAmount = edit.how === 'add' || edit.how === 'multiply'
  if (!isAmount) throw new AppError('FORBIDDEN')
  return column.type === 'integer' ? form.unreadable.whole : form.unreadable.number
}

const FACTOR = { type: 'decimal' } as const

/** `undefined` for an amount that is no number. */
function workedOut(edit: Exclude<FieldEdit, { how: 'set' }>, locale: string): Computed | undefined {
  switch (edit.how) {
    case 'add':
    case 'multiply': {
      const amount = plainNumber(edit.text, locale)
      if (!amount) return undefined
      return edit.how === 'add' ? { add: amount } : { multiply: amount }
    }
    case 'append':
      return { append: edit.text }
    case 'replace':
      return { replace: edit.text, with: edit.with }
    case 'copy':
      return { column: edit.column }
    case 'now':
      return { now: true }
  }
}
