/** The page on which administrators correct a table or a column: forms, posted as they are. */

import type { CorrectionsView } from '../../protocol/corrections-view.ts'
import { usePage } from '../../react/use-component.ts'
import { CorrectionControl } from '../corrections/correction-control.tsx'
import type { CorrectionsWords } from '../corrections/corrections-words.ts'
import { Head } from '../parts/head.tsx'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'

/** As the server sends it. */
export type CorrectionsData = { view: CorrectionsView; words: CorrectionsWords }

export function CorrectionsPage({ view, words }: CorrectionsData) {
  const { csrf } = usePage()
  return (
    <>
      <Head
        title={view.title}
        beside={
          <span className="muted">
            <Shown text={view.named} />
          </span>
        }
        end={
          <>
            {view.whole && (
              <a className="btn line" href={view.whole.href}>
                {view.whole.label}
              </a>
            )}
            <a className="btn line" href={view.list.href}>
              {view.list.label}
            </a>
          </>
        }
      />
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
        {/* Fields keep what they are given, so another answer makes them anew. */}
        <form key={view.seen} method="post" action={view.action} aria-label={view.title}>
          <input type="hidden" name="_token" value={csrf} />
          <input type="hidden" name="seen" value={view.seen} />
          {view.column !== null && <input type="hidden" name="column" value={view.column} />}
          {/* What the Enter key in a field presses. */}
          <button type="submit" className="sr" tabIndex={-1} aria-hidden="true" />
          {view.ignored.length > 0 && <Ignored view={view} words={words} />}
          <div className="rows">
            {view.fields.map((field) => (
              <CorrectionControl key={field.part} field={field} words={words} />
            ))}
          </div>
          <p className="submit">
            <button type="submit" className="btn main">
              {words.save}
            </button>
          </p>
        </form>
      </div>
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
