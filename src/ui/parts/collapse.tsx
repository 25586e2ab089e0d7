/** A panel that opens and closes in 250 ms (spec §9). */

import type { ReactNode } from 'react'

export type CollapseProps = {
  open: boolean
  /** For the `aria-controls` of the button that opens it. */
  id?: string
  children: ReactNode
}

/**
 * Shows or hides its content by height. While it is closed, nothing in it can be reached. Whoever
 * prefers reduced motion sees no movement.
 *
 * @example
 * <button aria-expanded={isOpen} aria-controls="more" onClick={() => setOpen(!isOpen)}>More</button>
 * <Collapse id="more" open={isOpen}>…</Collapse>
 */
export const Collapse = ({ open, id, children }: CollapseProps) => (
  <div id={id} className="collapsible" data-open={open || undefined} inert={!open}>
    <div>{children}</div>
  </div>
)
