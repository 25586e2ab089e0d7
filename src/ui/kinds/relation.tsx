/** Related rows: their names, linked to their pages. */

import { recordHref } from '../../protocol/record-view.ts'
import type { Marks } from '../../protocol/table-view.ts'
import { plainText, Shown } from '../parts/plain-text.tsx'
import type { ShapeProps } from './shapes.ts'

type RowLinkProps = {
  /** Address of the listing that the row is in. */
  list: string
  /** The row's key as text. */
  rowKey: string
  text: string
  /** What a search has found in it. */
  found?: Marks | undefined
}

export const RowLink = ({ list, rowKey, text, found }: RowLinkProps) => (
  <a href={recordHref(list, rowKey, '')}>{plainText(text, false, found)}</a>
)

export const RecordValue = ({ value: { text, href } }: ShapeProps<'record'>) => (
  <a className="link text" href={href}>
    <Shown text={text} />
  </a>
)
