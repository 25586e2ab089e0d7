/** Reads the row that is peeked at, and reads it again whenever it may have changed. */

import { useEffect, useRef, useState } from 'react'
import type { PeekView, RelatedView } from '../../protocol/record-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent } from '../../react/use-component.ts'
import { createReadings } from './readings.ts'

/** What was read, the key of its row, and its name, which a row that has gone keeps. */
export type Peeked = PeekView & { readonly key: string; readonly name: string | null }

type Peeking = {
  /** What was read last of this row; `null` until something is there. */
  readonly peeked: Peeked | null
  /** Whether it could not be read. */
  readonly isFailed: boolean
  readAgain(): void
}

export function usePeeked(
  component: string,
  key: string,
  { rows }: Pick<TableView, 'rows'>,
): Peeking {
  const { cancellable } = useComponent<TableComponent>(component)
  const [peeked, setPeeked] = useState<Peeked | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const left = new AbortController()
    cancellable(left.signal)
      .peek(key)
      .then(
        (read) => {
          const { label } = read.row
          setPeeked((last) => ({
            ...read,
            key,
            name: label ?? (last?.key === key ? last.name : null),
          }))
          setFailed(null)
        },
        // What is shown of the row stays; the page's failure display says what went wrong.
        () => left.signal.aborted || setFailed(key),
      )
    return () => left.abort()
  }, [cancellable, key, changes])
  const readAgain = () => setChanges((count) => count + 1)
  useReadings(peeked?.channels ?? [], rows, readAgain)
  const own = peeked?.key === key ? peeked : null
  return {
    peeked: own,
    isFailed: own === null && failed === key,
    readAgain() {
      setFailed(null)
      readAgain()
    },
  }
}

/** Shortest time between two counts of the rows that refer to the row, ms. */
const COUNTS_EVERY_MS = 5000

/** The tables whose rows refer to the row, counted again some time after `read` has become another. */
export function useRelated(component: string, key: string, read: unknown): readonly RelatedView[] {
  const { cancellable } = useComponent<TableComponent>(component)
  const { environment } = useRuntime()
  const [related, setRelated] = useState<readonly RelatedView[]>([])
  const [counted, setCounted] = useState(() => ({ read }))
  useEffect(() => {
    const left = new AbortController()
    cancellable(left.signal)
      .peekRelated(key)
      // What is shown stays; the page's failure display says what went wrong.
      .then(setRelated, () => undefined)
    return () => left.abort()
  }, [cancellable, key, counted])
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  const isBehind = counted.read !== read
  useEffect(
    () =>
      isBehind
        ? environment.later(() => setCounted({ read: latest.current }), COUNTS_EVERY_MS)
        : undefined,
    [environment, isBehind, counted],
  )
  return related
}

/** Reads again after events of the channels, and with other rows of the list. */
function useReadings(channels: readonly string[], rows: TableView['rows'], read: () => void): void {
  const { push, environment } = useRuntime()
  const latest = useRef({ read, rows })
  const [readings] = useState(() => createReadings(environment, () => latest.current.read()))
  useEffect(() => {
    const isOther = latest.current.rows !== rows
    latest.current = { read, rows }
    if (isOther) readings.rows()
  })
  useEffect(() => readings.stop, [readings])
  const names = JSON.stringify(channels)
  useEffect(() => {
    const stops = channels.map((channel) => {
      // When a channel is joined at first, the row has only just been read.
      let wasJoined = false
      return push.listen(channel, {
        event: readings.event,
        missed() {
          if (wasJoined) readings.event()
          wasJoined = true
        },
      })
    })
    return () => {
      for (const stop of stops) stop()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the names say which channels
  }, [push, readings, names])
}
