/** A modal dialog: the browser's own, with its focus trap and its Escape. */

import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'

export type ModalProps = {
  title: string
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
    element?.showModal()
    element?.querySelector<HTMLElement>('.btn.main')?.focus()
    // Closing restores the focus; removing the element does not.
    return () => element?.close()
  }, [])
  const closeOutside = (event: MouseEvent) => {
    if (event.target === event.currentTarget) onClose()
  }
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={id}
      onClick={closeOutside}
      onClose={onClose}
    >
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
