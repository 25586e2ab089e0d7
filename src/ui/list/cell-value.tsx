/** The value of one cell: as its kind draws it, or as NULL, empty or forbidden. */

import type { ReactNode } from 'react'
import type { Cell, Marks } from '../../protocol/table-view.ts'
import { RowLink } from '../kinds/relation.tsx'
import { Absent } from '../parts/absent.tsx'
import type { DrawnColumn } from './drawn-columns.ts'
import { bothEnds, plainText } from '../parts/plain-text.tsx'

/** `isPlain`: the value is inside a link already, so it must not contain one. `found`: what a search has found in it. */
type CellValueProps = {
  cell: Cell
  drawn: DrawnColumn
  isPlain?: boolean
  found?: Marks | undefined
}

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

function bareValue(props: CellValueProps): ReactNode {
  const { cell, drawn, isPlain = false, found } = props
  const { column, kind } = drawn
  if (cell === null) return <Absent as="null" />
  if (cell === '') return <Absent as="empty" />
  if (cell === 0) return <Absent as="noAccess" />
  const [text, more] = typeof cell === 'string' ? [cell, null] : cell
  const isCut = typeof more === 'number'
  const Drawing = kind.fits?.(text) === false ? undefined : kind.cell
  const whole = Drawing && <Drawing text={text} more={more} column={column} />
  if (whole && kind.inLink) return found ? <mark>{whole}</mark> : whole
  if (column.related !== undefined && typeof more === 'string' && !isPlain)
    return <RowLink list={column.related} rowKey={more} text={text} found={found} />
  if (column.paired && typeof more === 'string' && !isPlain)
    return <a href={more}>{plainText(text, false, found)}</a>
  // A text that was cut is no longer an address.
  if (whole && !isPlain && !isCut) return found ? <mark>{whole}</mark> : whole
  return column.endsTell && !found ? bothEnds(text) : plainText(text, isCut, found)
}
