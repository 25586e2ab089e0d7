/** The listing as a live component, assembled from its concerns. */

import * as v from 'valibot'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import type { Predicate } from '../source/predicate.ts'
import { encodePredicate } from '../source/predicate-codec.ts'
import type { Subject } from '../../server/component/component.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import type { Catalog } from '../catalog.ts'
import { tableVersion } from '../depends-on.ts'
import type { Previewed } from '../previewed.ts'
import { peekActions } from '../record/peek.ts'
import { listChannels } from '../table-channel.ts'
import {
  clockOf,
  type GoOptions,
  type ListContext,
  type ListParams,
  type ListServices,
  type OpenList,
} from './concern.ts'
import { shownColumns } from './concerns/columns.ts'
import { type AnyConcern, CONCERNS, type ListActionContext, type ListState } from './concerns.ts'
import { allOf, ListFold, type ReadyContext } from './fold.ts'
import { type ListLoad, loadList, tallyOf } from './load.ts'
import { hasPairs } from './pairs.ts'
import { drawList, hrefOf } from './view.ts'

export type ListComponent = Component<ListParams, TypesOf<TableComponent>>

/** The component behind every list page, made of these concerns. */
export function createListComponent(
  services: ListServices,
  concerns: readonly AnyConcern[] = CONCERNS,
): ListComponent {
  const fold = new ListFold(concerns)
  const actions = {
    ...fold.actions((context) => listContext(fold, context)),
    ...peekActions(services),
  }
  /** The data versions that `dependsOn` has read, for the `load` that follows. */
  const versions = new WeakMap<object, string>()
  /** The conditions that it has made, for `channels`. */
  const made = new WeakMap<object, Predicate>()
  return defineComponent({
    name: 'list',
    params: v.object({ table: v.string() }),
    state: fold.shape,
    writable: fold.writable,
    open: (subject, state) => openList(services, subject, fold.opens(state, subject)),
    channels(context) {
      if (!services.isLive) return []
      const { opened, state } = context
      const where = made.get(context) ?? whereOf(fold, context)
      const shown = hasPairs(opened) ? shownColumns(opened, fold.presented(opened, state)) : []
      return listChannels(opened, where, shown)
    },
    authorize: ({ opened }) => opened.access.may('read'),
    async mount({ query, opened, locale, actor, params }) {
      const layout = await services.layouts?.read(actor, params.table)
      return fold.kept(fold.parse(query, opened, locale), layout, query, opened)
    },
    updated(context, paths, before) {
      const { state, opened } = context
      for (const concern of concerns) concern.updated?.(state, { opened, paths })
      // What else was written, such as a selection, changes neither the rows nor the address.
      if (fold.conditionsOf(state) === fold.conditionsOf(before)) return
      Object.assign(state, fold.cleared)
      const isPushed = concerns.some((concern) => concern.pushes?.(state, before, paths))
      go(fold, context, {}, { mode: isPushed ? 'push' : 'replace' })
    },
    actions,
    async dependsOn(context) {
      const { actor, state, opened } = context
      const { services } = opened
      const ready = await fold.prepare(opened, state, services.plans?.store)
      const data = await services.source.exactVersion()
      if (data !== null) versions.set(context, data)
      const version = tableVersion(data, services.source, services.catalog(), actor)
      // “Today” is another day tomorrow, whether or not a row has changed.
      const conditions = fold.conditions(ready, state, clockOf(context))
      made.set(context, allOf(conditions))
      return version && `${version} ${JSON.stringify(conditions.map(encodePredicate))}`
    },
    // `dependsOn` names the role.
    sharedAs: ({ actor }) => services.catalog().grantsOf(actor),
    load: (context: ListLoad) => loadList(fold, context, versions.get(context)),
    view: ({ state, data, opened, locale, language, timeZone }) =>
      drawList(fold, { ...data, state, opened, reader: { locale, language, timeZone } }),
  })
}

/** The table as it is for all, or with these corrections that are not saved, as long as a catalog can be made with them. */
function openList(
  services: ListServices,
  { actor, params: { table } }: Subject<ListParams>,
  parts: readonly Previewed[],
): OpenList | Promise<OpenList> {
  const openIn = (catalog: Catalog) => catalog.open(actor, table)
  const current = () => ({ ...openIn(services.catalog()), services })
  if (parts.length === 0 || !services.preview) return current()
  return services.preview(table, parts).then(
    (catalog) => ({
      ...openIn(catalog),
      ...{ services: { ...services, catalog: () => catalog }, isPreview: true },
    }),
    current,
  )
}

/** The conditions of a list; `undefined` where some are kept elsewhere and are not read yet. */
function whereOf(fold: ListFold, context: ListLoad): Predicate | undefined {
  const { opened, state } = context
  try {
    return fold.where({ ...opened, prepared: {} }, state, clockOf(context))
  } catch {
    // The state before is that of another request; none such is about other tables.
    return undefined
  }
}

function listContext(fold: ListFold, context: ReadyContext): ListContext<ListState> {
  const { opened, state, params } = context
  const base = opened.services.href(params.table)
  const clock = clockOf(context)
  const presented = () => fold.presented(opened, state)
  return {
    ...context,
    conditionsKey: () => fold.conditionsOf(state),
    conditions: () => fold.conditions(opened, presented(), clock),
    pageQuery() {
      const shown = presented()
      return fold.pageQuery(opened, shown, null, fold.where(opened, shown, clock))
    },
    columns: () => shownColumns(opened, presented()),
    href: (...given) => hrefOf(fold, base, state, fold.written(state))(...given),
    where: (change) => fold.where(opened, fold.presented(opened, { ...state, ...change }), clock),
    narrowedBy: () => fold.narrowedBy({ ...context, state: presented() }),
    tally: (maxWaitMs) => tallyOf(fold.where(opened, presented(), clock), context, { maxWaitMs }),
    go: (change, options) => go(fold, context, change, options),
  }
}

function go(
  fold: ListFold,
  { opened, state, params, effects }: ListActionContext,
  change: Partial<ListState>,
  { mode = 'push', keepsRows = false }: GoOptions = {},
): void {
  const before = fold.conditionsOf(state)
  Object.assign(state, keepsRows ? {} : fold.reset, change)
  if (fold.conditionsOf(state) !== before) Object.assign(state, fold.cleared)
  effects.url(fold.href(opened.services.href(params.table), state), mode)
}
