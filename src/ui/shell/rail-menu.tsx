/** The menu beside a table of the rail: it pins the table, for the person alone. */

import { type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { RailItem, ShellComponent, ShellView } from '../../protocol/admin-view.ts'
import { useComponent, usePage } from '../../react/use-component.ts'
import { useShellCommands } from '../commands/commands.tsx'
import type { Command } from '../commands/registry.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { tablesOf } from './rail-items.ts'
import type { RailPartProps } from './rail-parts.tsx'

/** The entry under the pointer or with the focus has it, else that of the current page, which a finger reaches. */
export function RailMenu({ rail, shell }: RailPartProps) {
  const { view } = useComponent<ShellComponent>(shell)
  const { shell: words, keys } = useMessages()
  const { current } = usePage()
  const pin = usePin(rail, shell)
  const tables = tablesOf(view)
  const opened = tables.find(({ name }) => name === current)
  const toggle = (item: RailItem): Command => ({
    ...{ label: isPinned(view, item) ? words.unpin : words.pin, icon: 'pin' },
    run: () => pin(item),
  })
  useShellCommands(keys.anywhere, opened ? [toggle(opened)] : [])
  const entry = useEntry(rail, current)
  const href = entry?.querySelector('a')?.getAttribute('href')
  const item = tables.find((one) => one.href === href)
  if (!entry || !item) return null
  return createPortal(
    <Menu
      id="rail-item"
      label={words.more(item.label)}
      className="btn icon"
      face={<Icon name="more" />}
    >
      <button
        type="button"
        role="menuitem"
        className="item"
        onClick={({ currentTarget }) => {
          currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
          void pin(item)
        }}
      >
        <Icon name="pin" />
        {isPinned(view, item) ? words.unpin : words.pin}
      </button>
    </Menu>,
    entry,
  )
}

const isPinned = ({ groups }: ShellView, { name }: RailItem): boolean =>
  groups.some(({ kind, items }) => kind === 'pinned' && items.some((one) => one.name === name))

function usePin(rail: RefObject<HTMLElement | null>, shell: string) {
  const { view, call } = useComponent<ShellComponent>(shell)
  return async (item: RailItem) => {
    const link = document.activeElement?.closest('li')?.querySelector('a')
    // The page's failure display says what went wrong.
    await call.pin(item.name, !isPinned(view, item)).catch(() => undefined)
    // The focus was in an entry that is gone from the pinned ones.
    if (link?.isConnected === false)
      rail.current?.querySelector<HTMLElement>(`a[href="${CSS.escape(item.href)}"]`)?.focus()
  }
}

function useEntry(rail: RefObject<HTMLElement | null>, current: string | null) {
  const [entry, setEntry] = useState<Element | null>(null)
  useEffect(() => {
    const element = rail.current
    if (!element) return
    const rest = () => setEntry(element.querySelector('nav li:has([aria-current])'))
    const isInUse = () => element.querySelector('li > .btn:focus, li > :popover-open') !== null
    const follow = ({ type, target }: Event) => {
      const at = target instanceof Element ? target.closest('nav li') : null
      if (at && (type === 'focusin' || !isInUse())) setEntry(at)
    }
    const leave = () => {
      if (!isInUse()) rest()
    }
    rest()
    element.addEventListener('pointerover', follow)
    element.addEventListener('focusin', follow)
    element.addEventListener('pointerleave', leave)
    return () => {
      element.removeEventListener('pointerover', follow)
      element.removeEventListener('focusin', follow)
      element.removeEventListener('pointerleave', leave)
    }
  }, [rail, current])
  return entry
}
