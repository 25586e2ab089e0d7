/** What keys do in the editor of a cell: where they go on to, and how the buttons beside its field are reached. */

import type { FieldControl } from '../../protocol/form-view.ts'

/** Where the focus goes once the value is saved. */
export type Step = { readonly rows?: number; readonly cells?: number }

/** Clears a value that may also be an empty text. */
export const CLEAR_KEYS = 'Mod+Delete'

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>

/** On a Mac the key that is called delete is Backspace. */
export const isClearing = ({ key, ctrlKey, metaKey }: Key): boolean =>
  (key === 'Delete' && (ctrlKey || metaKey)) || (key === 'Backspace' && metaKey)

/** Controls of which the arrow keys choose. */
const PICKED: ReadonlySet<string | undefined> = new Set(['choice', 'yes-no', 'relation'])

/** Controls of several lines. */
export const isLong = (control: FieldControl['is'] | undefined): boolean =>
  control === 'long' || control === 'json'

/** Where a key pressed in the field goes on to once the value is saved; `null` if it does not. */
export function stepOf(
  { key, shiftKey }: Key,
  control: FieldControl['is'] | undefined,
): Step | null {
  if (key === 'Enter') return isLong(control) && shiftKey ? null : { rows: shiftKey ? -1 : 1 }
  if (isLong(control) || PICKED.has(control)) return null
  return key === 'ArrowDown' ? { rows: 1 } : key === 'ArrowUp' ? { rows: -1 } : null
}

type Tabbed = {
  readonly isBack: boolean
  /** Whether the focus is in the field itself. */
  readonly isField: boolean
  /** Whether there is something to answer: a choice between two values, or one to put back. */
  readonly isAsked: boolean
  /** Whether nothing else can be reached meanwhile. */
  readonly isModal: boolean
}

/**
 * Where Tab goes on to: `on` to the next cell, `around` to the other end of the editor, `null` to what comes
 * next in it. From the field it goes on at once, past *Clear*, unless there is something to answer.
 */
export function tabFrom(
  target: Element | null,
  stops: readonly Element[],
  { isBack, isField, isAsked, isModal }: Tabbed,
): 'on' | 'around' | null {
  const isEdge = target === stops.at(isBack ? 0 : -1)
  if (isModal) return isEdge ? 'around' : null
  return isEdge || (isField && !isAsked) ? 'on' : null
}

/** What Tab can reach in the editor, in order. */
export const stopsIn = (root: Element | null): HTMLElement[] =>
  [...(root?.querySelectorAll<HTMLElement>('input, select, textarea, button') ?? [])].filter(
    (element) => !element.matches(':disabled, [tabindex="-1"]') && element.checkVisibility(),
  )
