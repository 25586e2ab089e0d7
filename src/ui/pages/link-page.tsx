/** The page of a one-time link: the first person makes an account, others confirm their sign-in. */

import type { LinkView } from '../../protocol/admin-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Field } from '../parts/field.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Ticket } from './ticket.tsx'

/** Shortest password, characters; the server decides, but the browser says so sooner. */
const PASSWORD_MIN = 12

export function LinkPage(props: LinkView) {
  const { link } = useMessages()
  const { csrf } = usePage()
  const { newAdministrator, email } = props
  const lead = email ? link.lead(email) : link.leadUnnamed
  return (
    <Ticket title={newAdministrator ? link.newTitle : link.title} facts={props.facts}>
      <p className="second">{newAdministrator ? link.newLead : lead}</p>
      <form className="stack" method="post" action={props.action}>
        <input type="hidden" name="_token" value={csrf} />
        {newAdministrator && <AccountFields {...props} />}
        <button type="submit" className="btn main tall">
          {newAdministrator ? link.newSubmit : link.submit}
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
      <Field
        label={link.password}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={PASSWORD_MIN}
        required
        hint={link.passwordHint}
        error={errors['password']}
      />
    </>
  )
}
