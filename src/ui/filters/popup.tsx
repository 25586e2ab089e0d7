/** A popup beside a field, such as a calendar; what it holds is loaded on first use. */

import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Loadable } from '../load-once.ts'
import { useMessages } from '../parts/use-messages.ts'

export type PopupProps = {
  id: string
  label: string
  /** It is closed by Escape, which returns the focus, or by going elsewhere. */
  close(returnsFocus: boolean): void
  children: ReactNode
}

/** Floats over the page; in a sheet, at 390 px, it stands in the flow. */
function Popup({ id, label, close, children }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // A popover, so that no panel around it cuts it off.
    if (!matchMedia(SHEET).matches) popup.current?.showPopover()
  }, [])
  const current = useRef(close)
  useEffect(() => {
    current.current = close
  })
  useEffect(() => {
    const outside = ({ target }: Event) => {
      const around = popup.current?.parentElement
      if (target instanceof Node && !around?.contains(target)) current.current(false)
    }
    const over = new AbortController()
    for (const name of ['pointerdown', 'focusin'] as const)
      document.addEventListener(name, outside, { signal: over.signal })
    return () => over.abort()
  }, [])
  return (
    <div
      ref={popup}
      id={id}
      className="calpop"
      popover={isSheet() ? undefined : 'manual'}
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        close(true)
      }}
    >
      {children}
    </div>
  )
}

/** Where the panel is a sheet (see filters.css). */
const SHEET = '(max-width: 640px)'

export const isSheet = (): boolean => matchMedia(SHEET).matches

type LoadedPopupProps<Part> = Omit<PopupProps, 'children'> & {
  part: Loadable<Part>
  children(part: Part): ReactNode
}

/** Says so if what it holds could not be loaded; opening it again tries again. */
export function LoadedPopup<Part>({ part, children, ...popup }: LoadedPopupProps<Part>) {
  const { commands } = useMessages()
  const [loaded, setLoaded] = useState(part.now)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (loaded) return
    part.load().then(
      (found) => setLoaded(() => found),
      () => setFailed(true),
    )
  }, [loaded, part])
  return (
    <Popup {...popup}>
      {loaded ? (
        children(loaded)
      ) : (
        <p className="note" role="status">
          {hasFailed && commands.notLoaded}
        </p>
      )}
    </Popup>
  )
}
