/** A modal dialog: the browser's own, with its focus trap and its Escape. */

import { type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { FOCUS_TRAP_DELAY_MS } from '../../protocol/constants.ts'

export type ModalProps = {
  title: ReactNode
  className: string
  onClose(): void
  children: ReactNode
  /** Drawn beside the title. */
  corner?: ReactNode
}

/** Opens on mount; Escape or a click outside its content closes it. */
export function Modal({ title, className, onClose, children, corner }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    element.showModal()
    // The browser has moved the focus inside at once; it goes there when the trap starts.
    element.tabIndex = -1
    element.focus()
    // Closing restores the focus; removing the element does not.
    return () => element.close()
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => focusInside(dialog.current), FOCUS_TRAP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  const outside = useClickOutside(onClose)
  return (
    <dialog ref={dialog} className={className} aria-labelledby={id} {...outside} onClose={onClose}>
      <div className="sheet">
        <div className="top">
          <h2 id={id}>{title}</h2>
          {corner}
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** What a dialog needs to close by a click outside its content; the click must begin there, too. */
export function useClickOutside(close: () => void) {
  const hasBegun = useRef(false)
  const isOutside = ({ target, currentTarget }: MouseEvent) => target === currentTarget
  return {
    onPointerDown(event: MouseEvent) {
      hasBegun.current = isOutside(event)
    },
    onClick(event: MouseEvent) {
      if (hasBegun.current && isOutside(event)) close()
    },
  }
}

/**
 * Focuses the field with `data-first`, else the first one of a form, else the main button, else what can be
 * focused first, unless the focus is there already.
 */
function focusInside(dialog: HTMLDialogElement | null): void {
  if (!dialog || document.activeElement !== dialog) return
  const first = ['[data-first]', '.form-field .in', '.btn.main', FOCUSABLE]
    .map((selector) => dialog.querySelector<HTMLElement>(selector))
    .find((found) => found)
  first?.focus()
}

const FOCUSABLE = ':is(button, input, select, textarea):not(:disabled), a[href], [tabindex="0"]'
