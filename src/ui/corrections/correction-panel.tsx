/** The panel beside a list in which its table, or a column of it, is corrected. */

import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from 'react'
import type { CorrectionsView } from '../../protocol/corrections-view.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { CorrectionControl } from './correction-control.tsx'
import type { CorrectionsWords } from './corrections-words.ts'

type Props = {
  /** Of the form. */
  id: string
  form: RefObject<HTMLFormElement | null>
  view: CorrectionsView
  words: CorrectionsWords
  /** Nothing can be entered now. */
  isInert: boolean
  /** A field has changed. */
  enter(): void
  submit(): void
  /** An option is as it was read. */
  putBack(part: string): void
  /** Goes on to a column, or to the table. */
  show(column: string | null): void
  /** `null`: something is entered, so that the bar leads out. */
  close: (() => void) | null
}

export function CorrectionPanel({
  id,
  form,
  view,
  words,
  isInert,
  enter,
  submit,
  putBack,
  show,
  close,
}: Props) {
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (view.column !== null) show(null)
    else close?.()
  }
  return (
    <aside className="peek correcting" aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <header>
        {view.whole && (
          <button
            type="button"
            className="btn icon"
            aria-label={view.whole.label}
            onClick={() => show(null)}
          >
            <Icon name="previous" flip />
          </button>
        )}
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          <Shown text={view.title} />
        </h2>
        <span className="total name">
          <Shown text={view.named} />
        </span>
        <span className="end">
          {close && (
            <button type="button" className="btn icon" aria-label={words.close} onClick={close}>
              <Icon name="close" />
            </button>
          )}
        </span>
      </header>
      <div
        className="in-peek form you corrections"
        tabIndex={0}
        role="region"
        aria-label={view.title}
        inert={isInert}
      >
        <form
          ref={form}
          id={id}
          method="post"
          action={view.action}
          aria-label={view.title}
          onInput={enter}
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <input type="hidden" name="seen" value={view.seen} />
          {view.ignored.length > 0 && (
            <section className="ignored" aria-label={words.ignored}>
              <h3>{words.ignored}</h3>
              <ul>
                {view.ignored.map(({ text, back }) => (
                  <li key={back}>
                    {/* The page takes it back: nothing of it shows here. */}
                    <a href={view.action}>
                      <Shown text={text} />
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <div className="rows">
            {view.fields.map((field) => (
              <CorrectionControl
                key={field.part}
                {...{ field, words, putBack, show }}
                isEdited={field.isUnsaved}
              />
            ))}
          </div>
        </form>
      </div>
    </aside>
  )
}
