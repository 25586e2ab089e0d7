/** What the menu “Display” offers: the density of the rows, and which columns are shown. */

import { useEffect, useRef } from 'react'
import type { Density } from '../../protocol/page.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { HiddenColumns } from '../parts/hidden-columns.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useLook } from '../shell/look.tsx'
import type { ListingActions } from './use-listing.ts'
import { usePending } from './use-pending.ts'

const DENSITIES: readonly Density[] = ['compact', 'comfortable', 'relaxed']

/** Takes the focus as it appears. */
export function DisplayChoices({ view, actions }: { view: TableView; actions: ListingActions }) {
  return (
    <>
      <DensityChoice />
      <hr />
      <ColumnChoice view={view} actions={actions} />
      {view.hidden && (
        <>
          <hr />
          <HiddenColumns table={view.name} hidden={view.hidden} />
        </>
      )}
    </>
  )
}

function DensityChoice() {
  const { list } = useMessages()
  const { density, choose } = useLook()
  const current = useRef<HTMLInputElement>(null)
  useEffect(() => current.current?.focus(), [])
  return (
    <fieldset>
      <legend className="cap">{list.density}</legend>
      {DENSITIES.map((name) => (
        <label key={name} className="item">
          <input
            type="radio"
            ref={name === density ? current : undefined}
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

function ColumnChoice({ view, actions }: { view: TableView; actions: ListingActions }) {
  const { list } = useMessages()
  const columns = view.allColumns
  const isShown = new Set(view.columns.map(({ name }) => name))
  const confirmed = columns.map(({ name }) => name).filter((name) => isShown.has(name))
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
