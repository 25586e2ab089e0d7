/** The button “Filters”, and the region that it opens; the panel in it is loaded on first use. */

import { useEffect, useRef, useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useEntangled } from '../../react/use-entangled.ts'
import { loadOnce } from '../load-once.ts'
import { Collapse } from '../parts/collapse.tsx'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { ListingActions } from './use-listing.ts'

export const filterPanel = loadOnce(() => import('../filters/filter-panel.tsx'))

/** The property of a listing that says whether its panel is open (spec §3). */
export const PANEL_STATE = 'filterSlideDownDefaultVisible'

const BUTTON_ID = 'filters'
const PANEL_ID = 'filter-panel'

const FIELDS = ':is(input, button, select, textarea):not([type="hidden"], .op)'

export type FiltersOpen = {
  readonly isOpen: boolean
  set(isOpen: boolean): void
  /**
   * Opens the panel, and once it is there focuses the first field of the filter with that key, or opens its
   * dialog. Default: the first of all.
   */
  enter(key?: string): void
  /** The panel is there. */
  shown(): void
}

/** Whether the panel is open, which the server keeps with the listing. */
export function useFiltersOpen(component: string): FiltersOpen {
  const [isOpen, set] = useEntangled<TableComponent, typeof PANEL_STATE>(component, PANEL_STATE, {
    live: true,
  })
  /** Where to enter the panel, once it is there: a selector. */
  const entering = useRef<string | null>(null)
  const shown = () => {
    const field = entering.current && document.querySelector<HTMLElement>(entering.current)
    entering.current = null
    if (!field) return
    field.focus()
    // It opens the dialog of conditions.
    if (field.dataset['filter']) field.click()
  }
  return {
    isOpen,
    set,
    shown,
    enter(key) {
      const at = key === undefined ? '.grid' : `[data-filter="${CSS.escape(key)}"]`
      entering.current = `#${PANEL_ID} ${at}:is(button), #${PANEL_ID} ${at} ${FIELDS}`
      if (isOpen) shown()
      else set(true)
    },
  }
}

type ButtonProps = { view: TableView; panel: FiltersOpen }

export function FiltersButton({ view: { href, params, filters }, panel }: ButtonProps) {
  const { filters: words } = useMessages()
  const load = () => void filterPanel.load().catch(() => undefined)
  const { isOpen } = panel
  if (filters.offers.length === 0) return null
  return (
    <form
      id={FILTERS_FORM}
      action={href}
      onSubmit={(event) => {
        event.preventDefault()
        panel.set(!isOpen)
      }}
    >
      <HiddenInputs params={params} />
      <button
        type="submit"
        id={BUTTON_ID}
        className={isOpen ? 'btn on' : 'btn'}
        name={PANEL_PARAM}
        value={isOpen ? 'closed' : 'open'}
        aria-expanded={isOpen}
        aria-controls={PANEL_ID}
        onPointerEnter={load}
        onFocus={load}
      >
        <Icon name="filters" />
        <span className="t">{words.title}</span>
        {filters.chips.length > 0 && <span className="n">{filters.chips.length}</span>}
      </button>
    </form>
  )
}

/** Says in an address whether the panel is open. */
export const PANEL_PARAM = 'filters'

/** Id of the form that opens it. */
export const FILTERS_FORM = 'filters-form'

type RegionProps = ButtonProps & { component: string; actions: ListingActions }

export function FiltersRegion({ component, view, actions, panel }: RegionProps) {
  const { filters: words } = useMessages()
  const notify = useNotify()
  const [loaded, setLoaded] = useState(() => filterPanel.now())
  const { isOpen, set } = panel
  // Once it was open it stays, so that what is typed in it is kept.
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  const isShown = isOpen && loaded !== undefined
  useEffect(() => {
    if (!isOpen || loaded) return
    filterPanel.load().then(setLoaded, () => {
      set(false)
      notify(words.notLoaded)
    })
  }, [isOpen, loaded, set, notify, words])
  useEffect(() => {
    if (isShown) panel.shown()
  }, [isShown, panel])
  const close = () => {
    set(false)
    document.getElementById(BUTTON_ID)?.focus()
  }
  return (
    <Collapse id={PANEL_ID} open={isShown}>
      {wasOpen && loaded && (
        <loaded.FilterPanel {...{ component, view, actions, close }} isOpen={isShown} />
      )}
    </Collapse>
  )
}
