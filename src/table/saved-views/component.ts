/** The saved views of a list as a live component: which there are for a person, and how they are changed. */

import * as v from 'valibot'
import type { TypesOf } from '../../protocol/component-types.ts'
import {
  type SavedViewsComponent,
  type SavedViewsView,
  VIEWS_MAX,
  type ViewOutcome,
  type ViewSettings,
} from '../../protocol/saved-views.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { Context } from '../../server/component/component.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import { AppError } from '../../server/app-error.ts'
import { notWhileLooking } from '../../server/not-while-looking.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import type { RowSource } from '../source/row-source.ts'
import { countViews } from './view-counts.ts'
import { drawView, forgetViews, opensWith, viewsOf } from './opens-with.ts'
import { type ViewsChannel, viewsChannelOf } from './view-channel.ts'
import { checkedQuery, QUERY_MAX, readableQuery } from './view-query.ts'
import type { StoredView, ViewRecords, ViewStore } from './view-records.ts'
import { changeable, mayDecide, type SeenView, settled } from './view-rules.ts'

export type SavedViewsOptions = {
  readonly source: Pick<RowSource, 'count'>
  readonly store: ViewStore
  readonly channel: ViewsChannel
  readonly isLive: boolean
  catalog(): Catalog
  newId(): string
  now(): number
}

type Params = { readonly table: string }

export type SavedViews = Component<Params, TypesOf<SavedViewsComponent>>

const id = v.pipe(v.string(), v.maxLength(64))
const query = v.pipe(v.string(), v.maxLength(QUERY_MAX))
const settings = v.strictObject({
  // A longer one is refused with its reason.
  name: v.pipe(v.string(), v.maxLength(1000)),
  isShared: v.boolean(),
  isDefault: v.boolean(),
  isTab: v.boolean(),
})

/** What a change is made in: the request, and the person's views within a transaction. */
type Asked = Pick<Context<object, Params, OpenTable>, 'actor' | 'opened' | 'locale' | 'language'>
type Changing = { readonly records: ViewRecords; readonly views: readonly StoredView[] }

export function createSavedViews(options: SavedViewsOptions): SavedViews {
  const { source, store, channel, isLive, catalog, newId, now } = options

  async function change<Result>(
    context: Context<object, Params, OpenTable>,
    work: (changing: Changing) => Promise<Result>,
  ): Promise<Result> {
    const { actor, params } = context
    notWhileLooking(actor)
    const done = await store.change(async (records) =>
      work({ records, views: await records.of(params.table, actor.id) }),
    )
    forgetViews(actor)
    if (isLive && viewsChannelOf(params.table) !== undefined)
      context.effects.broadcast(channel, params, 'changed', null)
    return done
  }

  const writing = { kind: 'write' as const, changesRows: false }

  return defineComponent({
    name: 'views',
    params: v.object({ table: v.string() }),
    state: {},
    open: ({ actor, params: { table } }) => catalog().open(actor, table),
    authorize: ({ opened }) => opened.access.may('read'),
    mount: () => ({}),
    channels: ({ params: { table } }) =>
      isLive ? [table].flatMap((name) => viewsChannelOf(name) ?? []) : [],
    actions: {
      countViews: {
        kind: 'query',
        args: v.strictTuple([]),
        async run({ actor, params, opened, signal, locale, language, timeZone }) {
          const views = await viewsOf(store, actor, params.table)
          const reader = { locale, language, timeZone }
          return countViews(views, {
            source,
            opened,
            signal,
            reader,
            clock: { ...reader, now: now() },
          })
        },
      },
      saveViewAs: {
        ...{ ...writing, args: v.strictTuple([settings, query]) },
        run: (context, asked, text) =>
          change(context, (within) => insertView(within, { context, asked, text, newId, now })),
      },
      saveView: {
        ...{ ...writing, args: v.strictTuple([id, query, v.number()]) },
        run: (context, view, text, seen) =>
          change(context, (within) => saveView(within, { context, view, seen, text, now })),
      },
      changeView: {
        ...{ ...writing, args: v.strictTuple([id, settings, v.number()]) },
        run: (context, view, asked, seen) =>
          change(context, (within) => changeView(within, { context, view, seen, asked, now })),
      },
      removeView: {
        ...{ ...writing, args: v.strictTuple([id, v.number()]) },
        run: (context, view, seen) =>
          change(context, (within) => removeView(within, { context, view, seen })),
      },
      orderViews: {
        ...{ ...writing, args: v.strictTuple([v.pipe(v.array(id), v.maxLength(VIEWS_MAX))]) },
        run: (context, ids) => change(context, (within) => orderViews(within, context, ids)),
      },
    },
    load: async ({ actor, params: { table } }) => ({
      data: { actor, views: await viewsOf(store, actor, table) },
    }),
    view({ data: { actor, views }, opened }): SavedViewsView {
      const isOwn = ({ ownerId }: StoredView) => ownerId !== null
      const listed = [...views.filter(isOwn), ...views.filter((one) => !isOwn(one))]
      return {
        views: listed.map((view) => drawView(view, { actor, open: opened })),
        opensWith: opensWith(views)?.id ?? null,
        mayDecide: mayDecide(actor),
      }
    },
  })
}

type Inserted = {
  readonly context: Asked
  readonly asked: ViewSettings
  readonly text: string
  newId(): string
  now(): number
}

async function insertView(
  { records, views }: Changing,
  { context, asked, text, newId, now }: Inserted,
): Promise<ViewOutcome> {
  const { actor, opened } = context
  const written = settled(views, asked, { actor, reader: context })
  if ('refused' in written) return written
  const query = checkedQuery(text, opened)
  const id = newId()
  const siblings = views.filter(({ ownerId }) => ownerId === written.ownerId)
  await records.insert({
    ...written,
    ...{ id, table: opened.access.table.name, by: { id: actor.id, name: actor.name }, query },
    ...{ position: placeAfter(siblings), changedAt: now() },
  })
  if (written.isDefault) await onlyDefault(records, siblings)
  return { id }
}

type Saved = Pick<Inserted, 'context' | 'text' | 'now'> & SeenView

async function saveView(
  { records, views }: Changing,
  { context, text, now, ...seen }: Saved,
): Promise<ViewOutcome> {
  const { actor, opened, language } = context
  const { savedViews: words } = messagesFor(language)
  const before = changeable(views, seen, { actor, reader: context })
  if ('refused' in before) return before
  const { id, name, query } = before
  if (readableQuery(query, opened).isNarrowed)
    return { refused: words.narrowed(name), isName: false }
  await records.update(id, { query: checkedQuery(text, opened), changedAt: now() })
  return { id }
}

type Changed = Pick<Inserted, 'context' | 'asked' | 'now'> & SeenView

async function changeView(
  { records, views }: Changing,
  { context, asked, now, ...seen }: Changed,
): Promise<ViewOutcome> {
  const { actor } = context
  const before = changeable(views, seen, { actor, reader: context })
  if ('refused' in before) return before
  const written = settled(views, asked, { actor, before, reader: context })
  if ('refused' in written) return written
  const siblings = views.filter(
    ({ id, ownerId }) => id !== before.id && ownerId === written.ownerId,
  )
  const isMoved = before.ownerId !== written.ownerId
  await records.update(before.id, {
    ...written,
    ...(isMoved && { position: placeAfter(siblings) }),
    changedAt: now(),
  })
  if (written.isDefault) await onlyDefault(records, siblings)
  return { id: before.id }
}

async function removeView(
  { records, views }: Changing,
  { context, ...seen }: Pick<Inserted, 'context'> & SeenView,
): Promise<ViewOutcome> {
  const before = changeable(views, seen, { actor: context.actor, reader: context })
  if ('refused' in before) return before
  await records.remove(before.id)
  return { id: before.id }
}

/** A table opens with one view. */
async function onlyDefault(records: ViewRecords, others: readonly StoredView[]): Promise<void> {
  for (const { id, isDefault } of others)
    if (isDefault) await records.update(id, { isDefault: false })
}

const placeAfter = (views: readonly StoredView[]): number =>
  views.reduce((last, { position }) => Math.max(last, position + 1), 0)

/** Views that have come meanwhile follow those that are named. */
async function orderViews(
  { records, views }: Changing,
  { actor }: Asked,
  ids: readonly string[],
): Promise<void> {
  const named = ids.flatMap((id) => views.find((one) => one.id === id) ?? [])
  const [owner] = named.map(({ ownerId }) => ownerId)
  if (owner === undefined || named.length < ids.length) throw new AppError('NOT_FOUND')
  if (named.some(({ ownerId }) => ownerId !== owner) || (owner === null && !mayDecide(actor)))
    throw new AppError('FORBIDDEN')
  const rest = views.filter((one) => one.ownerId === owner && !named.includes(one))
  for (const [position, view] of [...new Set([...named, ...rest])].entries())
    if (view.position !== position) await records.update(view.id, { position })
}
