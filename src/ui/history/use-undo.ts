/** Takes a change back at the push of a button, on any page. */

import { useCallback } from 'react'
import type { ShellComponent } from '../../protocol/admin-view.ts'
import { callsOf, type TypesOf } from '../../protocol/component-types.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { usePage } from '../../react/use-component.ts'
import { asOwnChange } from '../live/holding.ts'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'

/** Draws what the page shows again, once something was written. */
export function useRefresh(): () => Promise<unknown> {
  const runtime = useRuntime()
  return useCallback(() => {
    const { components } = runtime.getState().content
    return Promise.all(Object.values(components).map((id) => runtime.component(id).refresh()))
  }, [runtime])
}

/** Tells of a change that was made, and offers to take it back: by its button, or by Mod+Z. */
export function useTellDone(): (text: string, entry: string | null) => void {
  const notify = useNotify()
  const undo = useUndo()
  const { changed } = useMessages()
  return useCallback(
    (text, entry) =>
      notify(
        text,
        entry === null
          ? undefined
          : { label: changed.undo, keys: 'Mod+z', run: () => void undo(entry) },
      ),
    [notify, undo, changed],
  )
}

/**
 * Takes an entry back, and what took it back after that, in turns. Where some of its rows have changed since, the notice leads to the history, which
 * shows them before anything is written.
 */
export function useUndo(): (entry: string) => Promise<void> {
  const runtime = useRuntime()
  const { shell } = usePage()
  const notify = useNotify()
  const refresh = useRefresh()
  const { changed } = useMessages()
  return useCallback(
    async function undo(entry: string, isAgain = false) {
      if (shell === null) return
      const call = callsOf<TypesOf<ShellComponent>>(runtime.component(shell).call)
      const { left, lead, href } = await call.undoPlan(entry)
      if (left.length > 0)
        return notify(lead, { label: changed.look, run: () => void runtime.visit(href) })
      const { text, ...result } = await call.undo(entry)
      const again = result.status === 'done' ? result.entry : null
      // Taking back is a change, too; pressed twice, Mod+Z would make the change again.
      const offer = isAgain
        ? { label: changed.undo, keys: 'Mod+z' }
        : { label: changed.redo, keys: 'Mod+Shift+z' }
      notify(text, again === null ? undefined : { ...offer, run: () => void undo(again, !isAgain) })
      // What the person took back shows at once, though a live list holds new rows back.
      await asOwnChange(refresh)
    },
    [runtime, shell, notify, refresh, changed],
  )
}
