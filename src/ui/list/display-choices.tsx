/** What the menu “Display” offers: the density of the rows, and which columns are shown. */

import { useEffect, useRef } from 'react'
import { ColumnChoice } from '../columns/column-choice.tsx'
import type { Density } from '../../protocol/page.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { HiddenColumns } from '../parts/hidden-columns.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useLook } from '../shell/look.tsx'
import type { ListingActions } from './use-listing.ts'

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
