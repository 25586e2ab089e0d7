/** Name, address and password of an account that Tablewire keeps; only the name, where a provider has the rest. */

import type { OwnAccountView } from '../../protocol/you-view.ts'
import { Field } from '../parts/field.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useYou } from './you-words.ts'
import { Submit, YouForm, YouSection } from './you-form.tsx'

export function OwnAccount({ account }: { account: OwnAccountView }) {
  return (
    <>
      <Identity {...account.entered} provider={account.provider} />
      {account.provider === null && <Password />}
    </>
  )
}

type IdentityProps = OwnAccountView['entered'] & Pick<OwnAccountView, 'provider'>

function Identity({ name, email, provider }: IdentityProps) {
  const { view, words } = useYou()
  const { errors } = view
  return (
    <YouSection title={words.you}>
      {provider !== null && <p className="said">{provider}</p>}
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
        {provider === null ? (
          <Address email={email} />
        ) : (
          <>
            <input type="hidden" name="email" value={view.email} />
            <input type="hidden" name="password" value="" />
            <Fact label={words.email} value={view.email} />
          </>
        )}
        <Fact
          label={words.role}
          value={view.role}
          {...(provider === null && { hint: words.roleHint })}
        />
        <Submit>{words.save}</Submit>
      </YouForm>
    </YouSection>
  )
}

/** Another one takes the password. */
function Address({ email }: { email: string }) {
  const { view, words } = useYou()
  const { errors } = view
  return (
    <>
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
    </>
  )
}

/** What is not changed here. */
const Fact = ({ label, value, hint }: { label: string; value: string; hint?: string }) => (
  <dl className="field">
    <dt>{label}</dt>
    <dd>
      <Shown text={value} />
    </dd>
    {hint !== undefined && <dd className="hint">{hint}</dd>}
  </dl>
)

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
