/** Pictures that rows hold; the server adds their addresses. */

import type { ClientKind } from './client-kind.ts'
import { PictureLink } from './image.tsx'

export const file: ClientKind = {
  cell: ({ text, more }) => (more ? <PictureLink href={`${more}`} name={text} /> : text),
}
