/** Recovery codes, which are shown once. */

import type { SecondWords } from './second-words.ts'

export function RecoveryCodes({ codes, words }: { codes: readonly string[]; words: SecondWords }) {
  return (
    <>
      <p role="status">{words.recoveryLead}</p>
      <ul className="recovery-codes" aria-label={words.recovery}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </>
  )
}
