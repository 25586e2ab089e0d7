/** How keys are written in declarations, and told from key presses. */

/**
 * A key by its name in the browser, such as `j`, `?` or `ArrowDown`, and `Space`; two after one another with a blank
 * between them, such as `g h`; `Mod+` before it stands for Ctrl, or for Cmd, and `Shift+` for Shift where that
 * makes no other character, as with `Mod+` or an arrow.
 */
export type Keys = string

/** The name of the key that was pressed. Shift is part of a character, but not of an arrow. */
export function pressedKey({ key: pressed, ctrlKey, metaKey, shiftKey }: KeyboardEvent): Keys {
  const key = pressed === ' ' ? 'Space' : pressed
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
