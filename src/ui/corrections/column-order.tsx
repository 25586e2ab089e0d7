/** The columns of a table: which stand in the list, and in which order. */

import { type MouseEvent, useState } from 'react'
import type { CorrectedColumn } from '../../protocol/corrections-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useMovable } from '../columns/use-movable.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { CorrectionsWords } from './corrections-words.ts'

type Props = {
  /** `null` where code declares which they are, and in which order. */
  readonly part: string | null
  readonly columns: readonly CorrectedColumn[]
  readonly words: CorrectionsWords
  /** Goes on to a column where it is corrected beside the list. Default: its link does. */
  readonly show?: ((column: string) => void) | undefined
}

/** The order of the boxes is what the form sends; without script, places are entered as numbers. */
export function ColumnOrder({ part, columns: given, words, show }: Props) {
  const [names, setNames] = useState(given.map(({ name }) => name))
  /** Counts drags that were given up, after which all rows are drawn anew. */
  const [givenUp, setGivenUp] = useState(0)
  const columns = names.flatMap((name) => given.find((one) => one.name === name) ?? [])
  return (
    <ol key={givenUp} className="column-order">
      {columns.map((column, at) => (
        <Row
          key={column.name}
          {...{ part, column, at, words, show }}
          count={columns.length}
          arrange={setNames}
          putBack={() => setGivenUp(givenUp + 1)}
        />
      ))}
    </ol>
  )
}

type RowProps = Omit<Props, 'columns'> & {
  readonly column: CorrectedColumn
  readonly at: number
  readonly count: number
  arrange(names: string[]): void
  putBack(): void
}

function Row({ part, column, at, count, words, show, arrange, putBack }: RowProps) {
  const { name, label, about, href, isShown } = column
  const { list } = useMessages()
  const { locale } = usePage()
  const { row, grip } = useMovable<HTMLLIElement>({
    putBack,
    arrange(names) {
      arrange(names)
      // Moving is a change of the form, as typing is.
      row.current?.dispatchEvent(new Event('input', { bubbles: true }))
    },
  })
  const number = (count: number) => count.toLocaleString(locale)
  const open = (event: MouseEvent) => {
    if (!show) return
    event.preventDefault()
    show(name)
  }
  return (
    <li ref={row} className="columnrow" data-column={name}>
      {part !== null && (
        <>
          <noscript>
            <input
              className="in"
              name={`place:${name}`}
              type="number"
              step="any"
              defaultValue={at + 1}
              aria-label={say(words.place, label)}
            />
          </noscript>
          <button
            ref={grip}
            type="button"
            className="btn icon needs-script"
            aria-label={list.moveColumn(label, number(at + 1), number(count))}
          >
            <Icon name="reorder" />
          </button>
        </>
      )}
      <label className="item">
        {part !== null && (
          <input type="checkbox" name={part} value={name} defaultChecked={isShown} />
        )}
        <span className="name">
          <Shown text={label} />
        </span>
      </label>
      <small>{about}</small>
      <a className="btn icon" href={href} aria-label={say(words.correct, label)} onClick={open}>
        <Icon name="next" flip />
      </a>
    </li>
  )
}
