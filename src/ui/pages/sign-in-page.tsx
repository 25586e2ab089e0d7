/** The sign-in page: email and password, posted as a plain form. */

import type { SignInView } from '../../protocol/admin-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import type { SecondWords } from '../second/second-words.ts'
import { PasskeyForm } from '../second/passkey-form.tsx'
import { SecondStep } from './second-step.tsx'
import { Ticket } from './ticket.tsx'

/** As the server sends it. */
export type SignInData = {
  view: SignInView
  signIn: { title: string; lead: string; email: string; password: string; submit: string }
  words: SecondWords | null
}

export function SignInPage({ view, signIn, words }: SignInData) {
  const { second } = view
  return second && words ? (
    <SecondStep view={view} second={second} words={words} />
  ) : (
    <PasswordStep view={view} signIn={signIn} words={words} />
  )
}

function PasswordStep({ view, signIn, words }: SignInData) {
  const { facts, action, email, next, error, passkey, provider } = view
  const { csrf } = usePage()
  return (
    <Ticket title={signIn.title} facts={facts}>
      <p className="second">{signIn.lead}</p>
      <form className="stack" method="post" action={action} aria-label={signIn.title}>
        <input type="hidden" name="_token" value={csrf} />
        <input type="hidden" name="next" value={next} />
        {error && (
          <p className="err" role="alert">
            <Icon name="warning" />
            {error}
          </p>
        )}
        <Field
          label={signIn.email}
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus={!email}
          defaultValue={email}
        />
        <Field
          label={signIn.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={Boolean(email)}
        />
        <button type="submit" className="btn main tall">
          {signIn.submit}
        </button>
      </form>
      {passkey !== null && words && (
        <PasskeyForm
          action={action}
          fields={{ next }}
          dialog="use"
          question={passkey}
          words={words}
        >
          {words.usePasskey}
        </PasskeyForm>
      )}
      {provider !== null && (
        <p className="provider">
          {/* Its provider is another site, and no page of ours. */}
          <a className="btn line tall" href={provider.href} data-native="">
            {provider.text}
          </a>
        </p>
      )}
    </Ticket>
  )
}
