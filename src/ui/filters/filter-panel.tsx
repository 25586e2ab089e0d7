/** The panel of filters, loaded when it first opens: a form before script runs, live afterwards. */

import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { BUILDER } from '../../protocol/filters.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { totalText } from '../list/total-text.ts'
import type { ListingActions } from '../list/use-listing.ts'
import { FilterFields } from './filter-fields.tsx'
import { FormContext, useFormParts } from './form-context.ts'
import { isInOpenMenu } from './open-menu.ts'
import { type GroupQuestion, OpenGroupContext } from './open-group.ts'
import { FINDER_FROM, inPanelOrder, isFound } from './panel-order.ts'
import { type Filters, useFilters } from './use-filters.ts'

export type FilterPanelProps = {
  /** Id of the listing. */
  component: string
  view: TableView
  actions: ListingActions
  isOpen: boolean
  close(): void
}

const GroupDialog = lazy(async () => ({
  default: (await import('./group-editor.tsx')).GroupDialog,
}))

export function FilterPanel({ component, view, actions, isOpen, close }: FilterPanelProps) {
  const { filters: words } = useMessages()
  const filters = useFilters(component, view)
  const parts = useFormParts()
  const { form } = view.filters
  const [typed, setTyped] = useState('')
  const offers = inPanelOrder(view.filters.offers, view.columns)
  const found = offers.filter(({ label }) => isFound(label, typed))
  const [question, ask] = useState<GroupQuestion | null>(null)
  const cross = useRef<HTMLButtonElement>(null)
  // A sheet lies over what had the focus; beside the rows, the panel has no cross.
  useEffect(() => {
    if (isOpen) cross.current?.focus()
  }, [isOpen])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isInOpenMenu(event.target)) return
    event.preventDefault()
    close()
  }
  return (
    <OpenGroupContext value={ask}>
      <FormContext value={form}>
        <div className="veil" onClick={close} />
        <section className="filters" aria-label={words.title} onKeyDown={onKeyDown}>
          <header>
            <h2>{words.title}</h2>
            <button
              ref={cross}
              type="button"
              className="btn icon cross"
              aria-label={words.close}
              onClick={close}
            >
              <Icon name="close" />
            </button>
            {offers.length >= FINDER_FROM && (
              <Finder typed={typed} type={setTyped} count={found.length} />
            )}
          </header>
          <form action={view.href} onSubmit={(event) => event.preventDefault()}>
            <HiddenInputs params={view.params.filter(([name]) => !name.startsWith('filter.'))} />
            {/* What Enter presses without script. */}
            <noscript>
              <button
                className="sr"
                name="filters"
                value="apply"
                tabIndex={-1}
                aria-hidden="true"
              />
            </noscript>
            <div className="grid">
              {found.length === 0 && (
                <p className="none" aria-hidden="true">
                  {words.foundFilters({ count: 0, text: '' })}
                </p>
              )}
              {offers.map((offer) => (
                <FilterFields
                  key={offer.key}
                  // What was typed into one that is not found stays.
                  isHidden={!found.includes(offer)}
                  offer={offer}
                  value={filters.valueOf(offer.key) ?? form?.begun[offer.key]}
                  change={(value) => filters.change(offer, value)}
                  param={(part) => `filter.${offer.key}.${part}`}
                  ask={filters.ask}
                  errors={filters.errorsOf(offer.key)}
                />
              ))}
            </div>
            {view.filters.builder && (
              <noscript>{parts && <parts.Builder offers={view.filters.offers} />}</noscript>
            )}
            <PanelFoot {...{ view, actions, filters, close, ask }} />
          </form>
        </section>
      </FormContext>
      {question && (
        <Suspense>
          <GroupDialog {...question} onClose={() => ask(null)} />
        </Suspense>
      )}
    </OpenGroupContext>
  )
}

type FinderProps = { typed: string; type(text: string): void; count: number }

/** Narrows the filters that are shown, by their labels. */
function Finder({ typed, type, count }: FinderProps) {
  const { filters: words } = useMessages()
  const { locale } = usePage()
  return (
    <p className="finder needs-script">
      <Icon name="search" />
      <input
        className="in"
        type="search"
        autoComplete="off"
        aria-label={words.findFilter}
        placeholder={words.findFilter}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || typed === '') return
          event.preventDefault()
          type('')
        }}
      />
      <span className="sr" role="status">
        {typed.trim() !== '' && words.foundFilters({ count, text: count.toLocaleString(locale) })}
      </span>
    </p>
  )
}

type FootProps = Pick<FilterPanelProps, 'view' | 'actions' | 'close'> & {
  filters: Filters
  ask(question: GroupQuestion): void
}

function PanelFoot({ view, actions, filters, close, ask }: FootProps) {
  const { filters: words, list } = useMessages()
  const { locale } = usePage()
  const { waiting, group } = filters
  const openBuilder = () =>
    ask({
      title: words.builder,
      offers: async () => view.filters.offers,
      ask: filters.ask,
      group,
      apply: (next) => filters.change({ key: BUILDER }, next),
    })
  return (
    <footer>
      {view.filters.builder && (
        <>
          <span className="second opt">{words.allHold}</span>
          <button
            type="button"
            className="plain needs-script"
            data-filter={BUILDER}
            onClick={openBuilder}
          >
            {group ? words.changeGroup : words.addGroup}
          </button>
        </>
      )}
      <span className="sp" />
      <span className="second" role="status">
        {words.match(totalText(view.total, list))}
      </span>
      {view.filters.chips.length > 0 && (
        <button
          type="button"
          className="btn needs-script"
          onClick={() => void actions.removeFilter(null)}
        >
          {list.clearFilters}
        </button>
      )}
      {waiting > 0 && (
        <button type="button" className="btn main needs-script" onClick={filters.apply}>
          {words.applyCount({ count: waiting, text: waiting.toLocaleString(locale) })}
        </button>
      )}
      <noscript>
        <button type="submit" className="btn main" name="filters" value="apply">
          {words.apply}
        </button>
      </noscript>
      <button type="button" className="btn line needs-script" onClick={close}>
        {words.closePanel}
      </button>
    </footer>
  )
}
