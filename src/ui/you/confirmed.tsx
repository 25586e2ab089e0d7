/** A form that takes the password; closed until it is wanted. */

import type { ReactNode } from 'react'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { useYou } from './you-words.ts'
import { Submit, YouForm } from './you-form.tsx'

type ConfirmedProps = {
  does: string
  label: string
  /** What it is done to, for screen readers. */
  of?: string
  /** Under what a wrong password is told. Default: `does`. */
  field?: string
  isOpen?: boolean
  hint?: string
  /** What is asked besides the password. */
  children?: ReactNode
}

export function Confirmed(props: ConfirmedProps) {
  const { does, label, of, field = does, isOpen, hint, children } = props
  const { view, second: words } = useYou()
  const error = view.errors[field]
  const named = of === undefined ? label : `${label} ${of}`
  return (
    <details open={isOpen || error !== undefined}>
      <summary aria-label={named}>
        <Icon name="next" flip />
        {label}
      </summary>
      <YouForm does={does} label={named}>
        {children}
        <Field
          label={words.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={error !== undefined}
          {...(hint !== undefined && { hint })}
          error={error}
        />
        <Submit>{label}</Submit>
      </YouForm>
    </details>
  )
}
