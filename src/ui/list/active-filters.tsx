/** The active filters, each with buttons that edit and remove it: forms before script runs. */

import type { ReactNode, SyntheticEvent } from 'react'
import type { FilterChip } from '../../protocol/filters.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { laterPart } from '../later-part.tsx'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { isEdited, useOpenView } from '../saved-views/open-view.ts'
import { FILTERS_FORM, type FiltersOpen, PANEL_PARAM } from './filters-region.tsx'
import { totalText } from './total-text.ts'
import type { ListingActions } from './use-listing.ts'
import { listWork } from './use-list-work.ts'

type ActiveFiltersProps = { view: TableView; actions: ListingActions; panel: FiltersOpen }

export function ActiveFilters({ view, actions, panel }: ActiveFiltersProps) {
  const open = useOpenView(view)
  const { list, filters } = useMessages()
  const { chips, whole } = view.filters
  if (chips.length === 0 && !open.differs) return <Searched view={view} />
  return (
    <section className="chips" aria-label={list.filters}>
      {chips.map((chip) => {
        const name = list.filter(chip.label, chip.value)
        return (
          <RemoveForm key={chip.key} view={view} chips={[chip]} actions={actions}>
            <span className={isEdited(chip.params, open) ? 'chip edited' : 'chip'}>
              {/* Before script runs, it opens the panel as the button “Filters” does. */}
              <button
                type="submit"
                form={FILTERS_FORM}
                name={PANEL_PARAM}
                value="open"
                className="name"
                aria-label={list.editFilter(name)}
                onClick={(event) => {
                  event.preventDefault()
                  panel.enter(chip.key)
                }}
              >
                <Shown text={chip.label} />{' '}
                <b>
                  <Shown text={chip.value} />
                </b>
              </button>
              <button type="submit" className="out" aria-label={list.removeFilter(name)}>
                <Icon name="close" />
              </button>
            </span>
          </RemoveForm>
        )
      })}
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
      {open.differs && <ViewChanges list={view} open={open} actions={actions} />}
    </section>
  )
}

/** What a search without filters has found, and the way out. */
function Searched({ view: { searched, clearHref, total } }: { view: TableView }) {
  const { list, filters } = useMessages()
  if (!searched) return null
  const { text, whole } = searched
  return (
    <p className="chips">
      <span className="second">{text}</span>
      <a className="plain" href={clearHref}>
        {list.clearSearch}
      </a>
      {whole && 'text' in total && (
        <span className="said">{filters.of(totalText(total, list), totalText(whole, list))}</span>
      )}
    </p>
  )
}

const ViewChanges = laterPart(async () => (await listWork.load()).ViewChanges)

type RemoveFormProps = {
  view: TableView
  /** The filters to remove: one of them, or all. */
  chips: readonly FilterChip[]
  actions: ListingActions
  children: ReactNode
}

/** A form that leads to the same listing without these filters. */
function RemoveForm({ view, chips, actions, children }: RemoveFormProps) {
  // A filter that stands by default says when it was removed: it goes by itself only.
  const removed = chips.filter((chip) => chips.length === 1 || !chip.removed)
  const names = new Set(removed.flatMap(({ params }) => params))
  const added = removed.flatMap((chip) => (chip.removed ? [chip.removed] : []))
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    void actions.removeFilter(chips.length === 1 ? (chips[0]?.key ?? null) : null)
  }
  return (
    <form action={view.href} onSubmit={onSubmit}>
      <HiddenInputs params={[...view.params.filter(([name]) => !names.has(name)), ...added]} />
      {children}
    </form>
  )
}
