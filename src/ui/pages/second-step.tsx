/** The second step of signing in: a code, after it was set up where that is asked. */

import type { SignInView } from '../../protocol/admin-view.ts'
import type { SecondStepView } from '../../protocol/second-factor-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Field } from '../parts/field.tsx'
import { sendOnce } from '../parts/send-once.ts'
import { CodeDraft } from '../second/code-draft.tsx'
import { PasskeyForm } from '../second/passkey-form.tsx'
import { RecoveryCodes } from '../second/recovery-codes.tsx'
import type { SecondWords } from '../second/second-words.ts'
import { Ticket } from './ticket.tsx'

type Props = { view: SignInView; second: SecondStepView; words: SecondWords }

export function SecondStep({ view, second, words }: Props) {
  const { draft, recovery } = second
  if (recovery.length > 0)
    return (
      <Ticket title={words.recovery}>
        <RecoveryCodes codes={recovery} words={words} />
        <p>
          <a className="btn main tall" href={view.next}>
            {words.continue}
          </a>
        </p>
      </Ticket>
    )
  return (
    <Ticket title={draft ? words.setUpTitle : words.askTitle}>
      <p className="second">{draft ? words.setUpLead : words.askLead}</p>
      {draft && <CodeDraft draft={draft} words={words} />}
      <CodeForm view={view} second={second} words={words} />
      {view.passkey !== null && (
        <PasskeyForm
          action={view.action}
          fields={{ next: view.next, step: second.token }}
          dialog="use"
          question={view.passkey}
          words={words}
        >
          {words.usePasskey}
        </PasskeyForm>
      )}
      <p className="hint again">
        <a href={view.action}>{words.again}</a>
      </p>
    </Ticket>
  )
}

function CodeForm({ view, second: { token, email, draft }, words }: Props) {
  const { csrf } = usePage()
  return (
    <form className="stack" method="post" action={view.action} onSubmit={sendOnce}>
      <input type="hidden" name="_token" value={csrf} />
      <input type="hidden" name="next" value={view.next} />
      <input type="hidden" name="step" value={token} />
      {draft && <input type="hidden" name="sealed" value={draft.sealed} />}
      {/* Password managers keep codes under the address. */}
      <input type="hidden" name="email" value={email} autoComplete="username" />
      <Field
        label={words.code}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        required
        autoFocus
        hint={draft ? words.firstCodeHint : words.codeHint}
        error={view.error ?? undefined}
      />
      <button type="submit" className="btn main tall">
        {draft ? words.finish : words.confirm}
      </button>
    </form>
  )
}
