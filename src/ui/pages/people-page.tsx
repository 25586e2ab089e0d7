/** The people who may come in: inviting them, and what each may do. */

import { useState } from 'react'
import type { IssuedLinkView, PeopleComponent, PersonView } from '../../protocol/people-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { Blank } from '../parts/blank.tsx'
import { Head } from '../parts/head.tsx'
import { Icon } from '../parts/icon.tsx'
import { SearchForm } from '../parts/search-form.tsx'
import { DisableDialog } from '../people/disable-dialog.tsx'
import { InviteDialog } from '../people/invite-dialog.tsx'
import { LinkDialog } from '../people/link-dialog.tsx'
import { type PeopleWords, PeopleWordsContext, usePeopleWords } from '../people/people-words.ts'
import { PeopleTable } from '../people/people-table.tsx'
import { RoleDialog } from '../people/role-dialog.tsx'
import { SecondOffDialog } from '../people/second-off-dialog.tsx'
import { usePeople } from '../people/use-people.ts'

/** The dialog that is open. */
type Asked =
  | { readonly what: 'invite' }
  | { readonly what: 'link'; readonly link: IssuedLinkView }
  | { readonly what: 'role' | 'disable' | 'secondOff'; readonly person: PersonView }

type Props = { component: string; words: PeopleWords }

export const PeoplePage = ({ component, words }: Props) => (
  <PeopleWordsContext value={words}>
    <People component={component} />
  </PeopleWordsContext>
)

function People({ component }: { component: string }) {
  const words = usePeopleWords()
  const { view } = useComponent<PeopleComponent>(component)
  const people = usePeople(component)
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const showLink = (link: IssuedLinkView) => setAsked({ what: 'link', link })
  return (
    <>
      <Head
        title={words.title}
        end={
          <>
            <a className="btn line" href={view.rolesHref}>
              {words.roles}
            </a>
            <button
              type="button"
              className="btn main needs-script"
              onClick={() => setAsked({ what: 'invite' })}
            >
              <Icon name="add" />
              {words.invite}
            </button>
          </>
        }
      />
      <div className="form people" tabIndex={0} role="region" aria-label={words.title}>
        <div className="people-bar">
          <nav className="tabs" aria-label={words.show}>
            {view.tabs.map(({ shown, label, count, href }) => (
              <a key={shown} href={href} aria-current={shown === view.shown ? 'page' : undefined}>
                {label} <span className="count">{count}</span>
              </a>
            ))}
          </nav>
          <SearchForm label={words.search} search={view.search}>
            {view.shown !== 'all' && <input type="hidden" name="show" value={view.shown} />}
          </SearchForm>
        </div>
        {view.people.length === 0 ? (
          <Blank kind="none" title={words.noneTitle} text={words.noneText} />
        ) : (
          <PeopleTable
            people={view.people}
            label={words.title}
            on={{
              changeRole: (person) => setAsked({ what: 'role', person }),
              disable: (person) => setAsked({ what: 'disable', person }),
              renewLink: (person) => people.renewLink(person).then(showLink),
              withdraw: people.withdraw,
              enable: people.enable,
              endSessions: people.endSessions,
              removeSecondFactor: (person) => setAsked({ what: 'secondOff', person }),
            }}
          />
        )}
      </div>
      {asked?.what === 'invite' && (
        <InviteDialog roles={view.roles} invite={people.invite} onLink={showLink} onClose={close} />
      )}
      {asked?.what === 'link' && (
        <LinkDialog link={asked.link} withdraw={people.withdraw} onClose={close} />
      )}
      {asked?.what === 'role' && (
        <RoleDialog
          person={asked.person}
          roles={view.roles}
          change={people.changeRole}
          onClose={close}
        />
      )}
      {asked?.what === 'disable' && (
        <DisableDialog person={asked.person} disable={people.disable} onClose={close} />
      )}
      {asked?.what === 'secondOff' && (
        <SecondOffDialog
          person={asked.person}
          isSetUpAnew={view.needsSecondFactor}
          remove={people.removeSecondFactor}
          onClose={close}
        />
      )}
    </>
  )
}
