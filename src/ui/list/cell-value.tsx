/** The value of one cell: as its kind draws it, or as NULL, empty or forbidden. */

import type { ReactNode } from 'react'
import type { Cell } from '../../protocol/table-view.ts'
import { RowLink } from '../kinds/relation.tsx'
import { Absent } from '../parts/absent.tsx'
import type { DrawnColumn } from './drawn-columns.ts'
import { plainText } from '../parts/plain-text.tsx'

/** `isPlain`: the value is inside a link already, so it must not contain one. */
type CellValueProps = { cell: Cell; drawn: DrawnColumn; isPlain?: boolean }

/**
 * Only cards show the label, so the style sheet writes it. Not a component: a page has a thousand cells, and
 * React would take several times as long to draw and to remove them.
 */
export function cellValue(props: CellValueProps): ReactNode {
  const { cardLabel } = props.drawn.column
  const value = bareValue(props)
  return cardLabel === undefined ? (
    value
  ) : (
    <span className="labelled" data-label={cardLabel}>
      {value}
    </span>
  )
}

function bareValue({ cell, drawn: { column, kind }, isPlain = false }: CellValueProps): ReactNode {
  if (cell === null) return <Absent as="null" />
  if (cell === '') return <Absent as="empty" />
  if (cell === 0) return <Absent as="noAccess" />
  const [text, more] = typeof cell === 'string' ? [cell, null] : cell
  const isCut = typeof more === 'number'
  const Drawing = kind.fits?.(text) === false ? undefined : kind.cell
  if (Drawing && kind.inLink) return <Drawing text={text} more={more} column={column} />
  if (column.related !== undefined && typeof more === 'string' && !isPlain)
    return <RowLink list={column.related} rowKey={more} text={text} />
  // A text that was cut is no longer an address.
  if (Drawing && !isPlain && !isCut) return <Drawing text={text} more={more} column={column} />
  return plainText(text, isCut)
}
