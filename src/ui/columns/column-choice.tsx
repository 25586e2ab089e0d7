/** The columns in the menu “Display”: which are shown, in which order, and which stay in sight. */

import { useState } from 'react'
import { PINNED_MAX, type TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import type { ListingActions } from '../list/use-listing.ts'
import { usePending } from '../list/use-pending.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useMovable } from './use-movable.ts'

type Props = { view: TableView; actions: ListingActions }

export function ColumnChoice({ view, actions }: Props) {
  const { list } = useMessages()
  /** Counts how often the standard was put back: the rows then stand anew. */
  const [turn, setTurn] = useState(0)
  const isOwn = view.params.some(([name]) => OWN.includes(name))
  const reset = () => void actions.setColumns(null).then(() => setTurn(turn + 1))
  return (
    <fieldset>
      <legend className="cap">{list.columns}</legend>
      <Rows key={turn} view={view} actions={actions} />
      <button type="button" className="item" disabled={!isOwn} onClick={reset}>
        {list.column.standard}
      </button>
    </fieldset>
  )
}

const OWN = ['columns', 'pinned', 'widths']

/** The shown columns and then the others. None moves but by hand, so that the focus stays where it is. */
function Rows({ view, actions }: Props) {
  const names = view.columns.map(({ name }) => name)
  const [shown, choose] = usePending(names, (chosen) => actions.setColumns(chosen))
  const pins = view.columns.filter((one) => one.pinned).map(({ name }) => name)
  const [pinned, pin] = usePending(pins, (chosen) => actions.pinColumns(chosen))
  const [order, setOrder] = useState(() => [
    ...names,
    ...view.allColumns.map(({ name }) => name).filter((name) => !names.includes(name)),
  ])
  /** Counts drags that were given up, after which all rows are drawn anew. */
  const [givenUp, setGivenUp] = useState(0)
  const labels = new Map(view.allColumns.map(({ name, label }) => [name, label]))
  const fixed = new Set(view.columns.filter((one) => one.isLabel).map(({ name }) => name))
  const toggle = (changed: string) =>
    choose(order.filter((name) => (name === changed) !== shown.includes(name)))
  const arrange = (sorted: readonly string[]) => {
    setOrder([...sorted])
    choose(sorted.filter((name) => shown.includes(name)))
    const again = sorted.filter((name) => pinned.includes(name))
    if (again.join() !== pinned.join()) pin(again)
  }
  return (
    <div key={givenUp} className="columnrows">
      {order.map((name, place) => (
        <Row
          key={name}
          {...{ name, place, count: order.length, label: labels.get(name) ?? name }}
          isShown={shown.includes(name)}
          isLast={shown.length === 1}
          isFixed={fixed.has(name)}
          isPinned={pinned.includes(name)}
          mayPin={shown.includes(name) && (pinned.includes(name) || pinned.length < PINNED_MAX)}
          toggle={() => toggle(name)}
          pin={() =>
            pin(pinned.includes(name) ? pinned.filter((one) => one !== name) : [...pinned, name])
          }
          arrange={arrange}
          putBack={() => setGivenUp(givenUp + 1)}
        />
      ))}
    </div>
  )
}

type RowProps = {
  name: string
  label: string
  place: number
  count: number
  isShown: boolean
  /** No other is shown. */
  isLast: boolean
  /** It names the row, so that it stays in sight anyway. */
  isFixed: boolean
  isPinned: boolean
  mayPin: boolean
  toggle(): void
  pin(): void
  arrange(names: readonly string[]): void
  putBack(): void
}

function Row(props: RowProps) {
  const { name, label, place, count, isShown, isLast, isFixed, isPinned, mayPin } = props
  const { list } = useMessages()
  const { locale } = usePage()
  const { row, grip } = useMovable<HTMLDivElement>(props)
  const format = (count: number) => count.toLocaleString(locale)
  return (
    <div ref={row} className="columnrow" data-column={name}>
      <button
        ref={grip}
        type="button"
        className="btn icon"
        aria-label={list.moveColumn(label, format(place + 1), format(count))}
      >
        <Icon name="reorder" />
      </button>
      <label className="item">
        <input
          type="checkbox"
          checked={isShown}
          disabled={isShown && isLast}
          onChange={props.toggle}
        />
        <span className="name">
          <Shown text={label} />
        </span>
      </label>
      {!isFixed && (
        <button
          type="button"
          className="btn icon"
          aria-label={list.pinColumn(label)}
          aria-pressed={isPinned}
          disabled={!mayPin}
          onClick={props.pin}
        >
          <Icon name="pin" />
        </button>
      )}
    </div>
  )
}
