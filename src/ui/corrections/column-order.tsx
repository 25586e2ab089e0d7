/** The columns of a table: which stand in the list, and in which order. */

import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CorrectedColumn } from '../../protocol/corrections-view.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'
import type { CorrectionsWords } from './corrections-words.ts'

type Props = {
  /** `null` where code declares which they are, and in which order. */
  readonly part: string | null
  readonly columns: readonly CorrectedColumn[]
  readonly words: CorrectionsWords
}

/** The order of the boxes is what the form sends; without script, places are entered as numbers. */
export function ColumnOrder({ part, columns: given, words }: Props) {
  const [columns, setColumns] = useState(given)
  const list = useRef<HTMLOListElement>(null)
  const move = (at: number, by: 1 | -1) => {
    const moved = columns.toSpliced(at, 1)
    const column = columns[at]
    if (!column) return
    flushSync(() => setColumns(moved.toSpliced(at + by, 0, column)))
    // Moving is a change of the form, as typing is.
    list.current?.dispatchEvent(new Event('input', { bubbles: true }))
    // The element that moves loses the focus, and at an end its button is gone.
    const buttons = list.current?.children[at + by]?.querySelectorAll('button')
    const button = [...(buttons ?? [])].find(
      (one) => !one.disabled && one.dataset['by'] === `${by}`,
    )
    ;(button ?? [...(buttons ?? [])].find((one) => !one.disabled))?.focus()
  }
  return (
    <ol ref={list} className="column-order">
      {columns.map((column, at) => (
        <li key={column.name}>
          <label>
            {part !== null && (
              <input
                type="checkbox"
                name={part}
                value={column.name}
                defaultChecked={column.isShown}
              />
            )}
            <Shown text={column.label} />
          </label>
          <small>{column.about}</small>
          {part !== null && (
            <Place {...{ column, at, words, move }} isLast={at === columns.length - 1} />
          )}
          <a className="btn icon" href={column.href} aria-label={say(words.correct, column.label)}>
            <Icon name="next" flip />
          </a>
        </li>
      ))}
    </ol>
  )
}

type PlaceProps = {
  readonly column: CorrectedColumn
  readonly at: number
  readonly isLast: boolean
  readonly words: CorrectionsWords
  move(at: number, by: 1 | -1): void
}

const Place = ({ column: { name, label }, at, isLast, words, move }: PlaceProps) => (
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
    {([-1, 1] as const).map((by) => (
      <button
        key={by}
        type="button"
        className="btn icon needs-script"
        data-by={by}
        aria-label={say(by < 0 ? words.up : words.down, label)}
        disabled={by < 0 ? at === 0 : isLast}
        onClick={() => move(at, by)}
      >
        <Icon name={by < 0 ? 'up' : 'down'} />
      </button>
    ))}
  </>
)
