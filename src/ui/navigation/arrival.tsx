/** What follows a move to another page: scroll, focus, the announcement, and the progress bar. */

import { useEffect } from 'react'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useIsWaiting, useMove, usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'

/** Stands after the page, so that its effect runs after the page's own. */
export function Arrival() {
  const runtime = useRuntime()
  const move = useMove()
  const { title } = usePage()
  useEffect(() => runtime.arrive(), [runtime, move])
  return (
    <p className="sr" role="status">
      {move.kind === 'load' ? '' : title}
    </p>
  )
}

/** Shown while a page has been awaited for longer than 150 ms (spec §2, §9). */
export function ProgressBar() {
  const { shell } = useMessages()
  return (
    useIsWaiting() && <div className="progress top" role="progressbar" aria-label={shell.loading} />
  )
}
