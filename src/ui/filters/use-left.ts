/** Whether a person has left a group of fields, which may then say what it lacks. */

import { type FocusEvent, useState } from 'react'

type Left = {
  readonly hasLeft: boolean
  /** The person is done for now: has left a field, closed its calendar, or pressed Enter. */
  leave(): void
  /** For the element around the fields. */
  onBlur(event: FocusEvent): void
}

/** Forgets it as soon as nothing is lacking. */
export function useLeft(isLacking: boolean): Left {
  const [hasLeft, setLeft] = useState(false)
  if (hasLeft && !isLacking) setLeft(false)
  const leave = () => afterPress(() => setLeft(true))
  return {
    hasLeft: hasLeft && isLacking,
    leave,
    onBlur({ currentTarget, relatedTarget }) {
      if (!currentTarget.contains(relatedTarget)) leave()
    },
  }
}

/** Runs it at once, or after the click that is under way: nothing may move under the pointer. */
function afterPress(run: () => void): void {
  if (!document.querySelector(':active')) return run()
  const over = new AbortController()
  const end = () => {
    over.abort()
    // The click follows.
    setTimeout(run)
  }
  for (const name of ['mouseup', 'dragend'] as const)
    document.addEventListener(name, end, { signal: over.signal, capture: true })
}
