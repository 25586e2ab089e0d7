/** Moves a row to the top, to the bottom, to a position, or next to a row found by its text. */

import { type SyntheticEvent, useRef, useState } from 'react'
import type { FoundPlace, ReorderMode } from '../../protocol/reorder.ts'
import { Modal } from '../parts/modal.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { droppedRank, type PlacedRow } from './moves.ts'
import type { Order } from './use-order.ts'
import { say } from '../parts/say.ts'

type PlaceDialogProps = {
  row: PlacedRow
  order: Order
  mode: ReorderMode
  move(to: number): void
  toBottom(): void
  onClose(): void
}

export function PlaceDialog({ row, order, mode, move, toBottom, onClose }: PlaceDialogProps) {
  const { words } = mode
  const [place, setPlace] = useState(String(row.rank))
  const closeAnd = (act: () => void) => () => {
    onClose()
    act()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const to = Math.floor(Number(place))
    if (to >= 1) closeAnd(() => move(Math.min(to, order.page.count ?? to)))()
  }
  return (
    <Modal title={say(words['toPosition'], row.label)} className="dialog" onClose={onClose}>
      <div className="body">
        <form className="entry" onSubmit={submit}>
          <label>
            <span>{words['place']}</span>
            <input
              className="in"
              type="number"
              min={1}
              max={order.page.count ?? undefined}
              required
              data-first
              value={place}
              onFocus={({ target }) => target.select()}
              onChange={({ target }) => setPlace(target.value)}
            />
          </label>
          <button type="submit" className="btn main">
            {words['go']}
          </button>
        </form>
        <p className="entry">
          <button type="button" className="btn line" onClick={closeAnd(() => move(1))}>
            {words['toTop']}
          </button>
          <button type="button" className="btn line" onClick={closeAnd(toBottom)}>
            {words['toBottom']}
          </button>
        </p>
        <NextTo
          {...{ row, order, mode }}
          move={(target, after) => closeAnd(() => move(droppedRank(row.rank, target, after)))()}
        />
      </div>
      <div className="acts">
        <button type="button" className="btn" onClick={onClose}>
          {words['cancel']}
        </button>
      </div>
    </Modal>
  )
}

type NextToProps = Pick<PlaceDialogProps, 'row' | 'order' | 'mode'> & {
  /** `target`: the place of the found row. */
  move(target: number, after: boolean): void
}

function NextTo({ row, order, mode: { words }, move }: NextToProps) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly FoundPlace[] | null>(null)
  const asked = useRef(0)
  const find = async (event: SyntheticEvent) => {
    event.preventDefault()
    const turn = ++asked.current
    setFound(null)
    // The page's failure display says what went wrong.
    const rows = await order.call.findInOrder(text.trim()).catch(() => null)
    // The answer about another text may come later.
    if (turn === asked.current) setFound(rows?.filter(({ key }) => key !== row.key) ?? null)
  }
  return (
    <>
      <form role="search" className="entry" onSubmit={(event) => void find(event)}>
        <label>
          <span>{words['nextTo']}</span>
          <input
            className="in"
            type="search"
            required
            maxLength={200}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <button type="submit" className="btn line">
          {words['findRow']}
        </button>
      </form>
      <div role="status">{found?.length === 0 && <p>{words['none']}</p>}</div>
      <ul className="places">
        {found?.map(({ key, label, rank }) => (
          <li key={key}>
            <span className="name">
              <Shown text={label} />
            </span>
            {(['before', 'after'] as const).map((side) => (
              <button
                key={side}
                type="button"
                className="btn line"
                aria-label={say(words[`${side}Row`], label)}
                onClick={() => move(order.placeOf(key, rank), side === 'after')}
              >
                {words[side]}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </>
  )
}
