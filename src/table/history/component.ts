/** The history as a live component: of all tables on its own page, of one row beside a record. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { HistoryComponent, HistoryFilter, UndoResult } from '../../protocol/history-view.ts'
import { AppError } from '../../server/app-error.ts'
import type { Actor } from '../../server/actor.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import type { Reader } from '../../server/http/locale.ts'
import { badParameter, clip } from '../address-error.ts'
import type { ChangeDoor } from '../changes/door.ts'
import type { Entry, EntryQuery, LedgerSize } from '../changes/ledger.ts'
import { problemText } from '../changes/problem-text.ts'
import type { SeenImage } from '../changes/seen-images.ts'
import { formatterFor } from '../format.ts'
import { type Door, isKept } from '../source/ledger-entry.ts'
import type { KeyValues } from '../source/value.ts'
import { ANY_TABLE_CHANNEL, recordChannels } from '../table-channel.ts'
import { type OtherEvents, withOtherEvents } from './other-events.ts'
import { findEntries, type FoundEntries, type HistoryServices, tellOf } from './entries.ts'
import { fullLabelOf } from './describe.ts'
import { drawEntry } from './entry-view.ts'
import { drawErase, drawErasure, findErasures, goneRow, mayErase } from './erasures.ts'
import { referredLabels } from './referred.ts'

const params = v.object({
  /** A table and a row of it: the history of one record. */
  record: v.nullable(v.object({ table: v.string(), key: v.string() })),
})

export type HistoryParams = v.InferOutput<typeof params>

const DOORS = ['form', 'cell', 'order', 'bulk', 'import', 'undo', 'code'] as const

const state = {
  by: v.string(),
  table: v.string(),
  door: v.union([v.literal(''), v.picklist(DOORS)]),
  /** Days back from now; 0 for any time. */
  since: v.number(),
  /** The entry before those that are shown: its time and id. */
  after: v.nullable(v.strictTuple([v.number(), v.string()])),
}

type State = { [Name in keyof typeof state]: v.InferOutput<(typeof state)[Name]> }

export type HistoryOptions = HistoryServices & {
  readonly door: ChangeDoor
  /** Address of a table's listing, and of the history itself. */
  href(table: string): string
  readonly historyHref: string
  /** How long entries are kept, days. */
  readonly keptDays: number
  readonly isLive: boolean
  now(): number
  /** What else the page of all tells, such as changes of people's roles. */
  readonly otherEvents?: OtherEvents | undefined
}

type Row = { readonly table: string; readonly key: KeyValues }

const PAGE = 25
const DAY_MS = 24 * 60 * 60 * 1000
const DAYS = [1, 7, 30] as const

export type History = Component<HistoryParams, TypesOf<HistoryComponent>>

export function createHistoryComponent(options: HistoryOptions): History {
  const { catalog, ledger, door, isLive, now } = options

  function queryOf({ by, table, door, since, after }: State): EntryQuery {
    return {
      size: PAGE,
      ...(by !== '' && { by }),
      ...(table !== '' && { table }),
      ...(door !== '' && { door }),
      ...(since > 0 && { since: now() - since * DAY_MS }),
      ...(after && { after: { at: after[0], id: after[1] } }),
    }
  }

  /** The row that the component is about; `{}` for the page of all. Throws `NOT_FOUND`. */
  function aboutOf(actor: Actor, { record }: HistoryParams): Pick<EntryQuery, 'table' | 'key'> {
    if (!record) return {}
    const open = catalog().open(actor, record.table)
    const key = open.keys.read(record.key)
    if (key === null) throw new AppError('NOT_FOUND')
    return { table: record.table, key }
  }

  /** The record; a row that they may not see has no history for them, either. */
  async function shownRow(actor: Actor, params: HistoryParams): Promise<Row | undefined> {
    const { table, key } = aboutOf(actor, params)
    if (table === undefined || !key) return undefined
    const { told } = await findEntries(options, actor, { table, key, size: 1 })
    return told.length > 0 ? { table, key } : undefined
  }

  async function goneRowOf(actor: Actor, id: string): Promise<Row | undefined> {
    const entry = await ledger.find(id)
    const told = entry && (await tellOf(options, actor, entry))
    return told && goneRow(told)?.image
  }

  /** Of entries that took rows back of which the actor may know. */
  async function undoingOf(actor: Actor, { told }: FoundEntries): Promise<Map<string, Entry>> {
    const ids = new Set(told.flatMap(({ entry }) => entry.undoneBy))
    const found = await Promise.all(
      [...ids].map(async (id) => {
        const entry = await ledger.find(id)
        return entry && (await tellOf(options, actor, entry)) && entry
      }),
    )
    return new Map(found.flatMap((entry) => (entry ? [[entry.id, entry] as const] : [])))
  }

  /** Between the entries of a page, as erasures are. */
  return defineComponent({
    name: 'history',
    params,
    state,
    authorize: () => true,
    mount: ({ query, params: { record } }) => (record ? FIRST : parse(query)),
    channels: ({ actor, params: { record } }) => {
      if (!isLive) return []
      return record ? recordChannels(catalog().open(actor, record.table)) : [ANY_TABLE_CHANNEL]
    },
    actions: {
      restore: {
        kind: 'write',
        args: v.strictTuple([v.string(), v.string()]),
        async run({ actor, params, locale, language, timeZone }, id, column): Promise<UndoResult> {
          const reader = { locale, language, timeZone }
          const about = aboutOf(actor, params)
          const entry = await ledger.find(id)
          const told = entry && about.key && (await tellOf(options, actor, entry, about))
          const [seen] = told ? told.seen : []
          const image = seen?.image
          const value = image?.before?.[column]
          if (!seen?.current || !image || value === undefined || !seen.open.access.canRead(column))
            throw new AppError('NOT_FOUND')
          const { table } = seen.open.access
          const { history } = messagesFor(language)
          if (!isKept(value)) return { status: 'refused', text: history.undo.why.lost }
          const rows = [
            {
              update: image.key,
              set: { [column]: value },
              expect: { [column]: seen.current[column] ?? null },
            },
          ]
          const outcome = await door.save(actor, {
            ...{ door: 'form', tables: [{ table: table.name, rows }] },
          })
          return outcome.status === 'done'
            ? { status: 'done', entry: outcome.entry, text: history.undo.restored }
            : {
                status: 'refused',
                text: outcome.problems
                  .map((problem) => problemText(problem, seen.open.definition, reader))
                  .join(' '),
              }
        },
      },
      erase: {
        kind: 'write',
        args: v.strictTuple([v.nullable(v.string())]),
        async run({ actor, params, language }, id): Promise<string> {
          if (!mayErase(actor)) throw new AppError('FORBIDDEN')
          const row = id === null ? await shownRow(actor, params) : await goneRowOf(actor, id)
          if (!row) throw new AppError('NOT_FOUND')
          await ledger.erase(row.table, row.key, { id: actor.id, name: actor.name })
          return messagesFor(language).history.erasing.erased
        },
      },
    },
    async load({ actor, state, params, signal, ...reader }) {
      const about = aboutOf(actor, params)
      const query = { ...queryOf(state), ...about }
      const all = await findEntries(options, actor, query)
      const { found, others } = params.record
        ? { found: all, others: [] }
        : await withOtherEvents(options.otherEvents, { actor, query, reader }, all)
      const [undoing, referred, erasures, size] = await Promise.all([
        undoingOf(actor, found),
        referredLabels(options.source, found.told, signal),
        findErasures(options, actor, query, found.older),
        // What there is of others' rows is told to those who run it.
        mayErase(actor) && !params.record ? ledger.size() : null,
      ])
      const isRecord = (one: SeenImage) => one.image.table === about.table
      const seen = found.told.flatMap((one) => one.seen)
      const erasable = mayErase(actor) && about.key ? seen.find(isRecord) : undefined
      return { data: { actor, found, undoing, referred, erasures, size, erasable, others } }
    },
    view({ state, params: { record }, data, ...reader }) {
      const { actor, found, undoing, referred, erasures, size, erasable, others } = data
      const context = { actor, reader, undoing, referred, now: now(), href: options.href }
      const { older } = found
      const erased = erasures.map((one) => drawErasure(one, { ...context, catalog: catalog() }))
      return {
        entries: [
          ...found.told.map((told) => drawEntry(told, context)),
          ...erased,
          ...others,
        ].toSorted((a, b) => b.iso.localeCompare(a.iso)),
        erase: erasable
          ? drawErase(fullLabelOf(erasable, reader), { reader, isGone: false })
          : null,
        filters: record ? [] : filtersOf(state, { ...context, found }, options),
        newestHref: state.after && !record ? addressOf(options, { ...state, after: null }) : null,
        olderHref:
          older && !record ? addressOf(options, { ...state, after: [older.at, older.id] }) : null,
        note: noteOf(options.keptDays, size, reader),
      }
    },
  })
}

/** What is kept for how long, and how much that is. */
function noteOf(keptDays: number, size: LedgerSize | null, reader: Reader): string {
  const { history } = messagesFor(reader.language)
  const { number } = formatterFor(reader)
  const kept = history.kept(number(keptDays))
  if (!size) return kept
  const { changes, bytes } = size
  const unit = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const
  const room = bytes === null ? null : number(bytes / 1e6, unit)
  return `${kept} ${history.size(rowsAmount(changes, reader), room)}`
}

const rowsAmount = (count: number, reader: Reader) => ({
  count,
  text: formatterFor(reader).number(count),
})

const FIRST: State = { by: '', table: '', door: '', since: 0, after: null }

/** Throws `TABLE_BAD_PARAMETER` for a value that no filter of the page makes. */
function parse(query: URLSearchParams): State {
  const text = (name: string) => query.get(name) ?? ''
  const door = text('door')
  if (!isDoor(door))
    throw badParameter(({ address }) => address.unknown(clip(door), DOORS.join(', ')))
  const since = Number(text('since'))
  if (!Number.isSafeInteger(since) || since < 0)
    throw badParameter(({ address }) => address.unknown(clip(text('since')), DAYS.join(', ')))
  const [, at, id] = /^(\d{1,16})\.([\w-]{1,64})$/.exec(text('after')) ?? []
  const after: State['after'] = at !== undefined && id !== undefined ? [Number(at), id] : null
  return { by: text('by'), table: text('table'), door, since, after }
}

const isDoor = (text: string): text is Door | '' =>
  text === '' || DOORS.some((door) => door === text)

function addressOf(
  { historyHref }: HistoryOptions,
  { by, table, door, since, after }: State,
): string {
  const query = new URLSearchParams()
  if (by !== '') query.set('by', by)
  if (table !== '') query.set('table', table)
  if (door !== '') query.set('door', door)
  if (since > 0) query.set('since', String(since))
  if (after) query.set('after', after.join('.'))
  return query.size === 0 ? historyHref : `${historyHref}?${query.toString()}`
}

/** Tables are those that the reader may see; people are those whose entries are shown, and oneself. */
function filtersOf(
  state: State,
  { actor, reader, found }: { actor: Actor; reader: Reader; found: FoundEntries },
  { catalog }: HistoryOptions,
): HistoryFilter[] {
  const { history } = messagesFor(reader.language)
  const any = (label: string) => ({ value: '', label })
  const shown = found.told.map(({ entry: { by } }) => [by.id, by.name] as const)
  const people = [...new Map([[actor.id, actor.name], ...shown])].map(([value, label]) => ({
    value,
    label,
  }))
  const tables = catalog()
    .readable(actor)
    .filter(({ table }) => table.kind === 'table')
    .map(({ table, label }) => ({ value: table.name, label }))
  return [
    {
      ...{ name: 'by', label: history.filters.by, value: state.by },
      options: [any(history.everyone), ...people],
    },
    {
      ...{ name: 'table', label: history.filters.table, value: state.table },
      options: [
        any(history.allTables),
        ...tables.toSorted((a, b) => a.label.localeCompare(b.label, reader.locale)),
      ],
    },
    {
      ...{
        name: 'since',
        label: history.filters.since,
        value: state.since ? String(state.since) : '',
      },
      options: [
        any(history.anyTime),
        ...DAYS.map((days) => ({
          value: String(days),
          label: history.days(rowsAmount(days, reader)),
        })),
      ],
    },
    {
      ...{ name: 'door', label: history.filters.door, value: state.door },
      options: [
        any(history.allDoors),
        ...DOORS.map((value) => ({ value, label: history.doors[value] })),
      ],
    },
  ]
}
