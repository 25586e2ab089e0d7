/** Where the focus of a form goes once something stands in the way of saving it. */

import { PROBLEMS } from './problems.tsx'

/** What is refused, or has to be decided. */
export const REFUSED = '[aria-invalid="true"], .conflict button'

/** The summary where several fields are refused, else the first of them. */
export const refusedIn = (form: HTMLElement | null): string =>
  form?.querySelector(PROBLEMS) ? PROBLEMS : REFUSED

/** Focuses the first of these; what is wrong with it, and what to choose from, stands around it in sight. */
export function showFirst(form: HTMLElement | null, wanted: string): void {
  const found = form?.querySelector<HTMLElement>(wanted)
  found?.focus()
  if (wanted === REFUSED || wanted === PROBLEMS) found?.scrollIntoView({ block: 'center' })
}
