/** The menu “Display”: the density of the rows, and which columns are shown. */

import type { ToggleEvent } from 'react'
import type { Density } from '../../protocol/page.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { HiddenColumns } from '../parts/hidden-columns.tsx'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useLook } from '../shell/look.tsx'
import type { ListingActions } from './use-listing.ts'
import { usePending } from './use-pending.ts'
import { Shown } from '../parts/plain-text.tsx'

const DENSITIES: readonly Density[] = ['compact', 'comfortable', 'relaxed']

const MENU_ID = 'display-menu'
/** Id of the button, for the key that opens the menu. */
export const DISPLAY_ID = 'display'

export function DisplayMenu({ view, actions }: { view: TableView; actions: ListingActions }) {
  const { list } = useMessages()
  return (
    <>
      <button
        type="button"
        id={DISPLAY_ID}
        className="btn needs-script"
        popoverTarget={MENU_ID}
        aria-haspopup="dialog"
      >
        <Icon name="display" />
        <span className="t">{list.display}</span>
      </button>
      <div
        id={MENU_ID}
        className="menu below"
        popover="auto"
        role="dialog"
        aria-label={list.display}
        onToggle={focusFirst}
      >
        <DensityChoice />
        <hr />
        <ColumnChoice columns={view.allColumns} actions={actions} />
        {view.hidden && (
          <>
            <hr />
            <HiddenColumns table={view.name} columns={view.hidden} />
          </>
        )}
      </div>
    </>
  )
}

function focusFirst({ newState, currentTarget }: ToggleEvent<HTMLElement>) {
  if (newState === 'open') currentTarget.querySelector<HTMLElement>('input:checked')?.focus()
}

function DensityChoice() {
  const { list } = useMessages()
  const { density, choose } = useLook()
  return (
    <fieldset>
      <legend className="cap">{list.density}</legend>
      {DENSITIES.map((name) => (
        <label key={name} className="item">
          <input
            type="radio"
            name="density"
            checked={name === density}
            onChange={() => choose('density', name)}
          />
          {list.densities[name]}
        </label>
      ))}
    </fieldset>
  )
}

function ColumnChoice({
  columns,
  actions,
}: {
  columns: TableView['allColumns']
  actions: ListingActions
}) {
  const { list } = useMessages()
  const confirmed = columns.filter(({ shown }) => shown).map(({ name }) => name)
  const [shown, choose] = usePending(confirmed, (names) => actions.setColumns(names))
  const toggle = (changed: string) =>
    choose(
      columns.map(({ name }) => name).filter((name) => (name === changed) !== shown.includes(name)),
    )
  return (
    <fieldset>
      <legend className="cap">{list.columns}</legend>
      {columns.map(({ name, label }) => (
        <label key={name} className="item">
          <input
            type="checkbox"
            checked={shown.includes(name)}
            disabled={shown.length === 1 && shown[0] === name}
            onChange={() => toggle(name)}
          />
          <span className="name">
            <Shown text={label} />
          </span>
        </label>
      ))}
    </fieldset>
  )
}
