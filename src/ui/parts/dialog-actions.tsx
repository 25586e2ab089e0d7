/** The two buttons of a dialog that asks: one that closes it, and one that does what it asks about. */

import { useMessages } from './use-messages.ts'

type DialogActionsProps = {
  /** The label of what is asked about; `null` where it cannot be done. */
  confirm: string | null
  decide(): Promise<void>
  onClose(): void
  /** Marks the second one as a warning; *Cancel* has the focus first. */
  isDangerous?: boolean
}

export function DialogActions({ confirm, decide, onClose, isDangerous }: DialogActionsProps) {
  const { failures, shell } = useMessages()
  return (
    <div className="acts">
      <button type="button" className="btn" data-first={isDangerous || undefined} onClick={onClose}>
        {/* Nothing is cancelled where nothing can be done. */}
        {confirm === null ? shell.close : failures.cancel}
      </button>
      {confirm !== null && (
        <button
          type="button"
          className={isDangerous ? 'btn main bad' : 'btn main'}
          // The page's failure display says what went wrong.
          onClick={() => void decide().catch(() => undefined)}
        >
          {confirm}
        </button>
      )}
    </div>
  )
}
