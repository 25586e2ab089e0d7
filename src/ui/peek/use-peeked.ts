/** Reads the row that is peeked at, and reads it again whenever it may have changed. */

import { useEffect, useState } from 'react'
import { DEBOUNCE_MS } from '../../protocol/constants.ts'
import type { PeekView } from '../../protocol/record-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent } from '../../react/use-component.ts'

/** What was read, and the key of its row. */
export type Peeked = PeekView & { readonly key: string }

/** What was read last, which may be of the row before; `null` until something is there. */
export function usePeeked(
  component: string,
  key: string,
  { rows }: Pick<TableView, 'rows'>,
): Peeked | null {
  const { cancellable } = useComponent<TableComponent>(component)
  const [peeked, setPeeked] = useState<Peeked | null>(null)
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const left = new AbortController()
    cancellable(left.signal)
      .peek(key)
      .then(
        (read) => setPeeked({ ...read, key }),
        // What is shown stays; the page's failure display says what went wrong.
        () => undefined,
      )
    return () => left.abort()
    // The person's own changes come with the rows.
  }, [cancellable, key, rows, changes])
  useChanges(peeked?.channels ?? [], () => setChanges((count) => count + 1))
  return peeked
}

/** Tells of events of the channels, of many in a row once. */
function useChanges(channels: readonly string[], changed: () => void): void {
  const { push, environment } = useRuntime()
  const names = JSON.stringify(channels)
  useEffect(() => {
    let stopWaiting: (() => void) | null = null
    const soon = () => {
      stopWaiting ??= environment.later(() => {
        stopWaiting = null
        changed()
      }, DEBOUNCE_MS)
    }
    const stops = channels.map((channel) => {
      // When a channel is joined at first, the row has only just been read.
      let wasJoined = false
      return push.listen(channel, {
        event: soon,
        missed() {
          if (wasJoined) soon()
          wasJoined = true
        },
      })
    })
    return () => {
      stopWaiting?.()
      for (const stop of stops) stop()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the names say which channels
  }, [push, environment, names])
}
