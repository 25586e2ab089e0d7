/** The detail of a failure as people read it: names stand in quotes, not in brackets. */

import type { Messages } from '../../messages/messages.ts'

/** A sentence for `detail`; a bare name, such as `[colour]`, becomes one. */
export function detailText(detail: string | null, words: Messages['errorPage']): string {
  const name = /^\[([^[\]]*)\]$/.exec(detail ?? '')?.[1]
  if (name !== undefined) return words.about(name)
  return (detail ?? '').replaceAll(/\[([^[\]]*)\]/g, '“$1”')
}
