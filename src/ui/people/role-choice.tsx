/** The roles as radio buttons, each with what it may do in a sentence. */

import { useId } from 'react'
import type { RoleView } from '../../protocol/people-view.ts'
import { usePeopleWords } from './people-words.ts'

type Props = { roles: readonly RoleView[]; chosen: string; choose(role: string): void }

export function RoleChoice({ roles, chosen, choose }: Props) {
  const words = usePeopleWords()
  const id = useId()
  return (
    <fieldset className="role-choice">
      <legend>{words.role}</legend>
      {roles.map(({ name, label, text }) => (
        <label key={name}>
          <input
            type="radio"
            name={id}
            value={name}
            checked={name === chosen}
            aria-describedby={`${id}-${name}`}
            onChange={() => choose(name)}
          />
          <span>
            <b>{label}</b>
            <small id={`${id}-${name}`}>{text}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
