/** Says what allowing changes means before an administrator decides; loaded on first use. */

import { useEffect, useState } from 'react'
import type { ChangesStatement, ShellComponent } from '../../protocol/admin-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent, usePage } from '../../react/use-component.ts'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Modal } from '../parts/modal.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useNotify } from '../parts/toasts.tsx'

type Props = { component: string; onClose(): void }

export function ChangesDialog(props: Props) {
  const { shell } = usePage()
  return shell === null ? null : <Statement shell={shell} {...props} />
}

function Statement({ shell, component, onClose }: Props & { shell: string }) {
  const { call } = useComponent<ShellComponent>(shell)
  const { component: find } = useRuntime()
  const notify = useNotify()
  const [statement, setStatement] = useState<ChangesStatement | null>(null)
  useEffect(() => {
    // The page's failure display says what went wrong.
    call.changes().then(setStatement, onClose)
  }, [call, onClose])
  if (!statement) return null
  const { isAllowed, title, lines, tables, obstacle, confirm, done } = statement
  const [lead, ...further] = lines
  const decide = async () => {
    onClose()
    await call.allowChanges(!isAllowed)
    notify(done)
    await find(component).refresh()
  }
  return (
    <Modal title={title} className="dialog" onClose={onClose}>
      <div className="body">
        <p>{lead}</p>
        {tables.length > 0 && (
          <ul className="possible">
            {tables.map(({ name, label, may }) => (
              <li key={name}>
                <b>
                  <Shown text={label} />
                </b>{' '}
                <Shown text={may} />
              </li>
            ))}
          </ul>
        )}
        {further.map((line) => (
          <p key={line}>
            <Shown text={line} />
          </p>
        ))}
        {obstacle !== null && <p role="alert">{obstacle}</p>}
      </div>
      <DialogActions
        confirm={obstacle === null ? confirm : null}
        decide={decide}
        onClose={onClose}
      />
    </Modal>
  )
}
