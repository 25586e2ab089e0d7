/** The page of all changes: by whom, when, how, and what; each can be taken back from here. */

import { useCallback, useState } from 'react'
import type { EntryView, HistoryComponent, HistoryFilter } from '../../protocol/history-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent, usePage } from '../../react/use-component.ts'
import { EntryItem } from '../history/entry-item.tsx'
import { EraseDialog } from '../history/erase-dialog.tsx'
import { UndoDialog } from '../history/undo-dialog.tsx'
import { JobsRegion } from '../jobs/jobs-region.tsx'
import { Blank } from '../parts/blank.tsx'
import { Head } from '../parts/head.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'

type Props = { component: string; undo: string | null }

/** `undo`: the entry whose dialog is open as the page is opened. */
export function HistoryPage({ component, undo }: Props) {
  const { view, call, refresh } = useComponent<HistoryComponent>(component)
  const { changed } = useMessages()
  const { shell } = usePage()
  const [asked, setAsked] = useState<Pick<EntryView, 'id'> | null>(
    undo === null ? null : { id: undo },
  )
  const close = useCallback(() => setAsked(null), [])
  const [erased, setErased] = useState<EntryView | null>(null)
  const notify = useNotify()
  const erase = async ({ id }: EntryView) => {
    setErased(null)
    // The page's failure display says what went wrong.
    const text = await call.erase(id).catch(() => null)
    if (text !== null) notify(text)
    await refresh()
  }
  const { entries, filters, newestHref, olderHref, note } = view
  const days = [...Map.groupBy(entries, ({ day }) => day)]
  return (
    <>
      <Head title={changed.title} />
      <JobsRegion />
      <Filters filters={filters} />
      <div className="history" tabIndex={0} role="region" aria-label={changed.title}>
        {entries.length === 0 && (
          <Blank kind="none" title={changed.noneTitle} text={changed.noneText} />
        )}
        {days.map(([day, some]) => (
          <section key={day}>
            <h2>{day}</h2>
            <ul>
              {some.map((entry) => (
                <EntryItem key={entry.id} entry={entry} undo={setAsked} erase={setErased} />
              ))}
            </ul>
          </section>
        ))}
        <nav className="turns" aria-label={changed.pages}>
          {newestHref !== null && <a href={newestHref}>{changed.newest}</a>}
          {olderHref !== null && <a href={olderHref}>{changed.older}</a>}
        </nav>
        <p className="hint">{note}</p>
      </div>
      {erased?.erase && (
        <EraseDialog
          erase={erased.erase}
          run={() => void erase(erased)}
          onClose={() => setErased(null)}
        />
      )}
      {asked && shell !== null && (
        <UndoDialog shell={shell} entry={asked} onClose={close} onDone={() => void refresh()} />
      )}
    </>
  )
}

/** A form that works without script, too; with it, each choice shows its entries at once. */
function Filters({ filters }: { filters: readonly HistoryFilter[] }) {
  const { changed } = useMessages()
  const { visit } = useRuntime()
  const choose = (form: HTMLFormElement | null) => {
    if (!form) return
    const chosen = new URLSearchParams()
    for (const [name, value] of new FormData(form))
      if (typeof value === 'string' && value !== '') chosen.set(name, value)
    const query = chosen.toString()
    const { pathname } = new URL(form.action)
    void visit(query === '' ? pathname : `${pathname}?${query}`)
  }
  return (
    <form className="history-filters" role="search" aria-label={changed.filters}>
      {filters.map(({ name, label, options, value }) => (
        <label key={name}>
          <span>{label}</span>
          <select
            className="in quiet"
            name={name}
            defaultValue={value}
            onChange={({ currentTarget }) => choose(currentTarget.form)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </label>
      ))}
      <noscript>
        <button type="submit" className="btn line">
          {changed.show}
        </button>
      </noscript>
    </form>
  )
}
