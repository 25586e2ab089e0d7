/** Enters the mode of reordering, and shows the rows and the way out until its script has come. */

import type { MouseEvent, ReactNode } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import type { Listing } from '../list/use-listing.ts'
import { loadOnce } from '../load-once.ts'
import { useLoaded } from '../use-loaded.ts'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'

const part = loadOnce(() => import('./reorder.tsx'))

/** Offers the mode where the person may put the rows in order. */
export function ReorderButton({ view, actions }: Pick<Listing, 'view' | 'actions'>) {
  const { list } = useMessages()
  const notify = useNotify()
  const { reorder } = view
  if (!reorder) return null
  const enter = (event: MouseEvent) => {
    event.preventDefault()
    if (reorder.obstacle === undefined) void actions.enableReordering()
    else notify(reorder.obstacle)
  }
  return (
    <form action={view.href}>
      <HiddenInputs params={view.params} />
      <button
        type="submit"
        className="btn"
        name="reorder"
        value="on"
        aria-disabled={reorder.obstacle !== undefined || undefined}
        data-note={reorder.obstacle}
        onClick={enter}
      >
        <Icon name="reorder" />
        <span className="t">{list.reorder}</span>
      </button>
    </form>
  )
}

type Props = { component: string; listing: Listing; children: ReactNode }

/** The mode; until its script has come, `children`, under a bar that leads out. */
export function ReorderFrame({ component, listing, children }: Props) {
  const loaded = useLoaded(part)
  const mode = listing.view.reorder?.mode
  if (!mode) return null
  if (loaded) return <loaded.Reorder component={component} listing={listing} mode={mode} />
  return (
    <>
      <Leave view={listing.view} words={mode.words} />
      {children}
    </>
  )
}

function Leave({ view, words }: { view: TableView; words: { [name: string]: string } }) {
  return (
    <form className="bar mode" action={view.href}>
      <HiddenInputs params={view.params} except="reorder" />
      <span className="sp" />
      <button type="submit" className="btn">
        {words['cancel']}
      </button>
    </form>
  )
}
