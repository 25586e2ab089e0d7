/** What is asked besides the password: setting codes up, turning them off, and recovery codes. */

import type { OwnSecondView } from '../../protocol/you-view.ts'
import { Field } from '../parts/field.tsx'
import { CodeDraft } from '../second/code-draft.tsx'
import { Confirmed } from './confirmed.tsx'
import { useYou } from './you-words.ts'
import { Submit, YouForm, YouSection } from './you-form.tsx'

export function SecondFactor({ isUsed, codes, left, draft }: OwnSecondView) {
  const { second: words } = useYou()
  return (
    <YouSection title={words.title}>
      <p className="said">
        {[isUsed ? words.lead : words.none, codes, left].filter(Boolean).join(' ')}
      </p>
      {draft && <Draft draft={draft} />}
      {!draft && !codes && <Confirmed does="codesBegin" label={words.setUp} />}
      {isUsed && (
        <Confirmed does="recovery" label={words.newRecovery} hint={words.newRecoveryHint} />
      )}
      {codes && <Confirmed does="codesOff" label={words.turnOff} />}
    </YouSection>
  )
}

function Draft({ draft }: { draft: NonNullable<OwnSecondView['draft']> }) {
  const { view, second: words } = useYou()
  return (
    <>
      <CodeDraft draft={draft} words={words} />
      <YouForm does="codesFinish" label={words.setUp}>
        <input type="hidden" name="sealed" value={draft.sealed} />
        <Field
          label={words.code}
          name="code"
          autoComplete="one-time-code"
          maxLength={40}
          required
          autoFocus
          hint={words.firstCodeHint}
          error={view.errors['code']}
        />
        <Submit>{words.finish}</Submit>
      </YouForm>
    </>
  )
}
