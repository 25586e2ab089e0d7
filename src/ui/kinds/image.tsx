/** Pictures, from their addresses. */

import type { ClientKind } from './client-kind.ts'
import { isAddress } from './link.tsx'

/** A picture's name: the last part of its address, or its host. */
function nameOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1)
  const parts = path.split('/').filter((part) => part !== '')
  return parts.at(-1) ?? ''
}

export const image: ClientKind = {
  /** The browser loads it when it comes into view, without sending a referrer. */
  cell: ({ text }) => (
    <a className="picture" href={text} target="_blank" rel="noreferrer">
      <img src={text} alt={nameOf(text)} loading="lazy" referrerPolicy="no-referrer" />
    </a>
  ),
  fits: isAddress,
  // The height of the highest rows.
  layout: { fixed: 40, speaks: true },
}
