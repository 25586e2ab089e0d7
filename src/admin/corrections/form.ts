/** Reads what an administrator has entered of a table or column, and makes corrections of what was changed. */

import * as v from 'valibot'
import { type Json, sameJson } from '../../protocol/json.ts'
import { AppError, type Detail } from '../../server/app-error.ts'
import type { CorrectedCatalog, OpenTable } from '../../table/catalog.ts'
import { type CorrectedPart, type Correction, judge } from '../../table/definition/corrections.ts'
import { LABEL_MAX, own, readSort, UNIT_MAX } from '../../table/definition/define-table.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'
import type { CorrectionChange } from './corrections.ts'
import { optionOf } from './currencies.ts'
import { namesValue, partsOf, type PartValues, saidByCode, sortOf, valuesOf } from './values.ts'

const name = v.pipe(v.string(), v.maxLength(1000))
/** One control, or several of the same name. */
const names = v.pipe(
  v.optional(v.union([name, v.pipe(v.array(name), v.maxLength(10_000))]), []),
  v.transform((one) => [one].flat()),
)
const json = v.pipe(v.string(), v.maxLength(200_000), v.parseJson())

/** Other names are places of columns, which a browser without script sends. */
export const correctionForm = v.looseObject({
  column: v.optional(name),
  /** What the fields held when the page was drawn. */
  seen: v.optional(
    v.pipe(
      json,
      v.record(
        v.string(),
        v.custom<Json>(() => true),
      ),
    ),
    '{}',
  ),
  /** Takes back this one, which was made at this time, and saves nothing else. */
  back: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(2000),
      v.parseJson(),
      v.tuple([v.nullable(name), name, v.number()]),
    ),
  ),
  label: v.optional(name),
  kind: v.optional(name),
  unit: v.optional(name),
  currency: v.optional(name),
  minorUnit: v.optional(name),
  labelColumn: names,
  sort: names,
  direction: names,
  shown: names,
  /** Values of the column, and what each is called. */
  stored: names,
  named: names,
})

export type CorrectionForm = v.InferOutput<typeof correctionForm>

/** What a form's places of columns begin with, without script. */
const PLACE = 'place:'

export type Entered = {
  readonly open: OpenTable
  readonly corrected: CorrectedCatalog
  /** As it would be without corrections. */
  readonly before: TableDefinition
  readonly column: string | null
}

/** What is wrong with a part; `at` says in which of its fields, where it has several. Default: all. */
export type PartFault = {
  readonly part: CorrectedPart
  readonly detail: Detail
  /** It names a column that is not there, or that the person may not see. */
  readonly isUnknown?: true
  readonly at?: { readonly field: 'stored' | 'named'; readonly places: readonly number[] }
}

/** What was entered does not suit, each part for a reason of its own. */
export class CorrectionsRefused extends AppError {
  readonly faults: readonly PartFault[]

  constructor(faults: readonly PartFault[]) {
    super('REQUEST_INVALID', {
      detail: (...words) => faults.map(({ detail }) => detail(...words)).join(' '),
    })
    this.faults = faults
  }
}

/** What the form holds that the page did not when it was drawn. */
export function changedIn(form: CorrectionForm, entered: Entered): PartValues {
  const values = enteredIn(form, entered)
  const isChanged = (part: CorrectedPart) =>
    values[part] !== undefined && !sameJson(values[part], form.seen[part])
  return Object.fromEntries(
    partsOf(entered.column).flatMap((part) => (isChanged(part) ? [[part, values[part]]] : [])),
  )
}

/**
 * The changes that the form asks for. Throws `TABLE_UNKNOWN_COLUMN` for a column that is not there, or that the
 * person may not see, and `CorrectionsRefused` for values that do not suit, or that code declares.
 */
export function changesIn(form: CorrectionForm, entered: Entered): CorrectionChange[] {
  const { changes, faults } = judgedIn(form, entered)
  const unknown = faults.find(({ isUnknown }) => isUnknown)
  if (unknown) throw new AppError('TABLE_UNKNOWN_COLUMN', { detail: unknown.detail })
  if (faults.length > 0) throw new CorrectionsRefused(faults)
  return changes
}

/** The same, with what is wrong with some of them. */
export function judgedIn(
  form: CorrectionForm,
  entered: Entered,
): { readonly changes: CorrectionChange[]; readonly faults: readonly PartFault[] } {
  const { open, corrected, before, column } = entered
  const table = open.definition.table.name
  const code = own(corrected.correctable.declared, table) ?? {}
  const values = changedIn(form, entered)
  const faults: PartFault[] = [
    ...(values.values === undefined ? [] : faultsOfNames(form)),
    ...(form.sort.length > 0 && !orderIn(form, open.definition) ? [unfitting('sort')] : []),
  ]
  const read = valuesOf(before, column)
  const now = valuesOf(open.definition, column)
  const changed = partsOf(column).flatMap((part) => {
    const value = values[part]
    return value === undefined ? [] : { part, value }
  })
  const isChanged = (one: Correction) =>
    one.column === column && changed.some(({ part }) => part === one.part)
  const known = (part: CorrectedPart) =>
    corrected.corrections.find(
      (one) => one.table === table && one.column === column && one.part === part,
    )?.value
  const ignored = corrected.ignored.map(({ correction }) => correction)
  const beside = corrected.corrections.filter(
    (one) => one.table === table && !isChanged(one) && !ignored.includes(one),
  )
  const changes = changed.map(({ part, value }): CorrectionChange => {
    const said = saidByCode(table, column, part, code)
    if (said !== undefined)
      faults.push({ part, detail: ({ corrections }) => corrections.fixed(said) })
    const seen = form.seen[part]
    const isCurrent = seen === undefined || sameJson(seen, now[part])
    const isSeen: CorrectionChange['isSeen'] = (stored) =>
      isCurrent && sameJson(stored?.value, known(part))
    if (sameJson(value, read[part]) || (value === '' && part !== 'unit'))
      return { table, column, part, value: undefined, isSeen }
    const correction = { table, column, part, value }
    const fault = faults.some((one) => one.part === part)
      ? undefined
      : faultOf(correction, entered, beside)
    if (fault) faults.push(fault)
    // What is wrong itself says nothing of those after it.
    if (!faults.some((one) => one.part === part)) beside.push(correction)
    return { ...correction, isSeen }
  })
  return { changes, faults }
}

/** What is wrong with it, if anything is. */
function faultOf(
  correction: Correction & { readonly part: CorrectedPart },
  { open: { definition, access }, corrected }: Entered,
  beside: readonly Correction[],
): PartFault | undefined {
  const { part, value, column } = correction
  const named = column === null && part !== 'label' ? columnsIn(part, value, definition) : []
  const unseen = named.find((one) => !access.canShow(one))
  if (unseen !== undefined) return unknownColumn(part, unseen)
  const { fault } = judge(correction, corrected.correctable, beside)
  if (fault?.why === 'gone') return unknownColumn(part, fault.name)
  if (!fault) return undefined
  const most = MOST[part]
  const isLong = most !== undefined && typeof value === 'string' && value.length > most
  if (isLong)
    return { part, detail: ({ corrections }, number) => corrections.tooLong(number(most)) }
  const isNumbered = part === 'minorUnit' && typeof value === 'string' && /\p{N}/u.test(value)
  return isNumbered ? { part, detail: ({ corrections }) => corrections.minorUnit } : unfitting(part)
}

/** Most characters of the parts that are texts. */
const MOST: { readonly [part in CorrectedPart]?: number } = {
  label: LABEL_MAX,
  unit: UNIT_MAX,
  minorUnit: UNIT_MAX,
}

const unknownColumn = (part: CorrectedPart, column: string): PartFault => ({
  ...{ part, isUnknown: true },
  detail: ({ address }) => address.column(column),
})

const unfitting = (part: CorrectedPart): PartFault => ({
  part,
  detail: ({ corrections }) => corrections.unfitting[part],
})

function columnsIn(part: CorrectedPart, value: Json, { table }: TableDefinition): string[] {
  const listed = [value ?? []].flat().map(String)
  if (part !== 'sort') return listed
  return readSort(listed, new Set(table.columns.map(({ name }) => name))).map(
    ({ column }) => column,
  )
}

/** Without what the form does not hold. */
function enteredIn(form: CorrectionForm, { open, column }: Entered): PartValues {
  const { label, kind, unit, currency, minorUnit } = form
  const texts = {
    ...(label !== undefined && { label: label.trim() }),
    ...(column !== null && kind !== undefined && { kind }),
    ...(column !== null && unit !== undefined && { unit: unit.trim() }),
    ...(column !== null &&
      currency !== undefined && { currency: optionOf(currency, open.definition) }),
    // That there is none is said by `false`.
    ...(column !== null && minorUnit !== undefined && { minorUnit: minorUnit.trim() || false }),
    ...(column !== null && form.stored.length > 0 && { values: namesIn(form) }),
  }
  if (column !== null) return texts
  const named = form.labelColumn
  const sort = form.sort.length > 0 && orderIn(form, open.definition)
  return {
    ...texts,
    ...(named.length > 0 && { labelColumn: namesValue([...new Set(named.filter(Boolean))]) }),
    ...(sort && { sort }),
    ...(form.shown.length > 0 && { shown: shownIn(form) }),
  }
}

/** A value without a name has none. */
const namesIn = (form: CorrectionForm): { [stored: string]: string } =>
  Object.fromEntries(givenIn(form).map(({ stored, name }) => [stored, name]))

/** The pairs of fields as they were typed. */
export const pairsIn = ({ stored, named }: CorrectionForm): { stored: string; name: string }[] =>
  stored.map((value, at) => ({ stored: value, name: named[at] ?? '' }))

/** Those that have a name, with their places. */
const givenIn = (form: CorrectionForm) =>
  pairsIn(form)
    .map(({ stored, name }, at) => ({ stored, name: name.trim(), at }))
    .filter(({ name }) => name !== '')

/** Each value has one name, and no two the same: people could not tell them apart. */
function faultsOfNames(form: CorrectionForm): PartFault[] {
  const given = givenIn(form)
  const places = (all: typeof given) => all.map(({ at }) => at)
  const long = given.filter(({ name }) => name.length > LABEL_MAX)
  const tooLong: PartFault = {
    ...{ part: 'values', at: { field: 'named', places: places(long) } },
    detail: ({ corrections }, number) => corrections.tooLong(number(LABEL_MAX)),
  }
  const twice = repeated(given, ({ stored }) => stored).map(([{ stored }, all]): PartFault => ({
    ...{ part: 'values', at: { field: 'stored', places: places(all) } },
    detail: ({ corrections }) => corrections.twice(stored),
  }))
  const alike = repeated(given, ({ name }) => inOneCase(name)).map(
    ([{ name }, all]): PartFault => ({
      ...{ part: 'values', at: { field: 'named', places: places(all) } },
      detail: ({ corrections }) => corrections.alike(name),
    }),
  )
  return [...(long.length > 0 ? [tooLong] : []), ...(twice.length > 0 ? twice : alike)]
}

/** Those that have a key together, with the last of them. */
const repeated = <T>(all: readonly T[], keyOf: (one: T) => string): [last: T, all: T[]][] =>
  [...Map.groupBy(all, keyOf).values()].flatMap((group) => {
    const last = group.at(-1)
    return last === undefined || group.length < 2 ? [] : [[last, group]]
  })

const inOneCase = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()

/** `undefined` for an order that cannot be written. */
function orderIn(
  { sort, direction }: CorrectionForm,
  definition: TableDefinition,
): string[] | undefined {
  const terms = sort.flatMap((column, at) =>
    column === '' ? [] : { column, descending: direction[at] === 'descending' },
  )
  return sortOf(terms, definition)
}

/** In the order of the form, or by the places that were entered. */
function shownIn(form: CorrectionForm): string[] {
  const placeOf = (column: string, at: number): number => {
    const entered = Number.parseFloat(String(form[PLACE + column]))
    return Number.isFinite(entered) ? entered : at + 1
  }
  return form.shown
    .map((column, at) => ({ column, place: placeOf(column, at) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ column }) => column)
}
