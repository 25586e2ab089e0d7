/** The active filters, each with a button that removes it: a form before script runs. */

import type { ReactNode, SyntheticEvent } from 'react'
import type { FilterView, TableView } from '../../protocol/table-view.ts'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { ListingActions } from './use-listing.ts'

export function ActiveFilters({ view, actions }: { view: TableView; actions: ListingActions }) {
  const { list } = useMessages()
  const all = view.filters?.all ?? []
  if (all.length === 0) return null
  return (
    <section className="chips" aria-label={list.filters}>
      {all.map((filter) => (
        <RemoveForm key={filter.param} view={view} filters={[filter]} actions={actions}>
          <button
            type="submit"
            className="chip"
            aria-label={list.removeFilter(list.filter(filter.label, filter.value))}
          >
            <span>{filter.label}</span> <b className="name">{filter.value}</b>
            <Icon name="close" />
          </button>
        </RemoveForm>
      ))}
      {all.length > 1 && (
        <RemoveForm view={view} filters={all} actions={actions}>
          <button type="submit" className="plain">
            {list.clearFilters}
          </button>
        </RemoveForm>
      )}
    </section>
  )
}

type RemoveFormProps = {
  view: TableView
  /** The filters to remove: one of them, or all. */
  filters: readonly FilterView[]
  actions: ListingActions
  children: ReactNode
}

/** A form that leads to the same listing without these filters. */
function RemoveForm({ view, filters, actions, children }: RemoveFormProps) {
  const names = new Set(filters.map(({ param }) => param))
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    void actions.removeFilter(filters.length === 1 ? (filters[0]?.column ?? null) : null)
  }
  return (
    <form action={view.href} onSubmit={onSubmit}>
      <HiddenInputs params={view.params.filter(([name]) => !names.has(name))} />
      {children}
    </form>
  )
}
