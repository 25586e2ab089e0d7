/** The button with which an administrator allows changes to the database, or takes that back. */

import { useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { loadOnce } from '../load-once.ts'
import { useLoaded } from '../use-loaded.ts'
import { useMessages } from '../parts/use-messages.ts'

/** The dialog, loaded on first use. */
const changesDialog = loadOnce(() => import('./changes-dialog.tsx'))

type Props = {
  changes: NonNullable<TableView['changes']>
  /** Id of the component that is drawn again afterwards. */
  component: string
}

export function ChangesButton({ changes, component }: Props) {
  const { list } = useMessages()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn line needs-script" onClick={() => setOpen(true)}>
        {changes === 'allowed' ? list.makeReadOnly : list.allowChanges}
      </button>
      {isOpen && <Dialog component={component} onClose={() => setOpen(false)} />}
    </>
  )
}

function Dialog(props: { component: string; onClose(): void }) {
  const loaded = useLoaded(changesDialog)
  return loaded && <loaded.ChangesDialog {...props} />
}
