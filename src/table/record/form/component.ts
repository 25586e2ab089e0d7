/** The form of one row as a live component: creates it, or changes the fields that a person has touched. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import type { TypesOf } from '../../../protocol/component-types.ts'
import type { FieldConflict, FormComponent, SaveResult } from '../../../protocol/form-view.ts'
import { recordHref } from '../../../protocol/record-view.ts'
import { AppError } from '../../../server/app-error.ts'
import { type Component, defineComponent } from '../../../server/component/define.ts'
import { digestOf as textDigest } from '../../../server/component/digest.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { Catalog, OpenTable } from '../../catalog.ts'
import type { ChangeOutcome, ChangeProblem } from '../../changes/change.ts'
import type { ChangeDoor } from '../../changes/door.ts'
import { problemText } from '../../changes/problem-text.ts'
import { readOnlyReason } from '../../list/view.ts'
import { labelText } from '../../references.ts'
import { encodeValue } from '../../row-key.ts'
import type { RowSource } from '../../source/row-source.ts'
import type { KeyValues, Value } from '../../source/value.ts'
import type { RowChange, Values } from '../../source/write-unit.ts'
import { channelsOf } from '../../table-channel.ts'
import { drawFields } from './field.ts'
import { readText } from './read-text.ts'
import { isWritten, writeText } from './write-text.ts'

const text = v.pipe(v.string(), v.maxLength(200))

const params = v.object({
  table: v.string(),
  /** The row; `null` for a new one. */
  key: v.nullable(v.string()),
  /** The row whose values a new one begins with; `null` for none. */
  copyOf: v.nullable(v.string()),
  /** Values that a new row begins with, as texts by column. */
  preset: v.record(v.string(), v.string()),
})

export type FormParams = v.InferOutput<typeof params>

const state = {
  /** Digests of the values that the person was shown, by column: what saving expects unchanged. */
  seen: v.record(v.string(), v.string()),
}

export type FormServices = {
  readonly source: RowSource
  catalog(): Catalog
  readonly door: ChangeDoor
  /** Address of a table's listing. */
  href(table: string): string
  readonly isLive: boolean
}

export type Form = Component<FormParams, TypesOf<FormComponent>>

/** Most related rows that are offered. */
const OFFERED = 20

const changedFields = v.strictTuple([v.record(text, v.nullable(v.string()))])

export function createFormComponent(services: FormServices): Form {
  const { source, catalog, door, href, isLive } = services

  /** The values that the form begins with; `undefined` if the row is gone. */
  async function startOf(open: OpenTable, { key, copyOf, preset }: FormParams, locale: string) {
    if (key !== null) return readRow(open, key)
    const copied = copyOf === null ? {} : ((await readRow(open, copyOf)) ?? {})
    const { table } = open.access
    const isKept = (name: string) =>
      !table.key.includes(name) && table.columns.some((one) => one.name === name && isWritten(one))
    const kept = Object.entries(copied).filter(([name]) => isKept(name))
    const given = table.columns.flatMap((column) => {
      const asked = preset[column.name]
      const read = asked === undefined ? undefined : readText(column, asked, locale)
      return read && 'value' in read && open.access.canWrite(column.name)
        ? [[column.name, read.value] as const]
        : []
    })
    return Object.fromEntries([...kept, ...given])
  }

  async function readRow(open: OpenTable, text: string): Promise<Values | undefined> {
    const key = open.keys.read(text)
    if (!key) return undefined
    const columns = readableOf(open)
    const row = await source.row(open.access, key, { columns })
    return row && Object.fromEntries(columns.map((name, at) => [name, row.values[at] ?? null]))
  }

  /** The labels of the rows that the values refer to. */
  async function labelsOf(open: OpenTable, values: Values): Promise<Map<string, string | null>> {
    const found = [...open.relations].map(async ([column, { access, references, label }]) => {
      const value = values[column] ?? null
      if (value === null) return [column, null] as const
      const page = await source.page(access, {
        ...{ columns: [label], sort: [], size: 1, place: { at: 'first' } },
        where: { op: 'eq', column: references, value },
      })
      return [column, labelText(page.rows[0]?.values[0] ?? null)] as const
    })
    return new Map(await Promise.all(found))
  }

  return defineComponent({
    name: 'form',
    params,
    state,
    open: ({ actor, params: { table } }): OpenTable => {
      const open = catalog().open(actor, table)
      if (open.access.table.key.length === 0) throw new AppError('NOT_FOUND')
      return open
    },
    channels: ({ opened, params: { key } }) => (isLive && key !== null ? channelsOf(opened) : []),
    authorize: ({ opened }) => opened.access.may('read'),
    async mount({ opened, params, locale }) {
      const values = params.key === null ? {} : await startOf(opened, params, locale)
      return { seen: digestsOf(values ?? {}) }
    },
    actions: {
      save: {
        kind: 'write',
        args: changedFields,
        async run(context, changed): Promise<SaveResult> {
          const { opened: open, params, state, actor, locale, language, timeZone } = context
          const reader = { locale, language, timeZone }
          const { table } = open.access
          const read = readAll(open, changed, reader)
          if ('errors' in read) return { status: 'refused', errors: read.errors, conflicts: [] }
          const before = params.key === null ? null : await readRow(open, params.key)
          if (before === undefined) return refusedWhole(messagesFor(language).problems.missing)
          const conflicts = before ? conflictsOf(open, read.values, before, state.seen) : []
          if (conflicts.length > 0) {
            for (const { column } of conflicts)
              state.seen[column] = digestOf(before?.[column] ?? null)
            return { status: 'refused', errors: {}, conflicts }
          }
          const row = changeOf(open, params.key, read.values, before)
          const outcome = await door.save(actor, {
            ...{ door: 'form', tables: [{ table: table.name, rows: [row] }] },
          })
          // What is on the page from now on is what was saved.
          const isSaved = outcome.status === 'done'
          const saved = isSaved && params.key !== null && (await readRow(open, params.key))
          if (saved) state.seen = digestsOf(saved)
          return answerOf(open, outcome, reader)
        },
      },
      suggest: {
        kind: 'query',
        args: v.strictTuple([text, text]),
        async run({ opened: open, signal }, column, asked) {
          const relation = open.relations.get(column)
          if (!relation) throw new AppError('NOT_FOUND')
          const { access, references, label } = relation
          const page = await source.page(
            access,
            {
              ...{ columns: [references, label], size: OFFERED, place: { at: 'first' } },
              sort: [{ column: label, descending: false }],
              where:
                asked.trim() === ''
                  ? { op: 'and', all: [] }
                  : { op: 'contains', column: label, text: asked.trim() },
            },
            { signal },
          )
          return page.rows.flatMap(({ values: [key = null, name = null] }) => {
            const text = writeText(key)
            return text === null ? [] : [{ text, label: labelText(name) ?? text }]
          })
        },
      },
    },
    async load({ opened, params, locale }) {
      const values = await startOf(opened, params, locale)
      return { data: { values, labels: await labelsOf(opened, values ?? {}) } }
    },
    view({ opened: open, params, data: { values, labels }, ...reader }) {
      const { definition, access } = open
      const { form } = messagesFor(reader.language)
      const isNew = params.key === null
      const drawn = drawFields(open, { values: values ?? {}, isNew, labels }, reader)
      const list = href(access.table.name)
      const mayCreate = access.may('create') ? readOnlyReason(open, reader) : form.mayNotCreate
      return {
        table: access.table.name,
        tableLabel: definition.label,
        title: isNew ? form.newTitle(definition.label) : form.editTitle(definition.label),
        isNew,
        fields: drawn.flatMap((one) => ('input' in one ? [one.input] : [])),
        fixed: drawn.flatMap((one) => ('fixed' in one ? [one.fixed] : [])),
        obstacle: isNew ? mayCreate : readOnlyReason(open, reader),
        backHref: params.key === null ? list : recordHref(list, params.key, ''),
        isGone: values === undefined,
      }
    },
  })

  function answerOf(open: OpenTable, outcome: ChangeOutcome, reader: Reader): SaveResult {
    const { form } = messagesFor(reader.language)
    if (outcome.status === 'refused') return refusedBy(open, outcome.problems, reader)
    const key = outcome.keys[0]?.[0]
    const record = key === undefined ? null : open.keys.record(key)
    const list = href(open.access.table.name)
    return {
      ...{ status: 'saved', text: form.saved, entry: outcome.entry },
      href: record === null ? list : recordHref(list, record, ''),
    }
  }
}

const readableOf = ({ access }: OpenTable): string[] =>
  access.table.columns.map(({ name }) => name).filter((name) => access.canRead(name))

/** Short, and says nothing of the value. */
const digestOf = (value: Value): string =>
  textDigest(value === null ? 'null' : `${typeof value} ${encodeValue(value)}`)

const digestsOf = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, digestOf(value)]))

type ReadAll = { readonly values: Values } | { readonly errors: { [column: string]: string[] } }

/** The values of texts; all that cannot be read is told at once. */
function readAll(
  open: OpenTable,
  changed: { readonly [column: string]: string | null },
  { locale, language }: Reader,
): ReadAll {
  const { form } = messagesFor(language)
  const columns = new Map(open.access.table.columns.map((column) => [column.name, column]))
  const errors: { [column: string]: string[] } = {}
  const values: Record<string, Value> = {}
  for (const [name, text] of Object.entries(changed)) {
    const column = columns.get(name)
    if (!column || !open.access.canWrite(name)) throw new AppError('FORBIDDEN')
    const read = readText(column, text, locale)
    if ('problem' in read) errors[name] = [form.unreadable[read.problem]]
    else values[name] = read.value
  }
  return Object.keys(errors).length > 0 ? { errors } : { values }
}

/** The fields that both have changed, and to something else. */
const conflictsOf = (
  { definition }: OpenTable,
  mine: Values,
  theirs: Values,
  seen: Readonly<Record<string, string>>,
): FieldConflict[] =>
  Object.entries(mine).flatMap(([column, value]) => {
    const now = theirs[column] ?? null
    const isSame = digestOf(now) === seen[column] || digestOf(now) === digestOf(value)
    const label = definition.columns.get(column)?.label ?? column
    return isSame ? [] : [{ column, label, theirs: writeText(now), who: null }]
  })

/** Only what was changed is written, and only if it is still what the person saw. */
function changeOf(
  { keys, access }: OpenTable,
  text: string | null,
  values: Values,
  before: Values | null,
): RowChange {
  if (text === null || before === null) return { insert: values }
  // It was read by this key.
  const key: KeyValues = keys.read(text)!
  const expect = Object.fromEntries(
    Object.keys(values)
      .filter((name) => access.canRead(name))
      .map((name) => [name, before[name] ?? null]),
  )
  return { update: key, set: values, expect }
}

const refusedWhole = (sentence: string): SaveResult => ({
  ...{ status: 'refused', errors: { '': [sentence] }, conflicts: [] },
})

/** Each problem at its fields; one about several fields stands at the first. */
function refusedBy(
  { definition }: OpenTable,
  problems: readonly ChangeProblem[],
  reader: Reader,
): SaveResult {
  const errors: { [column: string]: string[] } = {}
  for (const problem of problems) {
    const [at = ''] = problem.columns
    errors[at] = [...(errors[at] ?? []), problemText(problem, definition, reader)]
  }
  return { status: 'refused', errors, conflicts: [] }
}
