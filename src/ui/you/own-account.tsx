/** Name, address and password of an account that Tablewire keeps. */

import type { OwnAccountView } from '../../protocol/you-view.ts'
import { Field } from '../parts/field.tsx'
import { useYou } from './you-words.ts'
import { Submit, YouForm, YouSection } from './you-form.tsx'

export function OwnAccount({ account }: { account: OwnAccountView }) {
  return (
    <>
      <Identity {...account.entered} />
      <Password />
    </>
  )
}

function Identity({ name, email }: OwnAccountView['entered']) {
  const { view, words } = useYou()
  const { errors } = view
  return (
    <YouSection title={words.you}>
      <YouForm does="identity" label={words.you}>
        <Field
          label={words.name}
          name="name"
          autoComplete="name"
          maxLength={200}
          defaultValue={name}
          error={errors['name']}
          autoFocus={errors['name'] !== undefined}
        />
        <Field
          label={words.email}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          defaultValue={email}
          error={errors['email']}
          autoFocus={errors['email'] !== undefined}
        />
        <Field
          label={words.confirm}
          name="password"
          type="password"
          autoComplete="current-password"
          hint={words.confirmHint}
          error={errors['password']}
          autoFocus={errors['password'] !== undefined}
        />
        <dl className="field">
          <dt>{words.role}</dt>
          <dd>{view.role}</dd>
          <dd className="hint">{words.roleHint}</dd>
        </dl>
        <Submit>{words.save}</Submit>
      </YouForm>
    </YouSection>
  )
}

/** Shortest password, characters; the server decides, but the browser says so sooner. */
const PASSWORD_MIN = 12

function Password() {
  const { view, words } = useYou()
  const { errors } = view
  return (
    <YouSection title={words.password}>
      <YouForm does="password" label={words.password}>
        {/* Password managers keep the password under the address. */}
        <input type="hidden" name="email" value={view.email} autoComplete="username" />
        <Field
          label={words.current}
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={errors['current']}
          autoFocus={errors['current'] !== undefined}
        />
        <Field
          label={words.next}
          name="next"
          type="password"
          autoComplete="new-password"
          minLength={PASSWORD_MIN}
          required
          hint={words.nextHint}
          error={errors['next']}
          autoFocus={errors['next'] !== undefined}
        />
        <Submit>{words.changePassword}</Submit>
      </YouForm>
    </YouSection>
  )
}
