/** The key that copies the cell that has the focus. */

import { useBulkWords } from '../bulk/use-bulk-words.ts'
import { placeOf } from '../cells/places.ts'
import { useCommands } from '../commands/commands.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { Copying } from './use-copying.ts'

export function useCopyKey(
  table: { readonly current: HTMLTableElement | null },
  { cell }: Copying,
): void {
  const { keys } = useMessages()
  const { copying: words } = useBulkWords()
  const focused = () => {
    const { activeElement } = document
    return activeElement && table.current?.contains(activeElement) ? placeOf(activeElement) : null
  }
  useCommands(keys.table, [
    {
      ...{ label: words.key, keys: 'Mod+c', isKeyOnly: true },
      // What is selected is copied by the browser.
      isAt: () => focused() !== null && getSelection()?.isCollapsed !== false,
      run() {
        const place = focused()
        if (place) cell(place)
      },
    },
  ])
}
