/** The dialogs that are loaded on first use, apart from the script of every page. */

export { KeyMapDialog } from './key-map.tsx'
export { Palette } from './palette.tsx'
