/** The buttons that open the palette: in the rail with its keys, and in the bar of narrow pages. */

import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useRegistry } from './commands.tsx'
import { useIsMac } from './is-mac.ts'
import { ariaKeys, capsOf } from './key-names.ts'

const KEYS = 'Mod+k'

export function FindButton() {
  const { commands } = useMessages()
  const { open } = useRegistry()
  const caps = capsOf(KEYS, useIsMac())
  return (
    <button
      type="button"
      className="btn do needs-script"
      aria-keyshortcuts={ariaKeys(KEYS)}
      onClick={() => open('palette')}
    >
      <Icon name="search" />
      <span className="name">{commands.open}</span>
      <span className="caps" aria-hidden="true">
        {caps.map((cap) => (
          <kbd key={cap}>{cap}</kbd>
        ))}
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
      aria-keyshortcuts={ariaKeys(KEYS)}
      onClick={() => open('palette')}
    >
      <Icon name="search" />
    </button>
  )
}
