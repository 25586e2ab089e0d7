/** How keys are shown to people, and told to assistive technology. */

import type { Keys } from './key-names.ts'

/** The caps that a person presses, in order. */
export const capsOf = (keys: Keys, isMac: boolean): string[] =>
  keys.split(' ').flatMap((key) => {
    const parts = key.split(/(?<=.)\+(?=.)/)
    return parts.flatMap((part) => {
      if (part === 'Mod') return isMac ? '⌘' : 'Ctrl'
      // A capital letter is typed with Shift.
      if (/^[A-Z]$/.test(part)) return [CAPS['Shift'] ?? '', part]
      return CAPS[part] ?? (part.length === 1 ? part.toUpperCase() : part)
    })
  })

const CAPS: { readonly [key: string]: string } = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Shift: '⇧',
  Escape: 'Esc',
  Backspace: '⌫',
}

/** As assistive technology is told: `Mod+k` is `Control+K Meta+K`. */
export const ariaKeys = (keys: Keys): string | undefined => {
  if (keys.includes(' ')) return undefined
  const name = keys.replace('Mod+', '')
  const cap = name.replace(/(?<=^|\+).$/, (character) => character.toUpperCase())
  return keys === name ? cap : `Control+${cap} Meta+${cap}`
}
