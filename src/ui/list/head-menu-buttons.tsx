/** The button of a head's menu, and the edge that its width is changed by: in the head that the pointer or the focus is on, and in no other. */

import { type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ColumnView } from '../../protocol/table-view.ts'
import { ColumnGrip } from '../columns/column-grip.tsx'
import type { ListingActions } from './use-listing.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

type Head = HTMLTableCellElement

type HeadMenuButtonsProps = {
  within: RefObject<HTMLElement | null>
  /** The head or the cell whose menu is open. */
  owner: Head | null
  /** The column of a head. */
  columnOf(head: Head): ColumnView | undefined
  actions: ListingActions
  open(head: Head): void
  close(): void
}

export function HeadMenuButtons({
  within,
  owner,
  columnOf,
  actions,
  open,
  close,
}: HeadMenuButtonsProps) {
  const { filters: words } = useMessages()
  const { pointed, focused } = useHeads(within)
  const heads = new Set([pointed, focused, owner && headOf(owner)].filter((one) => one !== null))
  return [...heads].map((head) => {
    const column = columnOf(head)
    if (!column) return null
    const isOpen = head === owner
    return createPortal(
      <>
        <button
          type="button"
          // The one button of a head is that which sorts.
          role="link"
          className="btn icon headmenu"
          aria-label={words.menu(column.label)}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          // Otherwise the menu would close by the press, and the click would open it again.
          onPointerDown={(event) => isOpen && event.stopPropagation()}
          onMouseDown={(event) => isOpen && event.preventDefault()}
          onClick={() => (isOpen ? close() : open(head))}
        >
          <Icon name="filters" />
        </button>
        <ColumnGrip head={head} column={column} actions={actions} />
      </>,
      head,
      head.dataset['column'],
    )
  })
}

/** The heads that the pointer and the focus are on. */
function useHeads(within: RefObject<HTMLElement | null>) {
  // The pointer may have come to rest on one before.
  const [pointed, setPointed] = useState(() => headOf(document.querySelector('th:hover')))
  const [focused, setFocused] = useState(() => headOf(document.activeElement))
  useEffect(() => {
    const element = within.current
    if (!element) return
    const over = new AbortController()
    const { signal } = over
    element.addEventListener('pointerover', ({ target }) => setPointed(headOf(target)), { signal })
    // A finger leaves when it is lifted; what it has pressed stays pointed at.
    const leave = ({ pointerType }: PointerEvent) => pointerType !== 'touch' && setPointed(null)
    element.addEventListener('pointerleave', leave, { signal })
    element.addEventListener('focusin', ({ target }) => setFocused(headOf(target)), { signal })
    const blur = ({ relatedTarget }: FocusEvent) => setFocused(headOf(relatedTarget))
    element.addEventListener('focusout', blur, { signal })
    return () => over.abort()
  }, [within])
  return { pointed, focused }
}

const headOf = (target: EventTarget | null): Head | null =>
  target instanceof Element ? target.closest<Head>('thead th[data-column]') : null
