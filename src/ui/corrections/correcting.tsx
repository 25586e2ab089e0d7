/** Correcting a table beside its list: the bar that saves, and what is entered in the panel beside the rows. */

import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { CorrectionsComponent, EnteredFields } from '../../protocol/corrections-view.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { type ReactComponent, usePage } from '../../react/use-component.ts'
import { useLazy } from '../../react/use-lazy.ts'
import { PAGE_MENU_ID } from '../list/menu-ids.ts'
import type { Listing, ListingActions } from '../list/use-listing.ts'
import { LeavingGuard } from '../parts/leaving-guard.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { CorrectionPanel } from './correction-panel.tsx'
import type { CorrectionsWords } from './corrections-words.ts'
import { useEntering } from './use-entering.ts'

type Corrections = TypesOf<CorrectionsComponent<CorrectionsWords>>

type Props = {
  listing: Listing
  /** What was asked for last: a column, or the table for `null`. */
  asked: { readonly column: string | null }
  /** What holds the rows, beside which the panel stands. */
  rows: RefObject<HTMLElement | null>
  close(): void
}

export function Correcting(props: Props) {
  const corrections = useLazy<CorrectionsComponent<CorrectionsWords>>('corrections')
  if (!corrections) return <div className="bar mode" aria-busy="true" />
  return <Open {...props} view={corrections.view} call={corrections.call} />
}

type OpenProps = Props & Pick<ReactComponent<Corrections>, 'view' | 'call'>

function Open({
  listing: { view: list, actions },
  asked,
  rows,
  close,
  view: drawn,
  call,
}: OpenProps) {
  const { view, unsaved, preview, isCorrected, words } = drawn
  const { editing } = useMessages()
  const notify = useNotify()
  const runtime = useRuntime()
  const { shell } = usePage()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const send = (fields: EnteredFields) => call.enter(view.column, fields)
  const { isTyped, enter, settle } = useEntering(form, send)
  const isChanged = unsaved > 0 || isTyped
  const [trouble, setTrouble] = useState<string | null>(null)
  /** Fields keep what they are given, so that those that were put back are drawn anew. */
  const [round, setRound] = useState(0)
  /** Whether fields are about to be drawn anew, which would lose what is typed into them. */
  const [isAsking, setAsking] = useState(false)
  const isBusy = useRef(false)
  usePreview(preview, list, actions)
  /** Asks for something, one at a time, once all that was typed has been sent, and draws the fields anew. */
  const ask = async <T,>(run: () => Promise<T>): Promise<T | undefined> => {
    if (isBusy.current) return undefined
    isBusy.current = true
    setAsking(true)
    setTrouble(null)
    try {
      if (!(await settle())) return undefined
      const answer = await run()
      setRound((count) => count + 1)
      return answer
    } catch {
      // The page's failure display says what went wrong.
      return undefined
    } finally {
      isBusy.current = false
      setAsking(false)
    }
  }
  const show = (column: string | null) => void ask(() => call.show(column))
  useEffect(() => {
    if (asked.column !== view.column) show(asked.column)
    // oxlint-disable-next-line react/exhaustive-deps -- once for each time that it is asked for
  }, [asked])
  const leave = () => {
    void call.drop().catch(() => undefined)
    close()
    document.getElementById(PAGE_MENU_ID)?.focus()
  }
  const save = async () => {
    const saved = await ask(call.save)
    if (saved?.status === 'saved') {
      notify(words.saved)
      leave()
      // The rail has the table's name.
      if (shell !== null) void runtime.component(shell).refresh()
    } else if (saved) setTrouble(saved.status === 'conflict' ? saved.message : words.refused)
  }
  return (
    <>
      <section className="bar mode correct" aria-label={words.bar}>
        <strong role="status">
          <Unsaved count={unsaved} words={words} />
        </strong>
        {(trouble !== null || unsaved > 0) && <span className="vr" />}
        {trouble === null ? (
          unsaved > 0 && <span className="second opt">{words.onlyYou}</span>
        ) : (
          <span className="second" role="alert">
            <Shown text={trouble} />
          </span>
        )}
        <span className="sp" />
        {isCorrected && (
          <button type="button" className="btn offered" onClick={() => void ask(call.putAllBack)}>
            {words.putAllBack}
          </button>
        )}
        <button type="button" className="btn" onClick={leave}>
          {editing.cancel}
        </button>
        <button type="submit" form={id} className="btn main" disabled={!isChanged || isAsking}>
          {words.save}
        </button>
      </section>
      {rows.current &&
        createPortal(
          <CorrectionPanel
            key={`${view.column} ${round}`}
            {...{ id, form, view, words, enter }}
            isInert={isAsking}
            submit={() => void save()}
            putBack={(part) => void ask(() => call.putBack(part))}
            show={show}
            close={isChanged ? null : leave}
          />,
          rows.current,
        )}
      <LeavingGuard unsaved={isChanged ? words.unsaved : null} />
    </>
  )
}

function Unsaved({ count, words }: { count: number; words: CorrectionsWords }) {
  const { locale } = usePage()
  if (count === 0) return words.unchanged
  return count === 1 ? words.oneChange : say(words.changes, count.toLocaleString(locale))
}

/** Shows the list with what is entered; the page shows it as it is for all once this is gone. */
function usePreview(
  preview: string,
  list: TableView,
  { previewCorrections }: ListingActions,
): void {
  const shown = list.preview ?? ''
  // Where it cannot be shown as it is asked for, such as by a filter, it may be for other questions.
  const question = JSON.stringify(list.params)
  useEffect(() => {
    if (shown !== preview) void previewCorrections(preview)
  }, [preview, shown, question, previewCorrections])
}
