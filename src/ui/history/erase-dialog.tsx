/** Says what goes before the history of a row is erased. */

import type { EraseView } from '../../protocol/history-view.ts'
import { Modal } from '../parts/modal.tsx'
import { useMessages } from '../parts/use-messages.ts'

type EraseProps = { erase: EraseView; run(): void; onClose(): void }

export function EraseDialog({ erase: { button, title, text }, run, onClose }: EraseProps) {
  const { failures } = useMessages()
  return (
    <Modal title={title} className="dialog" onClose={onClose}>
      <div className="body">
        <p>{text}</p>
      </div>
      <div className="acts">
        <button type="button" className="btn" data-first onClick={onClose}>
          {failures.cancel}
        </button>
        <button type="button" className="btn main bad" onClick={run}>
          {button}
        </button>
      </div>
    </Modal>
  )
}
