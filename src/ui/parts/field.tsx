/** A form field with its label, hint and error, linked for screen readers. */

import { type InputHTMLAttributes, useId } from 'react'
import { Icon } from './icon.tsx'

type Notes = {
  hint?: string | undefined
  error?: string | undefined
}

export type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: string
  error?: string | undefined
}

export function Field({ label, hint, error, ...input }: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="in"
        aria-describedby={notesOf(id, { hint, error })}
        aria-invalid={error ? true : undefined}
      />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

/** Ids of the notes below the field `id`, for its `aria-describedby`. */
export const notesOf = (id: string, { hint, error }: Notes): string | undefined =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined

/** What stands below a field. */
export const FieldNotes = ({ id, hint, error }: Notes & { id: string }) => (
  <>
    {hint && (
      <p id={`${id}-hint`} className="hint">
        {hint}
      </p>
    )}
    {error && (
      <p id={`${id}-error`} className="err">
        <Icon name="warning" />
        {error}
      </p>
    )}
  </>
)
