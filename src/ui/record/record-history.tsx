/** The changes to one row, field by field, beside its record. */

import { useCallback, useState } from 'react'
import type { EntryView, FieldChange, HistoryComponent } from '../../protocol/history-view.ts'
import { useComponent, usePage } from '../../react/use-component.ts'
import { FieldChanges } from '../history/entry-item.tsx'
import { LocalTime } from '../history/local-time.tsx'
import { EraseDialog } from '../history/erase-dialog.tsx'
import { UndoDialog } from '../history/undo-dialog.tsx'
import { useRefresh, useTellDone } from '../history/use-undo.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'

type Props = {
  component: string
  /** The row is not there any more, so no value of it can be restored alone. */
  isGone: boolean
}

export function RecordHistory({ component, isGone }: Props) {
  const { view, call } = useComponent<HistoryComponent>(component)
  const { changed } = useMessages()
  const { shell } = usePage()
  const [tellDone, refreshPage] = [useTellDone(), useRefresh()]
  const [asked, setAsked] = useState<EntryView | null>(null)
  const [isErasing, setErasing] = useState(false)
  const notify = useNotify()
  const erase = async () => {
    setErasing(false)
    // The page's failure display says what went wrong.
    const text = await call.erase(null).catch(() => null)
    if (text !== null) notify(text)
    await refreshPage()
  }
  const close = useCallback(() => setAsked(null), [])
  const days = [...Map.groupBy(view.entries, ({ day }) => day)]
  const restore = (entry: EntryView) => (field: FieldChange) =>
    void call.restore(entry.id, field.column).then(
      (result) => {
        tellDone(result.text, result.status === 'done' ? result.entry : null)
        return refreshPage()
      },
      // The page's failure display says what went wrong.
      () => undefined,
    )
  return (
    <section className="record-history" aria-label={changed.title} tabIndex={0}>
      <h2>{changed.title}</h2>
      {view.entries.length === 0 && <p className="hint">{changed.noneHere}</p>}
      {days.map(([day, some]) => (
        <div key={day}>
          <h3>{day}</h3>
          {some.map((entry) => (
            <article key={entry.id} data-entry={entry.id}>
              <h4>
                <LocalTime iso={entry.iso} text={entry.time} />{' '}
                <b>
                  <Shown text={entry.who} />
                </b>{' '}
                <span className="hint">{entry.door}</span>
              </h4>
              {entry.undo.may && (
                <button
                  type="button"
                  className="plain needs-script"
                  aria-label={changed.undoOf(entry.what)}
                  onClick={() => setAsked(entry)}
                >
                  {changed.undo}
                </button>
              )}
              {entry.fields.length === 0 && <p>{entry.what}</p>}
              <FieldChanges fields={entry.fields} {...(!isGone && { restore: restore(entry) })} />
              {entry.notes.length > 0 && <p className="hint">{entry.notes.join(' ')}</p>}
            </article>
          ))}
        </div>
      ))}
      <p className="hint">
        {view.note}{' '}
        {view.erase && (
          <button type="button" className="plain needs-script" onClick={() => setErasing(true)}>
            {view.erase.button}
          </button>
        )}
      </p>
      {isErasing && view.erase && (
        <EraseDialog
          erase={view.erase}
          run={() => void erase()}
          onClose={() => setErasing(false)}
        />
      )}
      {asked && shell !== null && (
        <UndoDialog shell={shell} entry={asked} onClose={close} onDone={() => void refreshPage()} />
      )}
    </section>
  )
}
