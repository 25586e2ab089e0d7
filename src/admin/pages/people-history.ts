/** What administrators have done with people, as entries of the history. */

import type { PeopleChange, PeopleChanges } from '../../database/metadata/people-changes.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import { COMMAND } from '../accounts/directory.ts'
import { own } from '../../table/definition/define-table.ts'
import type { Beside } from '../../table/history/component.ts'
import { dayOf, timeOf } from '../../table/history/moments.ts'

/** Only administrators know of them. */
export const peopleHistory =
  (changes: PeopleChanges, now: () => number): Beside =>
  async (actor, query, reader) =>
    actor.role === 'admin'
      ? (await changes.list(query)).map((change) => entryOf(change, now(), reader))
      : []

function entryOf(change: PeopleChange, now: number, reader: Reader) {
  const { id, at, byId, byName } = change
  const { history } = messagesFor(reader.language)
  return {
    ...{ id, iso: new Date(at).toISOString() },
    ...{ time: timeOf(at, reader), day: dayOf(at, now, reader) },
    ...{
      who: byName,
      behalf: null,
      door: history.people[byId === COMMAND.id ? 'command' : 'door'],
    },
    ...{ what: whatOf(change, reader), fields: [], link: null, notes: [], isUndone: false },
    undo: { may: false, why: history.people.noUndo } as const,
    erase: null,
  }
}

function whatOf({ what, personName, before, after }: PeopleChange, { language }: Reader): string {
  const { history, roles } = messagesFor(language)
  const role = (name: string | null) => own(roles, name ?? '') ?? name ?? ''
  switch (what) {
    case 'role':
    case 'invited':
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
