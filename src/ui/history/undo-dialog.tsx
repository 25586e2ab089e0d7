/** Shows what taking a change back would do, before it is done. */

import { useEffect, useState } from 'react'
import type { ShellComponent } from '../../protocol/admin-view.ts'
import type { EntryView, LeftRowView, UndoPlanView } from '../../protocol/history-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Modal } from '../parts/modal.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'

type Props = {
  shell: string
  entry: Pick<EntryView, 'id'>
  onClose(): void
  /** Called once something was written. */
  onDone(): void
}

export function UndoDialog({ shell, entry: { id }, onClose, onDone }: Props) {
  const { call } = useComponent<ShellComponent>(shell)
  const notify = useNotify()
  const [plan, setPlan] = useState<UndoPlanView | null>(null)
  useEffect(() => {
    // The page's failure display says what went wrong.
    call.undoPlan(id).then(setPlan, onClose)
  }, [call, id, onClose])
  if (!plan) return null
  const { title, lead, left, confirm } = plan
  const decide = async () => {
    onClose()
    const result = await call.undo(id)
    notify(result.text)
    onDone()
  }
  return (
    <Modal title={title} className="dialog" onClose={onClose}>
      <div className="body">
        <p>{lead}</p>
        {left.length > 0 && <LeftRows left={left} />}
      </div>
      <DialogActions confirm={confirm} decide={decide} onClose={onClose} />
    </Modal>
  )
}

function LeftRows({ left }: { left: readonly LeftRowView[] }) {
  const { changed } = useMessages()
  return (
    <ul className="left-rows" aria-label={changed.left}>
      {left.map(({ label, href, why, fields }) => (
        <li key={label}>
          {href === null ? <Shown text={label} /> : <a href={href}>{label}</a>}{' '}
          <span className="hint">{why}</span>
          {fields.map((field) => (
            <p key={field.label} className="hint">
              {changed.nowHolds(field.label, field.value ?? changed.nothing)}
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}
