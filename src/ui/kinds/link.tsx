/** Addresses: web addresses become links. */

import type { ClientKind } from './client-kind.ts'
import type { ShapeProps } from './shapes.ts'
import { bothEnds, Shown, Signed } from '../parts/plain-text.tsx'

/** Whether the text is a web address: only those become links or pictures. */
export const isAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text)

export const link: ClientKind = {
  cell: ({ text, column }) => (
    <a href={text} target="_blank" rel="noreferrer">
      {column.endsTell ? bothEnds(text) : <Signed text={text} />}
    </a>
  ),
  fits: isAddress,
  layout: { speaks: true },
}

/** The server supplies `href`: it decides what is safe to open. */
export const LinkValue = ({ value: { text, href } }: ShapeProps<'link'>) => {
  const outside = href.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <a className="link text" href={href} {...outside}>
      <Shown text={text} />
    </a>
  )
}
