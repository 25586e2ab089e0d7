/** The value of one cell: four ways to be absent, and one for each kind that is not plain text. */

import { recordHref } from '../../protocol/record-view.ts'
import type { Cell, Tone } from '../../protocol/table-view.ts'
import { Absent } from '../parts/absent.tsx'
import { Pill } from '../parts/pill.tsx'
import { Swatch } from '../parts/swatch.tsx'
import { isAddress, isColour, pictureName } from './cell-text.ts'
import type { DrawnColumn } from './drawn-columns.ts'
import { PlainText } from './plain-text.tsx'

/** `isPlain`: inside a link already, so that none of its own is drawn. */
type CellValueProps = { cell: Cell; column: DrawnColumn['column']; isPlain?: boolean }

/** The label is for cards alone, so the style sheet writes it. */
export const CellValue = (props: CellValueProps) =>
  props.column.cardLabel === undefined ? (
    <BareValue {...props} />
  ) : (
    <span className="labelled" data-label={props.column.cardLabel}>
      <BareValue {...props} />
    </span>
  )

function BareValue({ cell, column, isPlain = false }: CellValueProps) {
  if (cell === null) return <Absent as="null" />
  if (cell === '') return <Absent as="empty" />
  if (cell === 0) return <Absent as="noAccess" />
  const [text, more] = typeof cell === 'string' ? [cell, null] : cell
  if (column.kind === 'status') return <Pill text={text} tone={toneOf(more)} />
  if (column.related !== undefined && typeof more === 'string' && !isPlain)
    return (
      <a href={recordHref(column.related, more, '')}>
        <PlainText text={text} isCut={false} />
      </a>
    )
  if (isPlain) return <PlainText text={text} isCut={typeof more === 'number'} />
  // Text that was cut is not an address any more.
  if (column.kind === 'email' && more === null) return <a href={`mailto:${text}`}>{text}</a>
  if (column.kind === 'link' && more === null && isAddress(text))
    return (
      <a href={text} target="_blank" rel="noreferrer">
        {text}
      </a>
    )
  if (column.kind === 'image' && more === null && isAddress(text)) return <Picture address={text} />
  if (column.kind === 'colour' && isColour(text)) return <Swatch colour={text} />
  return <PlainText text={text} isCut={typeof more === 'number'} />
}

/** Fetched by the reader's browser when it comes into view; its server is not told from where. */
const Picture = ({ address }: { address: string }) => (
  <a className="picture" href={address} target="_blank" rel="noreferrer">
    <img src={address} alt={pictureName(address)} loading="lazy" referrerPolicy="no-referrer" />
  </a>
)

const TONES: readonly string[] = ['new', 'warn', 'ok', 'idle', 'bad'] satisfies Tone[]

const isTone = (value: unknown): value is Tone => typeof value === 'string' && TONES.includes(value)

export const toneOf = (more: unknown): Tone => (isTone(more) ? more : 'idle')
