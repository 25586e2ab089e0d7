/** Shows a link that was made, once, to be handed over. */

import { useState } from 'react'
import type { IssuedLinkView } from '../../protocol/people-view.ts'
import { FactList } from '../parts/fact-list.tsx'
import { Icon } from '../parts/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import type { People } from './use-people.ts'
import { say } from '../parts/say.ts'
import { usePeopleWords } from './people-words.ts'

type Props = { link: IssuedLinkView; withdraw: People['withdraw']; onClose(): void }

export function LinkDialog({ link, withdraw, onClose }: Props) {
  const words = usePeopleWords()
  const [isCopied, setCopied] = useState(false)
  const address = new URL(link.path, location.origin).href
  const facts = [
    { label: words.signsInAs, value: link.email },
    { label: words.role, value: link.role },
    { label: words.works, value: link.works },
  ]
  const copy = async () => {
    await navigator.clipboard.writeText(address)
    setCopied(true)
  }
  const takeBack = async () => {
    await withdraw({ id: link.person, called: link.called })
    onClose()
  }
  return (
    <Modal title={say(words.linkFor, link.called)} className="dialog invite" onClose={onClose}>
      <div className="body">
        {link.notes.map((note) => (
          <p key={note} className="second">
            {note}
          </p>
        ))}
        <div className="copied">
          <input
            className="in mono"
            aria-label={words.link}
            readOnly
            value={address}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <button
            type="button"
            className="btn main"
            data-first
            // Where the browser allows no copying, the address can be selected.
            onClick={() => void copy().catch(() => undefined)}
          >
            <Icon name={isCopied ? 'done' : 'copy'} />
            {words.copy}
          </button>
          <span className="sr" role="status">
            {isCopied && words.copied}
          </span>
        </div>
        <FactList facts={facts} label={say(words.linkFor, link.called)} />
      </div>
      <div className="acts">
        <button
          type="button"
          className="btn away"
          // The page's failure display says what went wrong.
          onClick={() => void takeBack().catch(() => undefined)}
        >
          {words.withdraw}
        </button>
        <button type="button" className="btn line" onClick={onClose}>
          {words.done}
        </button>
      </div>
    </Modal>
  )
}
