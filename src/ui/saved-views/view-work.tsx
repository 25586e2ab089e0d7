/** What is done with saved views, loaded after the list: the menu’s last items, keys, and what differs. */

import { type MouseEvent, useEffect, useState } from 'react'
import {
  type SavedView,
  type SavedViewsComponent,
  type ViewCounts,
  viewHref,
} from '../../protocol/saved-views.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { useCommands } from '../commands/commands.tsx'
import { laterPart } from '../later-part.tsx'
import type { ListingActions } from '../list/use-listing.ts'
import { Icon } from '../parts/icon.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { differencesOf } from './differences.ts'
import { type OpenView, VIEWS } from './open-view.ts'
import { useSavedViews, useViewWords } from './use-saved-views.ts'
import type { ViewAsk } from './view-menu.tsx'

const ViewDialogs = laterPart(async () => (await import('./view-dialogs.tsx')).ViewDialogs)

type Ask = (asked: ViewAsk) => void

export function ViewActs({ open: { views }, ask }: { open: OpenView; ask: Ask }) {
  const words = useViewWords()
  const onClick = ({ currentTarget }: MouseEvent, asked: ViewAsk) => {
    // The focus goes back to the button, and there again once the dialog is closed.
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    ask(asked)
  }
  return (
    <>
      <hr />
      <button type="button" className="item" onClick={(event) => onClick(event, 'new')}>
        <Icon name="add" />
        {words.saveNew}
      </button>
      {views.length > 0 && (
        <button type="button" className="item" onClick={(event) => onClick(event, 'all')}>
          <Icon name="reorder" />
          {words.manage}
        </button>
      )}
    </>
  )
}

export function ViewCommands({ ask }: { ask: Ask }): null {
  const { keys } = useMessages()
  const words = useViewWords()
  useCommands(keys.table, [
    { label: words.saveNew, keys: 'Mod+Shift+s', icon: 'add', run: () => ask('new') },
  ])
  return null
}

type CountsProps = {
  /** Views are counted anew when it is another text. */
  about: string
  onCounts(counts: ViewCounts): void
}

/** Counts the views once it is drawn. */
export function CountViews({ about, onCounts }: CountsProps): null {
  const { cancellable } = useComponent<SavedViewsComponent>(VIEWS)
  useEffect(() => {
    const abort = new AbortController()
    // Views can be opened without their counts.
    cancellable(abort.signal)
      .countViews()
      .then(onCounts, () => undefined)
    return () => abort.abort()
  }, [about, cancellable, onCounts])
  return null
}

type ChangesProps = { list: TableView; open: OpenView; actions: ListingActions }

/** In what the list differs from its view; nothing of it is saved by itself. */
export function ViewChanges({ list, open, actions }: ChangesProps) {
  const words = useViewWords()
  const [isAsking, setAsking] = useState(false)
  const { current } = open
  return (
    <span className="differs">
      {current && <Unsaved open={open} current={current} />}
      <button type="button" className="btn line" onClick={() => setAsking(true)}>
        {words.saveAs}
      </button>
      {current && (
        <a className="btn" href={viewHref(list.href, current)}>
          {words.discard}
        </a>
      )}
      {isAsking && (
        <ViewDialogs asked="new" {...{ list, open, actions }} onClose={() => setAsking(false)} />
      )}
    </span>
  )
}

type UnsavedProps = { open: OpenView; current: SavedView }

function Unsaved({ open: { query }, current }: UnsavedProps) {
  const words = useViewWords()
  const call = useSavedViews()
  const notify = useNotify()
  const { filters, others } = differencesOf(current.query, query)
  const maySave = current.mayChange && !current.isNarrowed
  const save = async () => {
    const outcome = await call.saveView(current.id, query, current.changedAt)
    notify('refused' in outcome ? outcome.refused : words.saved(current.name))
  }
  return (
    <>
      <span className="unsaved" role="status">
        {words.differs(filters, others)}
      </span>
      {maySave && (
        <button
          type="button"
          className="btn main"
          // The page's failure display says what went wrong.
          onClick={() => void save().catch(() => undefined)}
        >
          {words.save}
        </button>
      )}
    </>
  )
}
