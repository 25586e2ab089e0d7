/** The filters in force, each a button that takes it away: a form before script runs. */

import type { ReactNode, SyntheticEvent } from 'react'
import type { FilterView, TableView } from '../../protocol/table-view.ts'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { Ask } from './use-listing.ts'

export function ActiveFilters({ view, ask }: { view: TableView; ask: Ask }) {
  const { list } = useMessages()
  const all = view.filters?.all ?? []
  if (all.length === 0) return null
  return (
    <section className="chips" aria-label={list.filters}>
      {all.map((filter) => (
        <Without key={filter.param} view={view} filters={[filter]} ask={ask}>
          <button
            type="submit"
            className="chip"
            aria-label={list.removeFilter(list.filter(filter.label, filter.value))}
          >
            <span>{filter.label}</span> <b className="name">{filter.value}</b>
            <Icon name="close" />
          </button>
        </Without>
      ))}
      {all.length > 1 && (
        <Without view={view} filters={all} ask={ask}>
          <button type="submit" className="plain">
            {list.clearFilters}
          </button>
        </Without>
      )}
    </section>
  )
}

type WithoutProps = {
  view: TableView
  /** What is taken away: one of them, or all. */
  filters: readonly FilterView[]
  ask: Ask
  children: ReactNode
}

/** The listing as it is, without these filters. */
function Without({ view, filters, ask, children }: WithoutProps) {
  const names = new Set(filters.map(({ param }) => param))
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    void ask.removeFilter(filters.length === 1 ? (filters[0]?.column ?? null) : null)
  }
  return (
    <form action={view.href} onSubmit={onSubmit}>
      <HiddenInputs params={view.params.filter(([name]) => !names.has(name))} />
      {children}
    </form>
  )
}
