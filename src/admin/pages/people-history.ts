/** What administrators have done with people, as entries of the history. */

import type { PeopleChange, PeopleChanges } from '../../database/metadata/people-changes.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import { COMMAND } from '../accounts/directory.ts'
import { PROVIDER_ID } from '../accounts/provided.ts'
import type { OtherEvents } from '../../table/history/other-events.ts'
import { dayOf, timeOf } from '../../table/history/moments.ts'
import type { Roles } from '../../table/roles/role.ts'
import { roleLabel } from '../accounts/role-texts.ts'

/** Only administrators know of them. */
export const peopleHistory =
  (changes: PeopleChanges, roles: Roles, now: () => number): OtherEvents =>
  async (actor, query, reader) =>
    actor.role === 'admin'
      ? (await changes.list(query)).map((change) => entryOf(change, roles, now(), reader))
      : []

/** By what it was changed, if not by a person. */
const DOORS: { readonly [by: string]: 'command' | 'provider' | undefined } = {
  [COMMAND.id]: 'command',
  [PROVIDER_ID]: 'provider',
}

function entryOf(change: PeopleChange, roles: Roles, now: number, reader: Reader) {
  const { id, at, byId, byName } = change
  const { history } = messagesFor(reader.language)
  return {
    ...{ id, iso: new Date(at).toISOString() },
    ...{ time: timeOf(at, reader), day: dayOf(at, now, reader) },
    ...{
      who: byName,
      behalf: null,
      door: history.people[DOORS[byId] ?? 'door'],
    },
    ...{ what: whatOf(change, roles, reader), fields: [], link: null, notes: [], isUndone: false },
    undo: { may: false, why: history.people.noUndo } as const,
    erase: null,
  }
}

function whatOf(
  { what, personName, before, after }: PeopleChange,
  roles: Roles,
  reader: Reader,
): string {
  const { history } = messagesFor(reader.language)
  const role = (name: string | null) => (name === null ? '' : roleLabel(name, roles, reader))
  switch (what) {
    case 'role':
    case 'invited':
    case 'provided':
      return history.people.withRole[what](personName, role(after), role(before))
    case 'name':
    case 'email':
    case 'passkeyOn':
    case 'passkeyOff':
      return history.people.ofOneself[what](before ?? '', after ?? '')
    default:
      return history.people.what[what](personName)
  }
}
