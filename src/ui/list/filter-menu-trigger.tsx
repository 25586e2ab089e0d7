/** Opens the menu of a head or a cell: one listener a table; the menu itself is loaded on first use. */

import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { loadOnce } from '../load-once.ts'
import { useNotify } from '../parts/toasts.tsx'
import { HeadMenuButtons } from './head-menu-buttons.tsx'
import type { ListingActions } from './use-listing.ts'
import { useMessages } from '../parts/use-messages.ts'

const filterMenu = loadOnce(() => import('../filters/filter-menu.tsx'))

type Props = {
  component: string
  view: TableView
  actions: ListingActions
  within: RefObject<HTMLElement | null>
}

/** By the button of a head, or the context menu: by the pointer, a long press, or the keyboard. */
export function FilterMenuTrigger({ component, view, actions, within }: Props) {
  const { filters: words } = useMessages()
  const notify = useNotify()
  const [Menu, setMenu] = useState(() => filterMenu.now()?.FilterMenu)
  const [owner, setOwner] = useState<HTMLTableCellElement | null>(null)
  const open = useCallback(
    (cell: HTMLTableCellElement) => {
      setOwner(cell)
      filterMenu.load().then(
        (loaded) => setMenu(() => loaded.FilterMenu),
        () => notify(words.notLoaded),
      )
    },
    [notify, words],
  )
  useEffect(() => {
    const onMenu = (event: MouseEvent) => {
      const { target } = event
      const cell = target instanceof Element ? target.closest('td, th') : null
      // The browser's own menu stays for what is selected and for the link to the row.
      const isTheirs =
        target instanceof Element &&
        (target.closest('a.row-link, img') !== null || getSelection()?.isCollapsed === false)
      if (!(cell instanceof HTMLTableCellElement) || isTheirs || !offerOf(view, cell)) return
      event.preventDefault()
      open(cell)
    }
    const element = within.current
    element?.addEventListener('contextmenu', onMenu)
    return () => element?.removeEventListener('contextmenu', onMenu)
  }, [within, view, open])
  const offer = owner && offerOf(view, owner)
  const row = owner?.closest('tr')?.dataset['rowKey']
  const close = () => setOwner(null)
  return (
    <>
      <HeadMenuButtons
        {...{ within, owner, open, close }}
        labelOf={(head) => offerOf(view, head)?.label}
      />
      {owner && offer && Menu && (
        <Menu {...{ component, view, actions, offer, owner, row, close }} />
      )}
    </>
  )
}

/** The filter of the column that a head or a cell stands in. */
function offerOf({ filters }: TableView, cell: HTMLTableCellElement) {
  const head = cell.closest('table')?.tHead?.rows[0]?.cells[cell.cellIndex]
  return filters.offers.find(({ key, column = key }) => column === head?.dataset['column'])
}
