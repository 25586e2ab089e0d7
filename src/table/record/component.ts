/** The page of one row as a live component: its fields, what refers to it, and the rows beside it. */

import * as v from 'valibot'
import type { GoneView, RecordView } from '../../protocol/record-view.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { type Component, type Context, defineComponent } from '../../server/component/component.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import { listWhere, sortOf } from '../list/query.ts'
import type { ListState } from '../list/state.ts'
import { cameFrom, type RecordState, recordState } from './state.ts'
import { drawGone, drawRecord, type Neighbours, type Reference } from './view.ts'
import { findReferred, orOnTimeout } from './references.ts'
import { countRelated, relatedRows } from './related.ts'
import { recordKey, decodeKey } from '../row-key.ts'
import type { Predicate } from '../source/predicate.ts'
import { WHOLE_MAX } from './value.ts'
import type { Anchor, RowSource } from '../source/row-source.ts'
import type { Table, ValueType } from '../source/schema.ts'
import { foreignKeysOf } from '../definition/table-definition.ts'
import type { KeyValues, Value } from '../source/value.ts'

export type RecordServices = {
  readonly source: RowSource
  /** The catalog as it is now; it may be read anew when the schema changes. */
  catalog(): Catalog
  /** Address of a table's listing. */
  href(table: string): string
}

/** How long counts and neighbours are waited for, ms: while the page is drawn, and afterwards. */
const PATIENCE = {
  short: { counts: 40, neighbours: 250 },
  long: { counts: 3000, neighbours: 5000 },
}

/** A row as it was read: its key, and all that the actor may read of it, by column. */
type ReadRow = {
  readonly key: KeyValues
  readonly values: ReadonlyMap<string, Value>
  /** Whole lengths of the values of which only the beginning was read. */
  readonly lengths: ReadonlyMap<string, number>
}

/** The component behind every record page. Its label is `null` where there is no such row. */
export function createRecordComponent(services: RecordServices): Component<RecordState> {
  const { source, catalog, href } = services

  async function readRow(
    { state, signal }: Context<RecordState>,
    { access }: OpenTable,
  ): Promise<ReadRow | undefined> {
    const { table } = access
    const key = decodeKey(state.key, table)
    if (!key) return undefined
    const columns = table.columns.map(({ name }) => name).filter((name) => access.canRead(name))
    const all = table.key.map((column, at) => ({
      op: 'eq' as const,
      column,
      value: key[at] ?? null,
    }))
    const query = {
      columns,
      where: { op: 'and', all } satisfies Predicate,
      sort: [],
      size: 1,
      place: { at: 'first' as const },
      cut: { columns: columns.filter((name) => isLong(table, name)), length: WHOLE_MAX },
    }
    const [row] = (await source.page(access, query, { signal })).rows
    if (!row) return undefined
    const lengths = [...(row.lengths ?? [])].map(([at, length]) => [columns[at]!, length] as const)
    const values = columns.map((name, at) => [name, row.values[at] ?? null] as const)
    return { key: row.key, values: new Map(values), lengths: new Map(lengths) }
  }

  /** The rows that this one refers to, by each of its foreign keys. */
  const readReferences = (
    { actor, signal }: Context<RecordState>,
    { definition, access }: OpenTable,
    { values }: ReadRow,
  ): Promise<Reference[]> =>
    Promise.all(
      foreignKeysOf(definition)
        .filter(({ columns }) => columns.every((column) => access.canRead(column)))
        .map(async (foreignKey) => {
          const own = foreignKey.columns.map((column) => values.get(column) ?? null)
          const other = catalog().find(actor, foreignKey.table)
          const referred = await findReferred(source, other, foreignKey, own, signal)
          return { foreignKey, referred }
        }),
    )

  /** The keys of the rows before and after this one in the listing that one came from. */
  async function readNeighbours(
    { signal }: Context<RecordState>,
    open: OpenTable,
    { key, values }: ReadRow,
    { list, timeoutMs }: { list: ListState; timeoutMs: number },
  ): Promise<Neighbours | null> {
    const sort = sortOf(open, list)
    const anchor: Anchor = { sort: sort.map(({ column }) => values.get(column) ?? null), key }
    const query = { columns: open.access.table.key, where: listWhere(open, list), sort, size: 1 }
    const beside = async (at: 'before' | 'after') => {
      const place = { at, anchor }
      const page = await source.page(open.access, { ...query, place }, { signal, timeoutMs })
      const [row] = page.rows
      return row ? recordKey(row.key, open.access.table) : null
    }
    return Promise.all([beside('before'), beside('after')])
      .then(([previous, next]) => ({ previous, next }))
      .catch(orOnTimeout(null))
  }

  async function view(context: Context<RecordState>): Promise<RecordView | GoneView> {
    const { state, actor, signal, locale, language, timeZone } = context
    const open = openKeyed(catalog(), actor, state.table)
    const list = cameFrom(state, open)
    const row = await readRow(context, open)
    if (!row) return drawGone(open, href(state.table), list)
    const { counts: countsMs, neighbours: timeoutMs } = PATIENCE[state.isPatient ? 'long' : 'short']
    const related = relatedRows(catalog(), actor, open, row.values)
    const [references, neighbours, counts] = await Promise.all([
      readReferences(context, open, row),
      readNeighbours(context, open, row, { list, timeoutMs }),
      countRelated(source, related, signal, countsMs),
    ])
    return drawRecord({
      open,
      key: row.key,
      values: row.values,
      lengths: row.lengths,
      references,
      related,
      counts,
      neighbours,
      from: list,
      mayComplete: !state.isPatient,
      href,
      reader: { locale, language, timeZone },
    })
  }

  return defineComponent({
    name: 'record',
    state: recordState,
    authorize: ({ actor, state }) => openKeyed(catalog(), actor, state.table).access.may('read'),
    mount: (_context, state: RecordState) => state,
    actions: {
      /** Reads the row anew, and waits for what was left out while the page was drawn. */
      refresh: {
        args: v.strictTuple([]),
        run: ({ state }) => void (state.isPatient = true),
      },
    },
    view,
  })
}

const LONG_TYPES: ReadonlySet<ValueType> = new Set(['text', 'json', 'binary'])

/** What rows are found by is needed whole, and is short. */
function isLong({ columns, key, foreignKeys }: Table, name: string): boolean {
  const column = columns.find((candidate) => candidate.name === name)
  const isLink = key.includes(name) || foreignKeys.some(({ columns }) => columns.includes(name))
  return column !== undefined && LONG_TYPES.has(column.type) && !isLink
}

/** Rows without a key have no pages: no address would name one. */
function openKeyed(catalog: Catalog, actor: Actor, table: string): OpenTable {
  const open = catalog.open(actor, table)
  if (open.access.table.key.length === 0) throw new AppError('NOT_FOUND')
  return open
}
