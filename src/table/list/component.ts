/** The listing as a live component, assembled from its concerns. */

import * as v from 'valibot'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { TableComponent } from '../../protocol/table-view.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import { tableVersion } from '../depends-on.ts'
import type { ListContext, ListParams, ListServices, OpenList } from './concern.ts'
import {
  CONCERNS,
  type ListActionContext,
  type ListActions,
  listConditions,
  listHref,
  listShape,
  type ListState,
  parseListUrl,
  RESET,
  WRITABLE,
} from './concerns.ts'
import { loadList, tallyOf } from './load.ts'
import { drawList, hrefOf } from './view.ts'

export type ListComponent = Component<ListParams, TypesOf<TableComponent>>

/** The component behind every list page. */
export const createListComponent = (services: ListServices): ListComponent =>
  defineComponent({
    name: 'list',
    params: v.object({ table: v.string() }),
    state: listShape,
    writable: WRITABLE,
    open: ({ actor, params }): OpenList => ({
      ...services.catalog().open(actor, params.table),
      services,
    }),
    authorize: ({ opened }) => opened.access.may('read'),
    mount: ({ query, opened }) => parseListUrl(query, opened),
    updated(context) {
      for (const concern of CONCERNS) concern.updated?.(context.state)
      listContext(context).go({}, { mode: 'replace' })
    },
    actions: listActions(),
    dependsOn: ({ actor, opened: { services } }) =>
      tableVersion(services.source, services.catalog(), actor),
    load: loadList,
    view: ({ state, data, opened, locale, language, timeZone }) =>
      drawList({ ...data, state, opened, reader: { locale, language, timeZone } }),
  })

/** The actions of all concerns, each called with a concern's context. */
function listActions(): ListActions {
  const all = CONCERNS.flatMap(({ actions }) => Object.entries(actions))
  const entries = all.map(([name, action]) => [
    name,
    {
      ...action,
      run: (context: ListActionContext, ...args: readonly unknown[]) =>
        action.run(listContext(context), ...args),
    },
  ])
  // The names and types are those of the concerns; only their context is made here.
  return Object.fromEntries(entries) as ListActions
}

function listContext(context: ListActionContext): ListContext<ListState> {
  const { opened, state, params, effects } = context
  const base = opened.services.href(params.table)
  return {
    ...context,
    isUnfiltered: listConditions(opened, state).length === 0,
    href: hrefOf(base, state),
    tally: (maxWaitMs) => tallyOf(context, maxWaitMs),
    go(change, { mode = 'push', keepsRows = false } = {}) {
      Object.assign(state, keepsRows ? {} : RESET, change)
      effects.url(listHref(base, state), mode)
    },
  }
}
