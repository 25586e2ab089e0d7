/** Email addresses. */

import type { ClientKind } from './client-kind.ts'

export const email: ClientKind = {
  cell: ({ text }) => <a href={`mailto:${text}`}>{text}</a>,
  template: 'text',
  layout: { place: 'words', speaks: true },
}
