/** What two people have made of one field: who has changed it, and which of both stays. */

import type { ReactNode } from 'react'
import { type FieldConflict, POSTED } from '../../protocol/form-view.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { FieldInputProps } from './field-input.tsx'
import { shownText } from './shown-text.ts'

type ConflictProps = Pick<FieldInputProps, 'field' | 'text' | 'label' | 'take' | 'keepMine'> & {
  conflict: FieldConflict
  /** The name by which the answer is posted, where that is not the column's. */
  posts?: string
  focus(): void
  /** Such as the key that leads to the buttons. */
  hint?: ReactNode
}

export function Conflict({
  field,
  text,
  label,
  conflict,
  take,
  keepMine,
  focus,
  hint,
  posts = POSTED.stays + field.name,
}: ConflictProps) {
  const messages = useMessages()
  const { editing } = messages
  const said = {
    mine: shownText(field, text, messages, label),
    theirs: shownText(field, conflict.theirs, messages, conflict.theirLabel),
  }
  /** The buttons go, and would take the focus with them. */
  const settle = (how: () => void) => () => {
    how()
    focus()
  }
  return (
    <div className="conflict" role="group" aria-label={field.label}>
      <p>
        <Shown text={conflict.who ?? editing.changedByOthers} /> {editing.whichStays}
        {hint && <> {hint}</>}
      </p>
      <noscript>
        {(['mine', 'theirs'] as const).map((which) => (
          <label key={which} className="btn line">
            <input type="radio" name={posts} value={which} />
            {editing[which](said[which])}
          </label>
        ))}
      </noscript>
      <button type="button" className="btn line needs-script" onClick={settle(keepMine)}>
        {editing.mine(said.mine)}
      </button>
      <button type="button" className="btn line needs-script" onClick={settle(take)}>
        {editing.theirs(said.theirs)}
      </button>
    </div>
  )
}
