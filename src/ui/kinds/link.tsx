/** Addresses: links, where they are of the web. */

import type { ClientKind } from './client-kind.ts'
import type { ShapeProps } from './shapes.ts'

/** Whether the text is an address of the web, which alone becomes a link or a picture. */
export const isAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text)

export const link: ClientKind = {
  cell: ({ text }) => (
    <a href={text} target="_blank" rel="noreferrer">
      {text}
    </a>
  ),
  fits: isAddress,
  layout: { speaks: true },
}

/** The server says where it leads: it alone knows what is safe to open. */
export const LinkValue = ({ value: { text, href } }: ShapeProps<'link'>) => {
  const outside = href.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <a className="link text" href={href} {...outside}>
      {text}
    </a>
  )
}
