/** The keys of a selection, in the table and for the whole page. */

import type { PageMessages } from '../../messages/messages.ts'
import { isNone } from '../../protocol/selection.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { Command } from '../commands/registry.ts'
import { BULK_ID } from '../list/menu-ids.ts'
import { focusedRow, moveInTable } from '../list/table-keys.ts'
import { pickPage } from './pick-cells.tsx'
import type { Selection } from './use-selection.ts'

export type Table = { readonly current: HTMLTableElement | null }

export function selectionCommands(
  table: Table,
  view: TableView,
  selection: Selection,
  { selection: words, keys }: PageMessages,
): Command[] {
  const key = () => table.current && focusedRow(table.current)?.dataset['rowKey']
  const isInTable = (target: Element) => table.current?.contains(target) ?? false
  // Outside the page, as in the rail, these keys select text.
  const isHere = (target: Element) => target === document.body || target.closest('#main') !== null
  const pickFocused = () => {
    const focused = key()
    if (focused) selection.pick([focused], !selection.isSelected(focused))
  }
  const extend = (rows: number) => () => {
    const from = key()
    if (!table.current || !from) return
    moveInTable(table.current, { rows })
    const to = key()
    selection.pick(to ? [from, to] : [from], true)
  }
  const isSome = !isNone(selection.selected)
  const extending = { label: keys.extend, isKeyOnly: true, isAt: isInTable }
  const clear: Command = {
    ...{ label: words.clear, keys: 'Escape', icon: 'close', run: selection.clear },
    // Its key is listed even while there is nothing to clear.
    isKeyOnly: !isSome,
    isAt: () =>
      isSome && document.querySelector(':popover-open:not([role=tooltip]), .peek') === null,
  }
  return [
    { label: keys.pick, keys: 'x', isKeyOnly: true, run: pickFocused },
    { ...extending, keys: 'J', run: extend(1) },
    { ...extending, keys: 'K', run: extend(-1) },
    { ...extending, keys: 'Shift+ArrowDown', run: extend(1) },
    { ...extending, keys: 'Shift+ArrowUp', run: extend(-1) },
    { label: keys.pickPage, keys: 'Mod+a', isAt: isHere, run: () => pickPage(view, selection) },
    { label: keys.allThatMatch, keys: 'Mod+Shift+a', isAt: isHere, run: selection.selectAll },
    { label: words.actions, keys: 'b', run: () => document.getElementById(BULK_ID)?.click() },
    clear,
  ]
}
