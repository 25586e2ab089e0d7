/** The active filters, each with a button that removes it: a form before script runs. */

import type { ReactNode, SyntheticEvent } from 'react'
import type { FilterChip } from '../../protocol/filters.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { totalText } from './total-text.ts'
import type { ListingActions } from './use-listing.ts'

export function ActiveFilters({ view, actions }: { view: TableView; actions: ListingActions }) {
  const { list, filters } = useMessages()
  const { chips, whole } = view.filters
  if (chips.length === 0) return null
  return (
    <section className="chips" aria-label={list.filters}>
      {chips.map((chip) => (
        <RemoveForm key={chip.key} view={view} chips={[chip]} actions={actions}>
          <button
            type="submit"
            className="chip"
            aria-label={list.removeFilter(list.filter(chip.label, chip.value))}
          >
            <span className="name">
              <Shown text={chip.label} />
            </span>{' '}
            <b className="name">
              <Shown text={chip.value} />
            </b>
            <Icon name="close" />
          </button>
        </RemoveForm>
      ))}
      {chips.length > 1 && (
        <RemoveForm view={view} chips={chips} actions={actions}>
          <button type="submit" className="plain">
            {list.clearFilters}
          </button>
        </RemoveForm>
      )}
      {whole && 'text' in view.total && (
        <span className="said">
          {filters.of(totalText(view.total, list), totalText(whole, list))}
        </span>
      )}
    </section>
  )
}

type RemoveFormProps = {
  view: TableView
  /** The filters to remove: one of them, or all. */
  chips: readonly FilterChip[]
  actions: ListingActions
  children: ReactNode
}

/** A form that leads to the same listing without these filters. */
function RemoveForm({ view, chips, actions, children }: RemoveFormProps) {
  const names = new Set(chips.flatMap(({ params }) => params))
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    void actions.removeFilter(chips.length === 1 ? (chips[0]?.key ?? null) : null)
  }
  return (
    <form action={view.href} onSubmit={onSubmit}>
      <HiddenInputs params={view.params.filter(([name]) => !names.has(name))} />
      {children}
    </form>
  )
}
