/** What can be done with a row: edited, copied, marked as deleted and restored, deleted. */

import { useEffect, useState } from 'react'
import type { HangingView } from '../../protocol/form-view.ts'
import type { RecordComponent, RecordView } from '../../protocol/record-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent, usePage } from '../../react/use-component.ts'
import { useCommands } from '../commands/commands.tsx'
import { useRefresh, useTellDone } from '../history/use-undo.ts'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Icon } from '../parts/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { HangingLines } from './hanging-lines.tsx'
import { OwnActions } from './own-actions.tsx'

type Props = { component: string; view: RecordView }

/** The main thing to do, in the head: to edit the row, or to restore it. */
export function MainAction({ component, view: { editHref, marked } }: Props) {
  const { editing } = useMessages()
  const setMark = useMark(component)
  const edit = editHref !== undefined && (
    <a className={marked?.mayRestore ? 'btn' : 'btn main'} href={editHref}>
      {editing.edit}
    </a>
  )
  if (!marked?.mayRestore) return edit
  return (
    <>
      {edit}
      <button
        type="button"
        className="btn main needs-script"
        onClick={() => {
          // The button goes, and would take the focus with it.
          document.querySelector<HTMLElement>('.record')?.focus()
          // The page's failure display says what went wrong.
          setMark(false).catch(() => undefined)
        }}
      >
        <Icon name="undo" flip />
        {editing.restore}
      </button>
    </>
  )
}

export function RecordActions({ component, view }: Props) {
  const { editing } = useMessages()
  const { editHref, copyHref } = view
  const mayDelete = view.mayDelete || view.mayMark
  const [isDeleting, setDeleting] = useState(false)
  const { url } = usePage()
  useCommands(editing.title, [
    editHref !== undefined && { label: editing.edit, keys: 'e', href: editHref },
    copyHref !== undefined && { label: editing.duplicate, href: copyHref },
    mayDelete && { label: editing.delete, run: () => setDeleting(true) },
  ])
  return (
    <div className="row-acts">
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
      {mayDelete && (
        <noscript>
          <a className="btn" href={`${url}${url.includes('?') ? '&' : '?'}delete=on`}>
            {editing.delete}
          </a>
        </noscript>
      )}
      <OwnActions component={component} view={view} />
      {isDeleting && (
        <DeleteDialog component={component} view={view} onClose={() => setDeleting(false)} />
      )}
    </div>
  )
}

type DialogProps = Props & { onClose(): void }

function DeleteDialog({ component, view, onClose }: DialogProps) {
  const { label, tells, mayDelete, mayMark } = view
  const setMark = useMark(component)
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
  const mark = mayMark ? hanging.mark : undefined
  return (
    <Modal title={hanging.title} className="dialog" onClose={onClose}>
      <div className="body">
        <p>
          <b>
            <Shown text={label} />
          </b>
          {tells !== undefined && (
            <>
              {' '}
              <Shown text={tells} />
            </>
          )}
        </p>
        {mark && <p>{mark.does}</p>}
        {mayDelete && (
          <WhatGoes hanging={hanging} isMarkable={mark !== undefined} remove={remove} />
        )}
      </div>
      {mark ? (
        <DialogActions
          confirm={mark.button}
          decide={() => {
            onClose()
            return setMark(true)
          }}
          onClose={onClose}
        />
      ) : (
        <DialogActions
          confirm={hanging.isRefused || !mayDelete ? null : editing.delete}
          decide={remove}
          onClose={onClose}
          isDangerous
        />
      )}
    </Modal>
  )
}

type WhatGoesProps = { hanging: HangingView; isMarkable: boolean; remove(): Promise<void> }

/** What becomes of other rows, and the second way where a row is marked first. */
function WhatGoes({ hanging, isMarkable, remove }: WhatGoesProps) {
  const { isRefused, mark } = hanging
  return (
    <>
      {mark && isMarkable && !isRefused && <p>{mark.otherwise}</p>}
      <HangingLines hanging={hanging} />
      {mark && isMarkable && !isRefused && (
        <p>
          <button
            type="button"
            className="btn line"
            // The page's failure display says what went wrong.
            onClick={() => void remove().catch(() => undefined)}
          >
            {mark.deleteButton}
          </button>
        </p>
      )}
    </>
  )
}

/** Marks the row as deleted or restores it, and shows it as it is then. */
function useMark(component: string): (isDeleted: boolean) => Promise<void> {
  const { call } = useComponent<RecordComponent>(component)
  const notify = useNotify()
  const tellDone = useTellDone()
  const refresh = useRefresh()
  return async (isDeleted) => {
    const result = await call.mark(isDeleted)
    if (result.status === 'refused') return notify(result.text)
    tellDone(result.text, result.entry)
    await refresh()
  }
}
