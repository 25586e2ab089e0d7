/** The region “Selection” of the toolbar, which takes the place of the order while rows are selected. */

import { isNone } from '../../protocol/selection.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { BULK_ID, VERBS_ID } from '../list/menu-ids.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { CountText } from './selected-count.ts'
import { PICK_PAGE } from './pick-cells.tsx'
import type { Selection } from './use-selection.ts'

const SELECT_ALL = 'select-all'

export type SelectionBarProps = {
  view: TableView
  selection: Selection
  count: CountText
}

export function SelectionBar({ view, selection, count }: SelectionBarProps) {
  const { selection: words } = useMessages()
  const { selected, clear } = selection
  const isEmpty = isNone(selected)
  const leave = () => {
    clear()
    // The button is about to go.
    document.getElementById(PICK_PAGE)?.focus()
  }
  return (
    <section
      className={isEmpty ? 'selection needs-script' : 'selection some'}
      aria-label={words.title}
    >
      {!isEmpty && (
        <button type="button" className="btn icon out" aria-label={words.clear} onClick={leave}>
          <Icon name="close" />
        </button>
      )}
      <strong>{words.count(count.text)}</strong>
      {!isEmpty && <span className="vr" />}
      <SelectAll view={view} selection={selection} isAll={count.isAll} />
      {!isEmpty && (
        <button type="button" className="btn clear" onClick={leave}>
          {words.clear}
        </button>
      )}
      <span id={VERBS_ID} className="verbs" />
      {/* What they hold is loaded after the page. */}
      <Menu
        id={BULK_ID}
        label={words.actions}
        className="btn bulk"
        face={
          <>
            {words.actions}
            <Icon name="open" />
          </>
        }
      />
    </section>
  )
}

type SelectAllProps = { view: TableView; selection: Selection; isAll: boolean }

/** If as many are selected as there are, selects none, else all (spec §4). */
function SelectAll({ view, selection, isAll }: SelectAllProps) {
  const { selection: words } = useMessages()
  const { total } = view
  // None of them can be selected, or taken out.
  if (total.kind === 'exact' && total.count === 0 && isNone(selection.selected)) return null
  return (
    <button
      type="button"
      id={SELECT_ALL}
      className="btn all"
      aria-pressed={isAll}
      onClick={isAll ? selection.clear : selection.selectAll}
    >
      {total.kind === 'exact' ? words.selectAll(total.text) : words.allMatching}
    </button>
  )
}
