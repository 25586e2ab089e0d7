/** The button “Display”, and the menu that it opens; what is in it comes with the list's other work. */

import { type ToggleEvent, useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useLoaded } from '../use-loaded.ts'
import { DISPLAY_ID, DISPLAY_MENU_ID } from './menu-ids.ts'
import type { ListingActions } from './use-listing.ts'
import { listWork } from './use-list-work.ts'

type DisplayProps = {
  /** Id of the listing. */
  component: string
  view: TableView
  actions: ListingActions
}

export function DisplayMenu(props: DisplayProps) {
  const { list } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const onToggle = ({ newState }: ToggleEvent<HTMLElement>) => setOpen(newState === 'open')
  return (
    <>
      <button
        type="button"
        id={DISPLAY_ID}
        className="btn needs-script"
        popoverTarget={DISPLAY_MENU_ID}
        aria-haspopup="dialog"
      >
        <Icon name="display" />
        <span className="t">{list.display}</span>
      </button>
      <div
        id={DISPLAY_MENU_ID}
        className="menu below"
        popover="auto"
        role="dialog"
        aria-label={list.display}
        onToggle={onToggle}
      >
        {isOpen && <Choices {...props} />}
      </div>
    </>
  )
}

function Choices(props: DisplayProps) {
  const loaded = useLoaded(listWork)
  return loaded && <loaded.DisplayChoices {...props} />
}
