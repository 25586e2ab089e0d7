/** Pictures, by their addresses. */

import type { ClientKind } from './client-kind.ts'
import { isAddress } from './link.tsx'

/** What a picture is called: the last part of its address, or its host. */
function nameOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1)
  const parts = path.split('/').filter((part) => part !== '')
  return parts.at(-1) ?? ''
}

export const image: ClientKind = {
  /** Fetched by the reader's browser when it comes into view; its server is not told from where. */
  cell: ({ text }) => (
    <a className="picture" href={text} target="_blank" rel="noreferrer">
      <img src={text} alt={nameOf(text)} loading="lazy" referrerPolicy="no-referrer" />
    </a>
  ),
  fits: isAddress,
  // As high as rows are at most.
  layout: { fixed: 40, speaks: true },
}
