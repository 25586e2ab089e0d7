/** What a form that was saved hands over to another one: of a new row, to the form of the row that it has become. */

import type { Saving } from './after-save.ts'

let handed: { readonly page: string; saving(): Saving } | null = null

/** `page`: the address of the form that takes it. */
export function handOver(page: string, saving: () => Saving): void {
  handed = { page, saving }
}

/** What was handed over to the form at that address, and the name of the field that has the focus; once. */
export function takeOver(page: string): { saving: Saving; focus: string | null } | null {
  if (handed?.page !== page) return null
  const { saving } = handed
  handed = null
  // The form that was saved is still the one that is shown.
  return { saving: saving(), focus: document.activeElement?.getAttribute('name') ?? null }
}
