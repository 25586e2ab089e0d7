/** The value of one cell: four ways to be absent, and one for each kind that is not plain text. */

import type { Cell, Tone } from '../../protocol/table-view.ts'
import { StatusMark } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { DrawnColumn } from './drawn-columns.ts'
import { PlainText } from './plain-text.tsx'

type CellValueProps = { cell: Cell; column: DrawnColumn['column'] }

/** The label is for cards alone, so the style sheet writes it. */
export const CellValue = ({ cell, column }: CellValueProps) =>
  column.cardLabel === undefined ? (
    <BareValue cell={cell} column={column} />
  ) : (
    <span className="labelled" data-label={column.cardLabel}>
      <BareValue cell={cell} column={column} />
    </span>
  )

function BareValue({ cell, column }: CellValueProps) {
  const { cell: words } = useMessages()
  if (cell === null) return <Absent shown="–" said={words.null} />
  if (cell === '') return <Absent shown="“ ”" said={words.empty} />
  if (cell === 0)
    return (
      <span className="absent no-access">
        <span className="sr">{words.noAccess}</span>
      </span>
    )
  const [text, more] = typeof cell === 'string' ? [cell, null] : cell
  if (column.kind === 'status') return <Pill text={text} tone={toneOf(more)} />
  // Text that was cut is not an address any more.
  if (column.kind === 'email' && more === null) return <a href={`mailto:${text}`}>{text}</a>
  if (column.kind === 'link' && more === null && /^https?:\/\//i.test(text))
    return (
      <a href={text} target="_blank" rel="noreferrer">
        {text}
      </a>
    )
  return <PlainText text={text} isCut={typeof more === 'number'} />
}

const Absent = ({ shown, said }: { shown: string; said: string }) => (
  <span className="absent">
    {shown}
    <span className="sr">{` ${said}`}</span>
  </span>
)

const Pill = ({ text, tone }: { text: string; tone: Tone }) => (
  <span className={`pill ${tone}`}>
    <StatusMark tone={tone} />
    <span className="name">{text}</span>
  </span>
)

const TONES: readonly string[] = ['new', 'warn', 'ok', 'idle', 'bad'] satisfies Tone[]

const isTone = (value: unknown): value is Tone => typeof value === 'string' && TONES.includes(value)

const toneOf = (more: unknown): Tone => (isTone(more) ? more : 'idle')
