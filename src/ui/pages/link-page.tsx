/** The page of a one-time link: it makes an account, sets a password, or confirms a sign-in. */

import type { LinkView } from '../../protocol/admin-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Field } from '../parts/field.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Ticket } from './ticket.tsx'

/** Shortest password, characters; the server decides, but the browser says so sooner. */
const PASSWORD_MIN = 12

export function LinkPage(props: LinkView) {
  const { csrf } = usePage()
  const { asks, email, errors } = props
  return (
    <Ticket title={props.title} facts={props.facts}>
      <p className="second">{props.lead}</p>
      <form className="stack" method="post" action={props.action}>
        <input type="hidden" name="_token" value={csrf} />
        {asks === 'account' && <AccountFields {...props} />}
        {asks === 'password' && (
          <>
            {/* Password managers keep the password under the address. */}
            <input type="hidden" name="email" value={email} autoComplete="username" />
            <PasswordField error={errors['password']} autoFocus />
          </>
        )}
        <button type="submit" className="btn main tall">
          {props.submit}
        </button>
      </form>
    </Ticket>
  )
}

function AccountFields({ name, email, errors }: Pick<LinkView, 'name' | 'email' | 'errors'>) {
  const { link } = useMessages()
  return (
    <>
      <Field
        label={link.name}
        name="name"
        autoComplete="name"
        required
        autoFocus
        defaultValue={name}
        error={errors['name']}
      />
      <Field
        label={link.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={email}
        error={errors['email']}
      />
      <PasswordField error={errors['password']} />
    </>
  )
}

type PasswordProps = { error: string | undefined; autoFocus?: boolean }

function PasswordField({ error, autoFocus }: PasswordProps) {
  const { link } = useMessages()
  return (
    <Field
      label={link.password}
      name="password"
      type="password"
      autoComplete="new-password"
      minLength={PASSWORD_MIN}
      required
      autoFocus={autoFocus}
      hint={link.passwordHint}
      error={error}
    />
  )
}
