/** The buttons that open the palette: in the rail with its keys, and in the bar of narrow pages. */

import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useRegistry } from './commands.tsx'
import { useIsMac } from './is-mac.ts'

/** `Mod+k` as `key-caps.ts` tells it, which is loaded with the palette. */
const ARIA_KEYS = 'Control+K Meta+K'

export function FindButton() {
  const { commands } = useMessages()
  const { open } = useRegistry()
  const mod = useIsMac() ? '⌘' : 'Ctrl'
  return (
    <button
      type="button"
      className="btn do needs-script"
      aria-keyshortcuts={ARIA_KEYS}
      onClick={() => open('palette')}
    >
      <Icon name="search" />
      <span className="name">{commands.open}</span>
      <span className="caps" aria-hidden="true">
        <kbd>{mod}</kbd>
        <kbd>K</kbd>
      </span>
    </button>
  )
}

export function FindIcon() {
  const { commands } = useMessages()
  const { open } = useRegistry()
  return (
    <button
      type="button"
      className="btn icon needs-script"
      aria-label={commands.open}
      aria-keyshortcuts={ARIA_KEYS}
      onClick={() => open('palette')}
    >
      <Icon name="search" />
    </button>
  )
}
