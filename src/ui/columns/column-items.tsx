/** What the menu of a head offers for its column besides the filter: its place and its width. */

import type { ColumnView, TableView } from '../../protocol/table-view.ts'
import type { ListingActions } from '../list/use-listing.ts'
import { useMessages } from '../parts/use-messages.ts'
import { arrangingOf, bounded, STEP_PX } from './arrange.ts'

type ColumnItemsProps = {
  head: HTMLTableCellElement
  column: ColumnView
  view: TableView
  actions: ListingActions
  /** Closes the menu. */
  leave(): void
}

export function ColumnItems({ head, column, view, actions, leave }: ColumnItemsProps) {
  const { list } = useMessages()
  const words = list.column
  const { left, right, pin, hide } = arrangingOf(view, column, actions)
  const resize = (by: number) => () =>
    void actions.setWidths({ [column.name]: bounded(head.offsetWidth + by) })
  const once = (run: (() => unknown) | undefined) =>
    run &&
    (() => {
      leave()
      run()
    })
  return (
    <fieldset className="columnitems">
      <legend className="cap">{list.columns}</legend>
      <Item text={words.left} run={once(left)} />
      <Item text={words.right} run={once(right)} />
      <Item text={words.pin} run={once(pin)} isOn={column.pinned === true} />
      <Item text={words.hide} run={once(hide)} />
      <hr />
      <Item text={words.narrower} run={resize(-STEP_PX)} />
      <Item text={words.wider} run={resize(STEP_PX)} />
      <Item
        text={words.fit}
        run={
          column.width === undefined ? undefined : () => actions.setWidths({ [column.name]: null })
        }
      />
    </fieldset>
  )
}

type ItemProps = { text: string; run: (() => unknown) | undefined; isOn?: boolean }

const Item = ({ text, run, isOn }: ItemProps) => (
  <button
    type="button"
    className="item"
    disabled={!run}
    aria-pressed={isOn}
    onClick={() => void run?.()}
  >
    {text}
  </button>
)
