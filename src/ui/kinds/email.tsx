/** Email addresses. */

import { isMailAddress } from '../../protocol/mail-address.ts'
import type { ClientKind } from './client-kind.ts'
import { Signed } from '../parts/plain-text.tsx'

export const email: ClientKind = {
  cell: ({ text }) => (
    <a href={`mailto:${text}`}>
      <Signed text={text} />
    </a>
  ),
  fits: isMailAddress,
  template: 'text',
  layout: { place: 'words', speaks: true },
}
