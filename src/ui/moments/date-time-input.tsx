/** A field for a day with a time: typed in the server's format, or chosen from a calendar. */

import { useEffect, useId, useRef, useState } from 'react'
import { DATE_TIME_FORMAT } from '../../protocol/date-time-format.ts'
import { FieldNotes, notesOf } from '../parts/field.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { CalendarPopup } from './calendar-popup.tsx'
import { type Moment, momentIn, textOf } from './moment.ts'

export type DateTimeInputProps = {
  label: string
  /** Name of the field in its form. */
  name?: string
  /** The moment in `format`, without a zone; an empty text for none. */
  value: string
  /**
   * Of the value, and of what is shown, whatever the reader's locale: `Y`, `m`, `d`, `H` (00–23) or `h`
   * (1–12) with `K` (AM or PM), and `i` for the minutes. Default: `Y-m-d H:i`.
   */
  format?: string
  hint?: string
  error?: string | undefined
  /** A moment in `format` was chosen, or typed and the field left; an empty text removes it. */
  onChange(value: string): void
}

/** What is typed is a draft of one value; another value replaces it. */
type Draft = { readonly of: string; readonly text: string; readonly isLeft: boolean }

export function DateTimeInput({
  label,
  name,
  value,
  format = DATE_TIME_FORMAT,
  hint,
  error,
  onChange,
}: DateTimeInputProps) {
  const { moment: words } = useMessages()
  const id = useId()
  const [draft, setDraft] = useState<Draft | null>(null)
  const isDraft = draft?.of === value
  const text = isDraft ? draft.text : value
  const moment = momentIn(text, format)
  const isWrong = text.trim() !== '' && moment === null
  const wrong = isWrong ? words.wrong(textOf(EXAMPLE, format)) : ''
  const problem = wrong && isDraft && draft.isLeft ? wrong : error
  const input = useValidity(wrong)
  const choose = (chosen: Moment | null) => {
    setDraft(null)
    const next = chosen ? textOf(chosen, format) : ''
    if (next !== value) onChange(next)
  }
  /** What cannot be read stays, and says so. */
  const settle = () => {
    if (!isDraft) return
    if (isWrong) setDraft({ ...draft, isLeft: true })
    else choose(moment)
  }
  return (
    <div className="field">
      <label id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      <CalendarPopup {...{ id, label, moment, choose }} isLabelled>
        {(onKeyDown) => (
          <input
            ref={input}
            id={id}
            className="in"
            name={name}
            autoComplete="off"
            placeholder={placeholderOf(format, words.letters)}
            value={text}
            aria-describedby={notesOf(id, { hint, error: problem })}
            aria-invalid={isWrong || Boolean(error) || undefined}
            onChange={({ target }) => setDraft({ of: value, text: target.value, isLeft: false })}
            onBlur={settle}
            onKeyDown={(event) => (event.key === 'Enter' ? settle() : onKeyDown(event))}
          />
        )}
      </CalendarPopup>
      <FieldNotes id={id} hint={hint} error={problem} />
    </div>
  )
}

const EXAMPLE: Moment = { day: '2024-12-31', minutes: 14 * 60 + 30 }

const placeholderOf = (format: string, letters: { readonly [letter: string]: string }): string =>
  [...format].map((letter) => letters[letter] ?? letter).join('')

/** Lets the browser hold back a form whose field cannot be read. */
function useValidity(problem: string) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.setCustomValidity(problem), [problem])
  return input
}
