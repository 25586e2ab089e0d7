/** A form field with its label, hint and error, linked for screen readers. */

import { type InputHTMLAttributes, useId } from 'react'
import { Icon } from './icon.tsx'

export type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: string
  error?: string | undefined
}

export function Field({ label, hint, error, ...input }: FieldProps) {
  const id = useId()
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="in"
        aria-describedby={about || undefined}
        aria-invalid={error ? true : undefined}
      />
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
    </div>
  )
}
