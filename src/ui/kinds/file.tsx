/** Pictures that rows hold; the server adds their addresses, and how many there are besides. */

import { pictureHref } from '../../protocol/record-view.ts'
import type { ClientKind } from './client-kind.ts'
import { PictureLink } from './image.tsx'

export const file: ClientKind = {
  cell({ text, more }) {
    return more
      ? `${more}`.split(' ').map((part, at) =>
          part[0] === '+' ? (
            part
          ) : (
            <PictureLink
              key={part}
              href={part}
              small={pictureHref(part, 'small')}
              // No name of a stored file has a comma, and no address a blank.
              name={text.split(', ')[at] ?? ''}
            />
          ),
        )
      : text
  },
}
