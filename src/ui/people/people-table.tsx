/** The people as a table, each with a menu of what can be done. */

import type { PersonView } from '../../protocol/people-view.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { initials } from '../shell/rail-items.ts'
import { say } from '../parts/say.ts'
import { usePeopleWords } from './people-words.ts'

/** What is done with a person. */
export type PersonActions = {
  readonly [
    action in
      | 'changeRole'
      | 'disable'
      | 'renewLink'
      | 'withdraw'
      | 'enable'
      | 'endSessions'
      | 'removeSecondFactor'
  ]: (person: PersonView) => Promise<void> | void
}

type TableProps = { people: readonly PersonView[]; label: string; on: PersonActions }

export function PeopleTable({ people, label, on }: TableProps) {
  const words = usePeopleWords()
  return (
    <table className="ledger" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {[words.person, words.may, words.lastSeen].map((head) => (
            <th key={head} scope="col" role="columnheader">
              {head}
            </th>
          ))}
          <th scope="col" role="columnheader" className="num">
            {words.sessions}
          </th>
          <th scope="col" role="columnheader">
            <span className="sr">{words.action}</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {people.map((person) => (
          <PersonRow key={person.id} person={person} on={on} />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { person: PersonView; on: PersonActions }

function PersonRow({ person, on }: RowProps) {
  const words = usePeopleWords()
  const { name, email, isYou, role, note, state } = person
  return (
    <tr role="row" data-state={state}>
      <th scope="row" role="rowheader">
        <span className="named">
          <span className="who" aria-hidden="true">
            {initials(name).toUpperCase()}
          </span>
          <span>
            <span className="name">
              <Shown text={name} />
            </span>{' '}
            {isYou && <span className="muted">{words.you}</span>}
            <small>
              <Shown text={email} />
              {person.hasSecondFactor && `, ${words.withSecondFactor}`}
              {person.provider !== null && `, ${person.provider}`}
            </small>
          </span>
        </span>
      </th>
      <td role="cell">
        {role.label}
        <small>{note ?? role.text}</small>
      </td>
      <td role="cell" data-label={words.lastSeen}>
        {person.lastSeen}
      </td>
      <td role="cell" data-label={words.sessions} className="num">
        {person.sessions}
      </td>
      <td role="cell">
        <PersonMenu person={person} on={on} />
      </td>
    </tr>
  )
}

/** Nothing can be done with oneself: another administrator does it, or one's own account page. */
function PersonMenu({ person, on }: RowProps) {
  const words = usePeopleWords()
  if (person.isYou) return null
  const isInvited = person.state === 'invited'
  const isDisabled = person.state === 'disabled'
  const items: readonly (false | readonly [keyof PersonActions, string])[] = [
    person.provider === null && ['changeRole', words.askRole],
    !isDisabled && ['renewLink', isInvited ? words.newLink : words.passwordLink],
    isInvited
      ? ['withdraw', words.withdrawInvitation]
      : person.hasLink && ['withdraw', words.withdrawLink],
    person.isSignedIn && ['endSessions', words.endSessions],
    person.hasSecondFactor && ['removeSecondFactor', words.askSecondOff],
    isDisabled ? ['enable', words.enable] : !isInvited && ['disable', words.askDisable],
  ]
  return (
    <Menu
      id={`person-${person.id}`}
      label={say(words.actionsFor, person.called)}
      className="btn icon needs-script"
      face={<Icon name="more" />}
    >
      {items.map(
        (item) =>
          item && (
            <button
              key={item[0]}
              type="button"
              role="menuitem"
              className="item"
              onClick={({ currentTarget }) => {
                currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
                // The page's failure display says what went wrong.
                void Promise.resolve(on[item[0]](person)).catch(() => undefined)
              }}
            >
              {item[1]}
            </button>
          ),
      )}
    </Menu>
  )
}
