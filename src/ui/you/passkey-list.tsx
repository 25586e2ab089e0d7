/** The passkeys of a person: adding one with a name, and removing each. */

import type { OwnPasskeysView, PasskeyView } from '../../protocol/you-view.ts'
import { Field } from '../parts/field.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { PasskeyForm } from '../second/passkey-form.tsx'
import { Confirmed } from './confirmed.tsx'
import { useYou } from './you-words.ts'
import { YouSection } from './you-form.tsx'

export function PasskeyList({ isOffered, passkeys, draft }: OwnPasskeysView) {
  const { view, second: words } = useYou()
  const error = view.errors['passkey']
  return (
    <YouSection title={words.passkeys}>
      <p className="said">{isOffered ? words.passkeysLead : words.passkeysPlaceless}</p>
      {passkeys.map((passkey) => (
        <Passkey key={passkey.id} {...passkey} />
      ))}
      {draft ? (
        <PasskeyForm
          action={view.action}
          fields={{ do: 'passkeyFinish', name: draft.name }}
          dialog="create"
          question={draft.question}
          words={words}
        >
          {words.createPasskey}
        </PasskeyForm>
      ) : (
        isOffered && (
          <Confirmed does="passkeyBegin" label={words.addPasskey} isOpen={error !== undefined}>
            <Field
              label={words.passkeyName}
              name="name"
              maxLength={100}
              required
              autoComplete="off"
              hint={words.passkeyNameHint}
              error={error}
            />
          </Confirmed>
        )
      )}
    </YouSection>
  )
}

function Passkey({ id, name, used }: PasskeyView) {
  const { second: words } = useYou()
  return (
    <div className="one-passkey">
      <p>
        <b>
          <Shown text={name} />
        </b>{' '}
        <small>{used}</small>
      </p>
      <Confirmed does="passkeyRemove" field={`remove ${id}`} label={words.removePasskey} of={name}>
        <input type="hidden" name="id" value={id} />
      </Confirmed>
    </div>
  )
}
