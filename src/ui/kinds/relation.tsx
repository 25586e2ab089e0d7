/** Related rows: their names, linked to their pages. */

import { recordHref } from '../../protocol/record-view.ts'
import { plainText, Shown } from '../parts/plain-text.tsx'
import type { ShapeProps } from './shapes.ts'

type RowLinkProps = {
  /** Address of the listing that the row is in. */
  list: string
  /** The row's key as text. */
  rowKey: string
  text: string
}

export const RowLink = ({ list, rowKey, text }: RowLinkProps) => (
  <a href={recordHref(list, rowKey, '')}>{plainText(text)}</a>
)

export const RecordValue = ({ value: { text, href } }: ShapeProps<'record'>) => (
  <a className="link text" href={href}>
    <Shown text={text} />
  </a>
)
