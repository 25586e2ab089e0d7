/** State that stays with a page while the page is kept for the back button. */

import { useCallback, useState } from 'react'
import { useRuntime } from './runtime-context.tsx'

/**
 * As `useState`, but when the person comes back to the page, the value is what it was: for panels that
 * were opened. `key` is unique on the page.
 *
 * @example
 * const [isOpen, setOpen] = useKept('help', false)
 * return <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} />
 */
export function useKept<Value>(
  key: string,
  initial: Value,
): [value: Value, keep: (value: Value) => void] {
  const runtime = useRuntime()
  // The page that this component was mounted for, whatever is shown later.
  const [kept] = useState(() => runtime.kept())
  // Only this hook writes values, each under the caller's own key.
  const [value, setValue] = useState(() => (kept.has(key) ? (kept.get(key) as Value) : initial))
  const keep = useCallback(
    (next: Value) => {
      kept.set(key, next)
      setValue(next)
    },
    [kept, key],
  )
  return [value, keep]
}
