/** The value of one cell: four ways to be absent, and as its kind draws it. */

import type { Cell } from '../../protocol/table-view.ts'
import { RowLink } from '../kinds/relation.tsx'
import { Absent } from '../parts/absent.tsx'
import type { DrawnColumn } from './drawn-columns.ts'
import { PlainText } from './plain-text.tsx'

/** `isPlain`: inside a link already, so that none of its own is drawn. */
type CellValueProps = { cell: Cell; drawn: DrawnColumn; isPlain?: boolean }

/** The label is for cards alone, so the style sheet writes it. */
export const CellValue = (props: CellValueProps) => {
  const { cardLabel } = props.drawn.column
  return cardLabel === undefined ? (
    <BareValue {...props} />
  ) : (
    <span className="labelled" data-label={cardLabel}>
      <BareValue {...props} />
    </span>
  )
}

function BareValue({ cell, drawn: { column, kind }, isPlain = false }: CellValueProps) {
  if (cell === null) return <Absent as="null" />
  if (cell === '') return <Absent as="empty" />
  if (cell === 0) return <Absent as="noAccess" />
  const [text, more] = typeof cell === 'string' ? [cell, null] : cell
  const isCut = typeof more === 'number'
  const Drawing = kind.fits?.(text) === false ? undefined : kind.cell
  if (Drawing && kind.inLink) return <Drawing text={text} more={more} column={column} />
  if (column.related !== undefined && typeof more === 'string' && !isPlain)
    return <RowLink list={column.related} rowKey={more} text={text} />
  // A text that was cut is no address any more.
  if (Drawing && !isPlain && !isCut) return <Drawing text={text} more={more} column={column} />
  return <PlainText text={text} isCut={isCut} />
}
