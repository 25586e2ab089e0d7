/** Pictures that rows hold; the server adds their addresses. */

import { pictureHref } from '../../protocol/record-view.ts'
import type { ClientKind } from './client-kind.ts'
import { PictureLink } from './image.tsx'

export const file: ClientKind = {
  cell: ({ text, more }) =>
    more ? (
      <PictureLink href={`${more}`} small={pictureHref(`${more}`, 'small')} name={text} />
    ) : (
      text
    ),
}
