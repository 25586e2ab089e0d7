/** The browser half of ratings: stars that screen readers read as a number. */

import type { ClientKind } from 'tablewire/ui'

export const rating: ClientKind = {
  cell: ({ text, more }) => (
    <span role="img" aria-label={`${more} of 5`}>
      {text}
    </span>
  ),
  fits: (text) => /^★*$/.test(text),
  inLink: true,
}
