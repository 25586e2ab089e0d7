/**
 * What the menu “Display” offers: the density of the rows, and which columns are shown; on a phone also what
 * its foot has no room for.
 */

import { useEffect, useRef } from 'react'
import { ColumnChoice } from '../columns/column-choice.tsx'
import { laterPart } from '../later-part.tsx'
import type { Density } from '../../protocol/page.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { HiddenColumns } from '../parts/hidden-columns.tsx'
import { SheetHead } from '../parts/sheet-head.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useLook } from '../shell/look.tsx'
import { useIsLive } from '../use-loaded.ts'
import { PageSize } from './list-foot.tsx'
import { DISPLAY_MENU_ID } from './menu-ids.ts'
import type { ListingActions } from './use-listing.ts'

const DENSITIES: readonly Density[] = ['compact', 'comfortable', 'relaxed']

type ChoicesProps = {
  /** Id of the listing. */
  component: string
  view: TableView
  actions: ListingActions
}

const LivePause = laterPart(async () => (await import('../live/live-work.ts')).LivePause)

/** Takes the focus as it appears. */
export function DisplayChoices({ component, view, actions }: ChoicesProps) {
  const { list, live } = useMessages()
  const isLive = useIsLive()
  return (
    <>
      <SheetHead title={list.display} closes={DISPLAY_MENU_ID} />
      <div className="narrow">
        <PageSize {...{ component, view, actions }} />
      </div>
      {isLive && (
        <div className="narrow">
          {live.live} <LivePause />
        </div>
      )}
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
      <div className="seg">
        {DENSITIES.map((name) => (
          <label key={name}>
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
      </div>
    </fieldset>
  )
}
