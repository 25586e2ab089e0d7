/** The page on which administrators correct a table or a column: forms, posted as they are. */

import { useId, useRef, useState } from 'react'
import type { CorrectionsView } from '../../protocol/corrections-view.ts'
import { usePage, useTimeZone } from '../../react/use-component.ts'
import { CorrectionControl } from '../corrections/correction-control.tsx'
import type { CorrectionsWords } from '../corrections/corrections-words.ts'
import { useUnsaved } from '../corrections/use-unsaved.ts'
import { Head } from '../parts/head.tsx'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'
import { useMessages } from '../parts/use-messages.ts'

/** As the server sends it. */
export type CorrectionsData = { view: CorrectionsView; words: CorrectionsWords }

export function CorrectionsPage({ view, words }: CorrectionsData) {
  const { csrf } = usePage()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [round, setRound] = useState(0)
  // Fields keep what they are given, so another answer makes them anew.
  const drawn = `${view.seen} ${round}`
  const { parts, look } = useUnsaved(form, view.fields, drawn)
  return (
    <>
      <Head
        title={view.title}
        beside={
          <span className="muted">
            <Shown text={view.named} />
          </span>
        }
      />
      <div className="bar form-bar">
        <Ways view={view} />
        <Unsaved
          form={id}
          count={parts.size}
          {...{ view, words }}
          revert={() => {
            setRound(round + 1)
            // The button goes, and would take the focus with it.
            form.current?.parentElement?.focus()
          }}
        />
      </div>
      <div className="form you corrections" tabIndex={0} role="region" aria-label={view.title}>
        {view.done !== null && (
          <p className="done" role="status">
            {view.done}
          </p>
        )}
        {view.error !== null && (
          <p className="err" role="alert">
            <Icon name="warning" />
            <Shown text={view.error} />
          </p>
        )}
        <form
          key={drawn}
          ref={form}
          id={id}
          method="post"
          action={view.action}
          aria-label={view.title}
          onInput={look}
        >
          <input type="hidden" name="_token" value={csrf} />
          <input type="hidden" name="seen" value={view.seen} />
          {view.column !== null && <input type="hidden" name="column" value={view.column} />}
          {view.ignored.length > 0 && <Ignored view={view} words={words} />}
          <div className="rows">
            {view.fields.map((field) => (
              <CorrectionControl
                key={field.part}
                {...{ field, words }}
                isEdited={parts.has(field.part)}
              />
            ))}
          </div>
        </form>
      </div>
    </>
  )
}

const Ways = ({ view: { list, whole } }: Pick<CorrectionsData, 'view'>) => (
  <div className="steps">
    <a className="btn" href={list.href}>
      <Icon name="previous" flip />
      <span className="t">{list.label}</span>
    </a>
    {whole && (
      <a className="btn" href={whole.href}>
        <Icon name="up" />
        <span className="t">{whole.label}</span>
      </a>
    )}
  </div>
)

type UnsavedProps = CorrectionsData & {
  /** Id of the form. */
  form: string
  count: number
  revert(): void
}

/** How much is not saved, and what saves it or drops it. The button of the form that Enter presses is the first one. */
function Unsaved({ view, words, form, count, revert }: UnsavedProps) {
  const { editing } = useMessages()
  const isHydrated = useTimeZone() !== null
  return (
    <>
      <span role="status">
        {count > 0 && (count === 1 ? words.oneChange : say(words.changes, `${count}`))}
      </span>
      {count > 0 && (
        <a className="btn" href={view.list.href}>
          {editing.cancel}
        </a>
      )}
      {count > 0 && view.error === null && (
        <button type="button" className="btn needs-script" onClick={revert}>
          {editing.revert}
        </button>
      )}
      <button
        type="submit"
        form={form}
        className="btn main"
        disabled={isHydrated && count === 0 && view.error === null}
      >
        {words.save}
      </button>
    </>
  )
}

const Ignored = ({ view, words }: CorrectionsData) => (
  <section className="ignored" aria-label={words.ignored}>
    <h2>{words.ignored}</h2>
    <ul>
      {view.ignored.map(({ text, back }) => (
        <li key={back}>
          <Shown text={text} />{' '}
          <button
            type="submit"
            className="btn line"
            name="back"
            value={back}
            aria-label={say(words.putBackOf, text)}
          >
            {words.putBack}
          </button>
        </li>
      ))}
    </ul>
  </section>
)
