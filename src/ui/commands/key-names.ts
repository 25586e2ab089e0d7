/** How keys are written in declarations, told from key presses, and shown to people. */

/**
 * A key by its name in the browser, such as `j`, `?` or `ArrowDown`; two after one another with a blank
 * between them, such as `g h`; `Mod+` before it stands for Ctrl, or for Cmd, and `Shift+` for Shift where that
 * makes no other character, as with `Mod+` or an arrow.
 */
export type Keys = string

/** The name of the key that was pressed. Shift is part of a character, but not of an arrow. */
export function pressedKey({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): Keys {
  const isCharacter = key.length === 1
  const isMod = ctrlKey || metaKey
  const name = isMod && isCharacter ? key.toLowerCase() : key
  const shifted = shiftKey && (isMod || !isCharacter) ? `Shift+${name}` : name
  return isMod ? `Mod+${shifted}` : shifted
}

/** The press of one key with what stands before it. */
export const keyEventOf = (keys: Keys) => ({
  key: keys.replace(/.+\+/, ''),
  ctrlKey: keys.startsWith('Mod'),
  metaKey: false,
  shiftKey: keys.includes('Shift'),
})

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
}

/** As assistive technology is told: `Mod+k` is `Control+K Meta+K`. */
export const ariaKeys = (keys: Keys): string | undefined => {
  if (keys.includes(' ')) return undefined
  const name = keys.replace('Mod+', '')
  const cap = name.replace(/(?<=^|\+).$/, (character) => character.toUpperCase())
  return keys === name ? cap : `Control+${cap} Meta+${cap}`
}
