/** The saved view at which a list is open, and whether the list still shows what it stands for. */

import {
  ALL_ROWS,
  type SavedView,
  type SavedViewsComponent,
  type SavedViewsView,
  savedQuery,
  VIEW_PARAM,
} from '../../protocol/saved-views.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { useComponent } from '../../react/use-component.ts'

/** The id of their component on the page of a list. */
export const VIEWS = 'views'

export type OpenView = SavedViewsView & {
  /** Absent where the list is at none, or at one that the reader does not have. */
  readonly current: SavedView | undefined
  /** What the list shows now. */
  readonly query: string
  /** Whether that is something else than the view; one that is gone stands for nothing. */
  readonly differs: boolean
}

export function useOpenView({ params }: Pick<TableView, 'params'>): OpenView {
  const { view } = useComponent<SavedViewsComponent>(VIEWS)
  const id = params.find(([name]) => name === VIEW_PARAM)?.[1]
  const current = view.views.find((one) => one.id === id)
  const query = savedQuery(params)
  const isAtView = id !== undefined && id !== ALL_ROWS
  return { ...view, current, query, differs: isAtView && query !== (current?.query ?? '') }
}

/** Whether the parameters with these names are others in the view. */
export function isEdited(names: readonly string[], { current, query, differs }: OpenView): boolean {
  if (!current || !differs) return false
  const [now, saved] = [new URLSearchParams(query), new URLSearchParams(current.query)]
  return names.some((name) => now.getAll(name).join() !== saved.getAll(name).join())
}
