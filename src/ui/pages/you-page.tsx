/** The page of one's own account. */

import { FactList } from '../parts/fact-list.tsx'
import { Head } from '../parts/head.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { LookForm } from '../you/look-form.tsx'
import { OwnAccount } from '../you/own-account.tsx'
import { SessionList } from '../you/session-list.tsx'
import { RecoveryCodes } from '../second/recovery-codes.tsx'
import { PasskeyList } from '../you/passkey-list.tsx'
import { SecondFactor } from '../you/second-factor.tsx'
import { useYou, type You, YouContext, type YouWords } from '../you/you-words.ts'
import { YouSection } from '../you/you-form.tsx'

/** As the server sends it. */
export type YouData = { view: You['view']; words: YouWords; second: You['second'] }

export function YouPage({ view, words, second }: YouData) {
  return (
    <YouContext value={{ view, words, second }}>
      <Head
        title={words.title}
        beside={
          <span className="muted">
            <Shown text={view.name} />
          </span>
        }
      />
      <div className="form you" tabIndex={0} role="region" aria-label={words.title}>
        {view.done !== null && (
          <p className="done" role="status">
            {view.done}
          </p>
        )}
        {view.account && view.account.second.recovery.length > 0 && (
          <YouSection title={second.recovery}>
            <RecoveryCodes codes={view.account.second.recovery} words={second} />
          </YouSection>
        )}
        {view.account ? (
          <>
            <OwnAccount account={view.account} />
            {view.account.provider === null && (
              <>
                <SecondFactor {...view.account.second} />
                <PasskeyList {...view.account.passkeys} />
              </>
            )}
            <SessionList sessions={view.account.sessions} />
          </>
        ) : (
          <HostedAccount />
        )}
        <LookForm {...view.look} />
      </div>
    </YouContext>
  )
}

function HostedAccount() {
  const { view, words } = useYou()
  const facts = [
    { label: words.name, value: view.name },
    { label: words.email, value: view.email },
    { label: words.role, value: view.role },
  ].filter(({ value }) => value !== '')
  return (
    <YouSection title={words.you}>
      <p className="hint">{words.hosted}</p>
      <FactList facts={facts} label={words.you} />
    </YouSection>
  )
}
