/** A button with a menu of actions: the platform's popover, with the arrow keys of a menu. */

import type { KeyboardEvent, ReactNode, ToggleEvent } from 'react'

type MenuProps = {
  /** Of the button; the menu's is the same with `-menu`. */
  id: string
  label: string
  /** Classes of the button. */
  className: string
  /** What the button shows. Default: it is named by the label alone. */
  face: ReactNode
  children?: ReactNode
}

export const Menu = ({ id, label, className, face, children }: MenuProps) => (
  <>
    <button
      type="button"
      id={id}
      className={className}
      popoverTarget={`${id}-menu`}
      aria-haspopup="menu"
      aria-label={label}
    >
      {face}
    </button>
    <div
      id={`${id}-menu`}
      className="menu below"
      popover="auto"
      role="menu"
      aria-label={label}
      onToggle={focusFirst}
      onKeyDown={moveInMenu}
    >
      {children}
    </div>
  </>
)

const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')]

function focusFirst({ newState, currentTarget }: ToggleEvent<HTMLElement>): void {
  if (newState === 'open') itemsOf(currentTarget)[0]?.focus()
}

/** For `onKeyDown`: the arrow keys of a menu. */
export function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsOf(event.currentTarget)
  const at = items.findIndex((item) => item === document.activeElement)
  const places: { [key: string]: number } = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? -1 : at - 1,
    Home: 0,
    End: -1,
  }
  const place = places[event.key]
  if (place === undefined) return
  event.preventDefault()
  items.at(place % items.length)?.focus()
}
