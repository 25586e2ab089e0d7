/** Short notices that something was done, in the region “Notifications”. */

import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { useCommands } from '../commands/commands.tsx'
import type { Keys } from '../commands/key-names.ts'
import { Icon } from './icon.tsx'
import { isTyping } from './is-shortcut.ts'
import { useMessages } from './use-messages.ts'
import { Shown } from './plain-text.tsx'

/** How long a notice stays, ms. */
const STAY_MS = 8000

/** What can be done about a notice, such as to undo what it tells of. */
export type NoticeAction = {
  readonly label: string
  /** What runs it while the notice stands, besides its button. Default: nothing. */
  readonly keys?: Keys
  run(): void
}

type Notice = { id: number; text: string; action: NoticeAction | undefined }

type Notify = (text: string, action?: NoticeAction) => void

const NotifyContext = createContext<Notify>(() => undefined)

/** Shows a notice. */
export const useNotify = () => useContext(NotifyContext)

/** Draws the region and lets everything inside it notify. */
export function Toasts({ children }: { children: ReactNode }) {
  const messages = useMessages()
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const notify = useCallback<Notify>(
    (text, action) =>
      setNotices((all) => [
        // Of one thing done many times, such as cells that are saved, only the last is told.
        ...all.filter((one) => one.text !== text || one.action?.keys !== action?.keys),
        { id: (all.at(-1)?.id ?? 0) + 1, text, action },
      ]),
    [],
  )
  const drop = useCallback(
    (id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)),
    [],
  )
  // Of several notices, the keys belong to the newest.
  const keyed = notices.findLast(({ action }) => action?.keys !== undefined)
  return (
    <NotifyContext value={notify}>
      {children}
      <div className="toasts" role="status" aria-label={messages.shell.notifications}>
        {notices.map((notice) => (
          <Toast key={notice.id} notice={notice} hasKeys={notice === keyed} drop={drop} />
        ))}
      </div>
    </NotifyContext>
  )
}

type ToastProps = { notice: Notice; hasKeys: boolean; drop(id: number): void }

function Toast({ notice, hasKeys, drop }: ToastProps) {
  const { shell } = useMessages()
  const { action } = notice
  const act = () => {
    drop(notice.id)
    action?.run()
  }
  useCommands(shell.notifications, [
    // In a field, the keys are the browser's own: they take back what was typed.
    hasKeys && action && { ...action, run: act, isAt: (target) => !isTyping(target) },
  ])
  useEffect(() => {
    const timer = setTimeout(() => drop(notice.id), STAY_MS)
    return () => clearTimeout(timer)
  }, [notice.id, drop])
  return (
    <div className="toast">
      <span>
        <Shown text={notice.text} />
      </span>
      {action && (
        <button type="button" className="btn" onClick={act}>
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="btn icon"
        aria-label={shell.dismiss}
        onClick={() => drop(notice.id)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
