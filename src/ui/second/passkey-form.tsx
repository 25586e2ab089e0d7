/** A form that the browser’s own dialog for passkeys fills in, and then sends. */

import { type ReactNode, useState } from 'react'
import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import type { SecondWords } from './second-words.ts'

/** Loaded with the first use. */
const library = () => import('@simplewebauthn/browser')

/** What the browser does with the server’s question, which is JSON. */
const DIALOGS = {
  create: async (question: string) =>
    (await library()).startRegistration({ optionsJSON: JSON.parse(question) }),
  use: async (question: string) =>
    (await library()).startAuthentication({ optionsJSON: JSON.parse(question) }),
} as const

type PasskeyFormProps = {
  action: string
  /** Hidden fields that are sent along. */
  fields: { readonly [name: string]: string }
  dialog: keyof typeof DIALOGS
  question: string
  words: SecondWords
  children: ReactNode
}

export function PasskeyForm(props: PasskeyFormProps) {
  const { action, fields, dialog, question, words, children } = props
  const { csrf } = usePage()
  const [hasFailed, setFailed] = useState(false)
  const ask = async (form: HTMLFormElement) => {
    setFailed(false)
    const answer = await DIALOGS[dialog](question)
    const field = form.elements.namedItem('passkey')
    if (field instanceof HTMLInputElement) field.value = JSON.stringify(answer)
    form.submit()
  }
  return (
    <form method="post" action={action} className="passkey needs-script">
      <input type="hidden" name="_token" value={csrf} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="passkey" defaultValue="" />
      <button
        type="button"
        className="btn line tall"
        // The page has been loaded anew for it.
        autoFocus={dialog === 'create'}
        // Whoever closes the dialog, or waits too long, may ask for it again.
        onClick={({ currentTarget: { form } }) =>
          void (form && ask(form).catch(() => setFailed(true)))
        }
      >
        {children}
      </button>
      {hasFailed && (
        <p className="err" role="alert">
          <Icon name="warning" />
          {words.passkeyFailed}
        </p>
      )}
    </form>
  )
}
