/** The dialogs of saved views: a new one, all of them, one that is changed, and one that is removed. */

import { useState } from 'react'
import type { SavedView } from '../../protocol/saved-views.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { ListingActions } from '../list/use-listing.ts'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Modal } from '../parts/modal.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useNotify } from '../parts/toasts.tsx'
import type { OpenView } from './open-view.ts'
import { useSavedViews, useViewWords } from './use-saved-views.ts'
import { ViewForm } from './view-form.tsx'
import type { ViewAsk } from './view-menu.tsx'
import { ViewOrder } from './view-order.tsx'

type Props = {
  asked: ViewAsk
  list: TableView
  open: OpenView
  actions: ListingActions
  onClose(): void
}

type Step = { readonly change: SavedView } | { readonly remove: SavedView }

export function ViewDialogs({ asked, list, open, actions, onClose }: Props) {
  const words = useViewWords()
  const call = useSavedViews()
  const notify = useNotify()
  const [step, go] = useState<Step | null>(null)
  const back = () => go(null)
  const { views, mayDecide, current, query } = open
  const opensWith = views.find(({ id }) => id === open.opensWith)?.name
  const form = { list, mayDecide, opensWith }
  if (asked === 'new')
    return (
      <ViewForm
        {...form}
        send={(settings) => call.saveViewAs(settings, query)}
        onSaved={(id, name) => {
          onClose()
          notify(words.saved(name))
          void actions.setView(id)
        }}
        onClose={onClose}
      />
    )
  if (step && 'change' in step)
    return (
      <ViewForm
        {...form}
        before={step.change}
        send={(settings) => call.changeView(step.change.id, settings, step.change.changedAt)}
        onSaved={back}
        onClose={back}
      />
    )
  if (step)
    return (
      <Remove
        view={step.remove}
        remove={async () => {
          const { id, name, changedAt } = step.remove
          const outcome = await call.removeView(id, changedAt)
          const isRemoved = !('refused' in outcome)
          if (isRemoved && id === current?.id) void actions.setView(null)
          notify(isRemoved ? words.removed(name) : outcome.refused)
          back()
        }}
        onClose={back}
      />
    )
  return (
    <ViewOrder
      {...{ views, mayDecide }}
      opensWith={open.opensWith}
      change={(view) => go({ change: view })}
      remove={(view) => go({ remove: view })}
      onClose={onClose}
    />
  )
}

type RemoveProps = { view: SavedView; remove(): Promise<void>; onClose(): void }

function Remove({ view: { name, isShared }, remove, onClose }: RemoveProps) {
  const words = useViewWords()
  return (
    <Modal title={<Shown text={words.removeTitle(name)} />} className="dialog" onClose={onClose}>
      <div className="body">
        <p>{isShared ? words.removeShared : words.removeOwn}</p>
      </div>
      <DialogActions confirm={words.remove} decide={remove} onClose={onClose} isDangerous />
    </Modal>
  )
}
