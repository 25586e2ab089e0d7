/** Asks in a dialog before a page is left on which something is not saved. */

import { useEffect, useRef, useState } from 'react'
import { useRuntime } from '../../react/runtime-context.tsx'
import { Modal } from './modal.tsx'
import { useMessages } from './use-messages.ts'

export type LeavingGuardProps = {
  /** What leaving would lose, in a sentence; `null` while all is saved. */
  unsaved: string | null
}

/**
 * While `unsaved` is a text, whoever follows a link, goes back or forward, or chooses another page in
 * the palette is asked whether to stay. If they stay, the address stays, too. Where the browser loads
 * another document, it asks in its own words.
 *
 * @example
 * <LeavingGuard unsaved={isDrawn ? 'If you leave now, the drawing is not saved.' : null} />
 */
export function LeavingGuard({ unsaved }: LeavingGuardProps) {
  const { leaving } = useMessages()
  const runtime = useRuntime()
  const latest = useRef(unsaved)
  /** Settles the question that is open. */
  const answer = useRef<(isLeaving: boolean) => void>(undefined)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    latest.current = unsaved
  })
  useEffect(() => {
    const ask = () =>
      new Promise<boolean>((resolve) => {
        answer.current?.(false)
        answer.current = resolve
        setAsking(true)
      })
    const stop = runtime.guardLeaving({ isUnsaved: () => latest.current !== null, ask })
    return () => {
      stop()
      answer.current?.(false)
    }
  }, [runtime])
  if (!isAsking) return null
  const settle = (isLeaving: boolean) => {
    setAsking(false)
    answer.current?.(isLeaving)
  }
  return (
    <Modal title={leaving.title} className="dialog" onClose={() => settle(false)}>
      <p className="body">{unsaved}</p>
      <div className="acts">
        <button type="button" className="btn" onClick={() => settle(true)}>
          {leaving.leave}
        </button>
        <button type="button" className="btn main" onClick={() => settle(false)}>
          {leaving.stay}
        </button>
      </div>
    </Modal>
  )
}
