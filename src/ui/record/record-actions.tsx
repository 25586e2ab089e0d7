/** What can be done with a row: edited, copied, deleted. */

import { useEffect, useState } from 'react'
import type { HangingView } from '../../protocol/form-view.ts'
import type { RecordComponent, RecordView } from '../../protocol/record-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent } from '../../react/use-component.ts'
import { useCommands } from '../commands/commands.tsx'
import { useTellDone } from '../history/use-undo.ts'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Modal } from '../parts/modal.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'

type Props = { component: string; view: RecordView }

export function RecordActions({ component, view }: Props) {
  const { editing } = useMessages()
  const { editHref, copyHref, mayDelete } = view
  const [isDeleting, setDeleting] = useState(false)
  useCommands(editing.title, [
    editHref !== undefined && { label: editing.edit, keys: 'e', href: editHref },
    copyHref !== undefined && { label: editing.duplicate, href: copyHref },
    mayDelete && { label: editing.delete, run: () => setDeleting(true) },
  ])
  return (
    <>
      {copyHref !== undefined && (
        <a className="btn" href={copyHref}>
          {editing.duplicate}
        </a>
      )}
      {mayDelete && (
        <button type="button" className="btn needs-script" onClick={() => setDeleting(true)}>
          {editing.delete}
        </button>
      )}
      {editHref !== undefined && (
        <a className="btn main" href={editHref}>
          {editing.edit}
        </a>
      )}
      {isDeleting && (
        <DeleteDialog component={component} label={view.label} onClose={() => setDeleting(false)} />
      )}
    </>
  )
}

type DialogProps = { component: string; label: string; onClose(): void }

function DeleteDialog({ component, label, onClose }: DialogProps) {
  const { call } = useComponent<RecordComponent>(component)
  const { visit } = useRuntime()
  const { editing } = useMessages()
  const notify = useNotify()
  const tellDone = useTellDone()
  const [hanging, setHanging] = useState<HangingView | null>(null)
  useEffect(() => {
    // The page's failure display says what went wrong.
    call.hanging().then(setHanging, onClose)
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, as the dialog opens
  }, [call])
  if (!hanging) return null
  const remove = async () => {
    onClose()
    const result = await call.remove()
    if (result.status === 'refused') return notify(result.text)
    tellDone(result.text, result.entry)
    await visit(result.href)
  }
  return (
    <Modal title={hanging.title} className="dialog" onClose={onClose}>
      <div className="body">
        <p>
          <b>
            <Shown text={label} />
          </b>
        </p>
        {hanging.lines.map(({ text, href }) => (
          <p key={href}>
            <a href={href}>{text}</a>
          </p>
        ))}
        {!hanging.isRefused && hanging.afterwards !== null && <p>{hanging.afterwards}</p>}
      </div>
      <DialogActions
        confirm={hanging.isRefused ? null : editing.delete}
        decide={remove}
        onClose={onClose}
        isDangerous
      />
    </Modal>
  )
}
