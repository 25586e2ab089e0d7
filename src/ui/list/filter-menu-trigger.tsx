/** Opens the menu of a head, a cell or a row: one listener a table; the menu itself is loaded on first use. */

import { type RefObject, useCallback, useEffect, useState } from 'react'
import { fromQuery, recordHref } from '../../protocol/record-view.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { RowVerbs } from '../bulk/use-bulk.tsx'
import type { Verb } from '../bulk/verbs.ts'
import { placeOf } from '../cells/places.ts'
import type { Copying } from '../copying/use-copying.ts'
import { loadOnce } from '../load-once.ts'
import { useNotify } from '../parts/toasts.tsx'
import { HeadMenuButtons } from './head-menu-buttons.tsx'
import type { ListingActions } from './use-listing.ts'
import { onLongPress } from './long-press.ts'
import type { EditCell } from './table-keys.ts'
import { useMessages } from '../parts/use-messages.ts'
import { keysOnPage } from '../selection/pick-cells.tsx'

const filterMenu = loadOnce(() => import('../filters/filter-menu.tsx'))

type Props = {
  component: string
  view: TableView
  actions: ListingActions
  within: RefObject<HTMLElement | null>
  edit: EditCell
  mayEdit(cell: Element): boolean
  /** What can be done with the row of a cell. */
  row: RowVerbs
  /** Shows a row beside the list, by its key. */
  peek(row: string): void
  copying: Copying
}

/** By the button of a head or a row, or the context menu: by the pointer, a long press, or the keyboard. */
export function FilterMenuTrigger(props: Props) {
  const { component, view, actions, within, edit, mayEdit, row: verbs, peek, copying } = props
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
    const element = within.current
    if (!element) return
    const over = new AbortController()
    const { signal } = over
    let isTouch = false
    const onDown = ({ pointerType }: PointerEvent) => void (isTouch = pointerType === 'touch')
    /** Returns whether the menu is ours. */
    const onMenu = (at: MouseEvent): boolean => {
      const cell = cellAt(at)
      if (!cell) return false
      const key = keyIn(view, cell)
      const isChanged = mayEdit(cell) || (key !== null && verbs.verbs.length > 0)
      if (key === null && !isChanged && !offerOf(view, cell) && !columnOf(view, cell)) return false
      // A finger has no other way to change it.
      if (!(isTouch && isChanged) && isTheirs(at)) return false
      open(cell)
      return true
    }
    element.addEventListener('pointerdown', onDown, { signal, capture: true })
    const onContext = (event: MouseEvent) => onMenu(event) && event.preventDefault()
    element.addEventListener('contextmenu', onContext, { signal })
    onLongPress(element, onMenu, signal)
    return () => over.abort()
  }, [within, view, open, mayEdit, verbs])
  useRowButtons(within, owner, setOwner, open)
  const offer = owner ? offerOf(view, owner) : undefined
  const column = owner?.closest('thead') ? columnOf(view, owner) : undefined
  const row = owner?.closest('tr')?.dataset['rowKey']
  const key = owner && keyIn(view, owner)
  const close = () => setOwner(null)
  const place = owner && !column ? placeOf(owner) : null
  const editOwner = owner && mayEdit(owner) ? () => edit(owner, { orSay: true }) : undefined
  return (
    <>
      <HeadMenuButtons
        {...{ within, owner, open, close }}
        actions={actions}
        columnOf={(head) => columnOf(view, head)}
      />
      {owner && (offer || column || editOwner || key !== null) && Menu && (
        <Menu
          {...{ component, view, actions, offer, column, owner, row, close }}
          edit={editOwner}
          ofRow={
            key !== null && {
              verbs: verbs.verbs,
              change: (verb: Verb) => verbs.begin(verb, key),
              peek: () => peek(key),
              href: recordHref(view.href, key, fromQuery(view.records?.from ?? '')),
              copyRow: (write) => copying.row(key, write),
              copyLink: () => copying.link(key),
            }
          }
          copy={place ? () => copying.cell(place) : undefined}
        />
      )}
    </>
  )
}

/** The buttons of rows, which are drawn with them, open the menu and close it again. */
function useRowButtons(
  within: Props['within'],
  owner: HTMLTableCellElement | null,
  setOwner: (owner: null) => void,
  open: (cell: HTMLTableCellElement) => void,
): void {
  useEffect(() => {
    const { current: element } = within
    const onClick = ({ target }: MouseEvent) => {
      const cell = target instanceof Element ? target.closest('.rowmenu')?.parentElement : null
      if (!(cell instanceof HTMLTableCellElement)) return
      if (cell === owner) setOwner(null)
      else open(cell)
    }
    element?.addEventListener('click', onClick)
    const button = owner?.querySelector('.rowmenu')
    button?.setAttribute('aria-expanded', 'true')
    return () => {
      element?.removeEventListener('click', onClick)
      button?.removeAttribute('aria-expanded')
    }
  }, [within, owner, setOwner, open])
}

/** The filter of the column that a head or a cell stands in. */
function offerOf({ filters }: TableView, cell: HTMLTableCellElement) {
  const head = cell.closest('table')?.tHead?.rows[0]?.cells[cell.cellIndex]
  return filters.offers.find(({ key, column = key }) => column === head?.dataset['column'])
}

/** The column of a head; a cell has no menu of its column. */
const columnOf = ({ columns }: TableView, head: HTMLElement) =>
  columns.find(({ name }) => name === head.dataset['column'])

/** The browser's own menu stays for what is selected and for the link to the row. */
const isTheirs = ({ target }: MouseEvent): boolean =>
  target instanceof Element &&
  (target.closest('a.row-link, img') !== null || getSelection()?.isCollapsed === false)

/** As a card, a row is covered by its link, and its cells lie below that. */
function cellAt({ target, clientX, clientY }: MouseEvent): HTMLTableCellElement | null {
  if (!(target instanceof Element)) return null
  const isLink = target.closest('tbody a.row-link') !== null
  const below = isLink ? document.elementsFromPoint(clientX, clientY) : []
  const cell = below.find((element) => element.matches(CELL)) ?? target.closest(CELL)
  return cell instanceof HTMLTableCellElement ? cell : null
}

/** The key of the row that a cell stands in; `null` if it has no page, so that nothing can be done with it. */
function keyIn(view: TableView, cell: Element): string | null {
  const key = cell.closest('tr')?.dataset['rowKey']
  return view.records && key !== undefined && keysOnPage(view).includes(key) ? key : null
}

const CELL = ':is(td, th):not(.pick, .fill)'
