/** The button with which an administrator allows changes to the database; the menu takes that back. */

import { useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { laterPart } from '../later-part.tsx'
import { useMessages } from '../parts/use-messages.ts'

/** Asks before anything is decided; loaded on first use. */
export const ChangesDialog = laterPart(
  async () => (await import('./changes-dialog.tsx')).ChangesDialog,
)

/** `component`: id of the one that is drawn again afterwards. */
export function ChangesButton({ component }: { component: string }) {
  const { list } = useMessages()
  const [isAsking, ask] = useState(false)
  return (
    <>
      <button type="button" className="btn line needs-script" onClick={() => ask(true)}>
        {list.allowChanges}
      </button>
      {isAsking && <ChangesDialog component={component} onClose={() => ask(false)} />}
    </>
  )
}

/** Whether this table depends on what is allowed: not if nothing tells its rows apart, or if it stays read-only. */
export const isSwitchable = ({ records, changes, readOnly }: TableView): boolean =>
  records !== undefined && (changes === 'refused' || (changes === 'allowed' && readOnly === null))
