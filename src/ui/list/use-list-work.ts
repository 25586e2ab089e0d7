/** Loads the script that makes a list interactive, and keeps keys that are pressed until it has come. */

import { useCallback, useEffect, useState } from 'react'
import { useCommands } from '../commands/commands.tsx'
import { keyEventOf } from '../commands/key-names.ts'
import type { Command } from '../commands/registry.ts'
import { dropEarlyKeys, keepFrom, playEarlyKeys } from '../early-keys.ts'
import { loadOnce } from '../load-once.ts'
import { useMessages } from '../parts/use-messages.ts'

export const listWork = loadOnce(() => import('./list-work.ts'))

/** Its keys, but those that only move on from where the focus is. */
const LIST_KEYS = ['f', 'v', 'j', 'k', '[', ']', 'Mod+Shift+s']

/** The keys of a selection. */
const SELECTION_KEYS = [
  'x',
  'J',
  'K',
  'Shift+ArrowDown',
  'Shift+ArrowUp',
  'Mod+a',
  'Mod+Shift+a',
  'b',
]

/**
 * The list's commands, once their script has loaded. Until then their keys, and all keys after them, are
 * kept and replayed; selection keys only if there are rows to select.
 */
export function useListWork(isSome: boolean) {
  const { keys: words } = useMessages()
  const [work, setWork] = useState(listWork.now)
  const load = useCallback(
    () =>
      listWork.load().then((loaded) => {
        setWork(loaded)
        // A key that comes before it is drawn is kept again.
        setTimeout(() => void playEarlyKeys())
      }, dropEarlyKeys),
    [],
  )
  useEffect(() => {
    if (!work) void load()
  }, [work, load])
  const isInPage = (target: Element) => target === document.body || target.closest('#main') !== null
  const keyOf = (keys: string): Command => ({
    ...{ label: words.selection, keys, isKeyOnly: true },
    isAt: LIST_KEYS.includes(keys) ? () => true : isInPage,
    run() {
      keepFrom(keyEventOf(keys))
      void load()
    },
  })
  useCommands(
    words.selection,
    work ? [] : [...LIST_KEYS, 'ArrowDown', ...(isSome ? SELECTION_KEYS : [])].map(keyOf),
  )
  return work
}
