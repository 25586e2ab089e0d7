/** The page of one row as a live component: its fields, what refers to it, and the rows beside it. */

import * as v from 'valibot'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { HangingView, MarkResult, RemoveResult } from '../../protocol/form-view.ts'
import type { AroundView, RecordComponent } from '../../protocol/record-view.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { LoadContext } from '../../server/component/component.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import type { Storage } from '../../server/upload/storage.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import type { ChangeDoor } from '../changes/door.ts'
import { tableVersion } from '../depends-on.ts'
import { recordChannels } from '../table-channel.ts'
import { sortTerms } from '../list/concerns/sort.ts'
import { LISTING } from '../list/fold.ts'
import type { Totals } from '../list/totals.ts'
import {
  type From,
  parseFrom,
  parseRecordUrl,
  recordParams,
  type RecordState,
  recordState,
} from './state.ts'
import { ownActions, ownOffersOf } from './own-actions.ts'
import { readRecord, type ReadRow, wholeValue } from './read-row.ts'
import { readShown } from './read-shown.ts'
import { findPlace } from './place.ts'
import { drawAround, type DrawnAround, drawGone, drawRecord, type NeighbourKeys } from './view.ts'
import { orOnTimeout } from '../references.ts'
import { deletionLacks } from '../changes/deletion-lacks.ts'
import { drawHanging } from './hanging.ts'
import { type ChangedRow, markRow, removeRow } from './remove.ts'
import { countRelated, relatedRows } from './related.ts'
import { readRelated } from './related-page.ts'
import { PREVIEW, VALUE_MAX } from './value.ts'
import type { PlanServices } from '../plans/asking.ts'
import { keysPredicate } from '../selection.ts'
import type { Predicate } from '../source/predicate.ts'
import type { Anchor, PageRow, Place, RowSource } from '../source/row-source.ts'
import type { KeyValues } from '../source/value.ts'

export type RecordServices = {
  readonly source: RowSource
  /** The current catalog; a change of the schema replaces it. */
  catalog(): Catalog
  /** Counts of lists that people have seen. Default: none is known. */
  readonly totals?: Totals
  /** The way by which rows change. */
  readonly door: ChangeDoor
  /** What makes and keeps plans, whose left rows a listing may show. Default: there are none. */
  readonly plans?: PlanServices | undefined
  /** Address of a table's listing. */
  href(table: string): string
  /** Where files are. Default: nowhere, so that none is found. */
  readonly storage?: Pick<Storage, 'size'>
  /** Whether changes are kept, so that they can be taken back. Default: false. */
  readonly isKept?: boolean
  /** Whether it follows what others change. Default: false. */
  readonly isLive?: boolean
  /** How a row has gone, in a sentence; `null` where that is not known. Default: it never is. */
  howGone?(
    actor: Actor,
    row: { readonly table: string; readonly key: KeyValues },
    reader: Reader,
  ): Promise<string | null>
}

/** Longest times to wait for related rows and neighbours, ms. */
type MaxWait = { readonly related: number; readonly neighbours: number }

const MAX_WAIT_MS = {
  /** While the page is drawn. */
  drawing: { related: 40, neighbours: 250 },
  /** When the page asks for what was left out. */
  asked: { related: 3000, neighbours: 5000 },
} satisfies { [when: string]: MaxWait }

/** The parameters that a page gives the record. */
export type RecordParams = v.InferOutput<typeof recordParams>

type RecordLoad = LoadContext<RecordState, RecordParams, OpenTable>

/** The component behind every record page. Its label is `null` if there is no such row. */
export function createRecordComponent(
  services: RecordServices,
): Component<RecordParams, TypesOf<RecordComponent>> {
  const { source, catalog, href, isLive, isKept = false } = services

  const fromOf = ({ state, opened }: RecordLoad): Promise<From> =>
    parseFrom(state, opened, services.plans?.store)

  const readRow = ({ params: { key }, opened, signal }: RecordLoad) =>
    readRecord(source, { key, opened, signal })

  /** The keys of the rows before and after this one in the listing that the reader came from, and its place there. */
  async function readSteps(
    { params, opened: open, signal, locale, timeZone }: RecordLoad,
    { key, values }: ReadRow,
    { list, timeoutMs }: { list: From; timeoutMs: number },
  ): Promise<Pick<DrawnAround, 'neighbours' | 'place'>> {
    const { access } = open
    const sort = sortTerms(open, list.state)
    const where = LISTING.where(list.open, list.state, { locale, timeZone, now: Date.now() })
    const read = async (where: Predicate, place: Place) => {
      const query = { columns: [], where, sort, size: 1, place }
      return (await source.page(access, query, { signal, timeoutMs })).rows[0]
    }
    const readSort = async () =>
      sort.some(({ by }) => by)
        ? (await read(keysPredicate([params.key], open), { at: 'first' }))?.sort
        : sort.map(({ column }) => values.get(column) ?? null)
    const findNeighbours = async (): Promise<NeighbourKeys> => {
      const anchor: Anchor = { sort: (await readSort()) ?? [], key }
      const [before, after] = await Promise.all([
        read(where, { at: 'before', anchor }),
        read(where, { at: 'after', anchor }),
      ])
      const keyOf = (row: PageRow | undefined) => (row ? open.keys.record(row.key) : null)
      return { previous: keyOf(before), next: keyOf(after) }
    }
    const policy = catalog().policy.version
    const [neighbours, place] = await Promise.all([
      findNeighbours().catch(orOnTimeout(null)),
      // It must not hide the row, whatever becomes of it.
      findPlace(
        services,
        { access, where, sort, key, policy },
        { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), timeoutMs },
      ).catch(() => undefined),
    ])
    return { neighbours, place }
  }

  /** The neighbours of a row and the rows that refer to it, as far as they are found in time. */
  async function readAround(
    context: RecordLoad,
    row: ReadRow,
    from: From,
    { related: relatedMs, neighbours: timeoutMs }: MaxWait,
  ) {
    const { actor, opened, signal } = context
    const related = relatedRows(catalog(), actor, opened, row.values)
    const [steps, found] = await Promise.all([
      readSteps(context, row, { list: from, timeoutMs }),
      readRelated(source, related, signal, relatedMs),
    ])
    return { related, ...steps, found }
  }

  /** What `around` answers: `null` if the row no longer exists. */
  async function answerAround(context: RecordLoad): Promise<AroundView | null> {
    const { opened, locale, language, timeZone } = context
    const row = await readRow(context)
    if (!row) return null
    const from = await fromOf(context)
    const around = await readAround(context, row, from, MAX_WAIT_MS.asked)
    const reader = { locale, language, timeZone }
    return drawAround({ ...around, open: opened, from: from.state, href, reader, isPartial: false })
  }

  const wholeOf = ({ params: { key }, ...context }: RecordLoad, name: string) =>
    wholeValue(source, { ...context, key }, name)

  async function answerHanging(context: RecordLoad): Promise<HangingView> {
    const { actor, opened, signal, locale, language, timeZone } = context
    const row = await readRow(context)
    const related = row ? relatedRows(catalog(), actor, opened, row.values) : []
    const { related: timeoutMs } = MAX_WAIT_MS.asked
    const [counts, lacks] = await Promise.all([
      countRelated(source, related, signal, timeoutMs),
      isKept && row
        ? deletionLacks({ source, catalog }, opened, row.key, { signal, timeoutMs })
        : undefined,
    ])
    const reader = { locale, language, timeZone }
    return drawHanging(opened, { related, counts, href, reader, lacks })
  }

  async function howGone(context: RecordLoad): Promise<string | null> {
    const { actor, opened, params, locale, language, timeZone } = context
    const key = opened.keys.read(params.key)
    if (!key || !services.howGone) return null
    const row = { table: opened.access.table.name, key }
    return services.howGone(actor, row, { locale, language, timeZone })
  }

  async function remove(context: RecordLoad): Promise<RemoveResult> {
    const list = href(context.opened.access.table.name)
    const { state } = await fromOf(context)
    return removeRow(services, { ...rowOf(context), listHref: LISTING.href(list, state) })
  }

  const mark = (context: RecordLoad, isDeleted: boolean): Promise<MarkResult> =>
    markRow(services, rowOf(context), isDeleted)

  const rowOf = (context: RecordLoad): ChangedRow => {
    const { actor, params, opened: open, locale, language, timeZone } = context
    return { open, actor, key: params.key, reader: { locale, language, timeZone } }
  }

  return defineComponent({
    name: 'record',
    params: recordParams,
    state: recordState,
    open: ({ actor, params }): OpenTable => openKeyed(catalog(), actor, params.table),
    channels: ({ opened }) => (isLive ? recordChannels(opened) : []),
    authorize: ({ opened }) => opened.access.may('read'),
    mount: ({ query }) => parseRecordUrl(query),
    actions: {
      /** Waits for what was left out while the page was drawn. */
      around: { kind: 'query', args: v.strictTuple([]), run: answerAround },
      whole: { kind: 'query', args: v.strictTuple([v.string()]), run: wholeOf },
      hanging: { kind: 'query', args: v.strictTuple([]), run: answerHanging },
      remove: { kind: 'write', args: v.strictTuple([]), run: remove },
      mark: { kind: 'write', args: v.strictTuple([v.boolean()]), run: mark },
      ...ownActions(services),
    },
    dependsOn: async ({ actor }) =>
      tableVersion(await source.exactVersion(), source, catalog(), actor),
    /** `drawn` is `undefined` if there is no such row. */
    async load(context: RecordLoad) {
      const from = await fromOf(context)
      const length = context.params.isWhole ? VALUE_MAX : PREVIEW
      const shown = await readShown(services, { ...context, key: context.params.key }, length)
      const around = shown && (await readAround(context, shown, from, MAX_WAIT_MS.drawing))
      const hanging = context.params.isDeleting ? await answerHanging(context) : undefined
      const how = shown ? null : await howGone(context)
      return {
        data: {
          from: from.state,
          hanging,
          how,
          drawn: around && { ...shown, ...around },
        },
      }
    },
    view({ data: { from, drawn, hanging, how }, opened, locale, language, timeZone }) {
      if (!drawn) return drawGone(opened, { list: href(opened.access.table.name), from, how })
      const reader = { locale, language, timeZone }
      const record = drawRecord({ ...drawn, from, href, reader })
      const view = { ...record, ...ownOffersOf(drawn.open, services) }
      return hanging && (view.mayDelete || view.mayMark) ? { ...view, hanging } : view
    },
  })
}

/** Rows without a key have no pages, because no address can name them. */
function openKeyed(catalog: Catalog, actor: Actor, table: string): OpenTable {
  const open = catalog.open(actor, table)
  if (open.access.table.key.length === 0) throw new AppError('NOT_FOUND')
  return open
}
