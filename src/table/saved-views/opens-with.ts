/** The views that a person has of a table, and the one that it opens with. */

import { type SavedView, viewHref } from '../../protocol/saved-views.ts'
import type { Actor } from '../../server/actor.ts'
import type { OpenTable } from '../catalog.ts'
import { readableQuery } from './view-query.ts'
import type { StoredView, ViewStore } from './view-records.ts'
import { mayChange } from './view-rules.ts'

/** A person's own choice counts before that of everyone. */
export const opensWith = (views: readonly StoredView[]): StoredView | undefined => {
  const chosen = views.filter(({ isDefault }) => isDefault)
  return chosen.find(({ ownerId }) => ownerId !== null) ?? chosen[0]
}

/** Each request has an actor object of its own: a page asks twice. */
const readFor = new WeakMap<Actor, Map<string, Promise<readonly StoredView[]>>>()

export function viewsOf(
  store: Pick<ViewStore, 'of'>,
  actor: Actor,
  table: string,
): Promise<readonly StoredView[]> {
  const tables = readFor.get(actor) ?? new Map<string, Promise<readonly StoredView[]>>()
  readFor.set(actor, tables)
  const found = tables.get(table) ?? store.of(table, actor.id)
  tables.set(table, found)
  return found
}

/** After a change. */
export const forgetViews = (actor: Actor): void => void readFor.delete(actor)

export type Opening = {
  /** That of the request: access may have been granted to an earlier one. */
  readonly actor: Actor
  readonly open: OpenTable
  /** Address of the list. */
  readonly href: string
}

/** Where the bare address of a table leads; `undefined` where it shows all rows. */
export async function openingHref(
  store: Pick<ViewStore, 'of'>,
  { actor, open, href }: Opening,
): Promise<string | undefined> {
  const view = opensWith(await viewsOf(store, actor, open.definition.table.name))
  if (!view) return undefined
  return viewHref(href, { id: view.id, query: readableQuery(view.query, open).query })
}

/** A view as its reader sees it. */
export function drawView(
  view: StoredView,
  { actor, open }: Pick<Opening, 'actor' | 'open'>,
): SavedView {
  const { id, name, ownerId, by, isDefault, isTab, changedAt } = view
  const { query, isNarrowed } = readableQuery(view.query, open)
  return {
    ...{ id, name, query, isShared: ownerId === null, isDefault, isTab, changedAt },
    ...(ownerId === null && by.id !== actor.id && { by: by.name }),
    ...(mayChange(view, actor) && { mayChange: true }),
    ...(isNarrowed && { isNarrowed }),
  }
}
