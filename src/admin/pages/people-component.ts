/** The people who may come in, as a live component for administrators. */

import * as v from 'valibot'
import { messagesFor, type ServerMessages } from '../../messages/messages.ts'
import type { TypesOf } from '../../protocol/component-types.ts'
import {
  type InviteErrors,
  type IssuedLinkView,
  PEOPLE_SHOWN,
  type PeopleComponent,
  type PeopleShown,
  type PeopleView,
  type PersonView,
  type RoleView,
} from '../../protocol/people-view.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog } from '../../table/catalog.ts'
import { formatterFor } from '../../table/format.ts'
import { timeOf } from '../../table/history/moments.ts'
import { isKnownRole } from '../../table/roles/role-policy.ts'
import type { Directory, IssuedLink, Person } from '../accounts/directory.ts'
import { describeRole, rolesOf } from '../accounts/role-texts.ts'
import type { Addresses } from '../addresses.ts'
import type { LinkLetters } from '../mail/link-letters.ts'

export type PeopleServices = {
  readonly directory: Directory
  readonly addresses: Addresses
  catalog(): Catalog
  readonly letters: LinkLetters
  /** Whether everybody needs a second factor. */
  readonly needsSecondFactor: boolean
  /** The OpenID provider through which people come in. */
  readonly provider: string | undefined
}

export type PeoplePageComponent = Component<void, TypesOf<PeopleComponent>>

const id = v.pipe(v.string(), v.maxLength(64))
const onPerson = v.strictTuple([id])
/** Longer ones are refused with their reason. */
const entered = v.pipe(v.string(), v.maxLength(1000))

export function createPeopleComponent({
  directory,
  addresses,
  catalog,
  letters,
  needsSecondFactor,
  provider,
}: PeopleServices): PeoplePageComponent {
  /** Sends the link, and shows it whatever became of that. */
  const handOver = async (
    issued: IssuedLink,
    by: Actor,
    reader: Reader,
  ): Promise<IssuedLinkView> => {
    const { token, expiresAt, replaces, person } = issued
    const { directory: words, mail } = messagesFor(reader.language)
    const { label, text } = describeRole(person.role, { catalog: catalog(), actor: by, reader })
    const delivery = await letters(issued, by.name, reader)
    return {
      path: addresses.link(token),
      person: person.id,
      called: calledIn(await directory.list(), words)(person),
      email: person.email,
      role: words.roleWithText(label, text),
      works: words.worksOnce(timeOf(expiresAt, reader)),
      notes: [mail.delivery[delivery](person.email), ...(replaces ? [words.replaces] : [])],
    }
  }
  /** One that somebody can be given now. */
  const role = v.pipe(
    v.string(),
    v.maxLength(64),
    v.check((name) => isKnownRole(name, catalog().roles)),
  )
  return defineComponent({
    name: 'people',
    state: { shown: v.picklist(PEOPLE_SHOWN), search: v.string() },
    authorize: ({ actor }) => actor.role === 'admin',
    mount: ({ query }) => ({
      shown: shownOf(query.get('show')),
      search: query.get('search') ?? '',
    }),
    actions: {
      // What they answer is a secret, so that it is not kept to be told again.
      invite: {
        args: v.strictTuple([entered, entered, role]),
        async run({ actor, ...reader }, name, email, chosen) {
          try {
            const issued = await directory.invite(actor, { name, email, role: chosen })
            return { link: await handOver(issued, actor, reader) }
          } catch (error) {
            const errors = errorsOf(error, reader)
            if (!errors) throw error
            return { errors }
          }
        },
      },
      renewLink: {
        args: onPerson,
        run: async ({ actor, ...reader }, person) =>
          handOver(await directory.renewLink(actor, person), actor, reader),
      },
      withdraw: {
        ...{ kind: 'write', changesRows: false, args: onPerson },
        run: ({ actor }, person) => directory.withdraw(actor, person),
      },
      changeRole: {
        ...{ kind: 'write', changesRows: false, args: v.strictTuple([id, role]) },
        run: ({ actor }, person, chosen) => directory.changeRole(actor, person, chosen),
      },
      disable: {
        ...{ kind: 'write', changesRows: false, args: onPerson },
        run: ({ actor }, person) => directory.disable(actor, person),
      },
      enable: {
        ...{ kind: 'write', changesRows: false, args: onPerson },
        run: ({ actor }, person) => directory.enable(actor, person),
      },
      endSessions: {
        ...{ kind: 'write', changesRows: false, args: onPerson },
        run: ({ actor }, person) => directory.endSessions(actor, person),
      },
      removeSecondFactor: {
        ...{ kind: 'write', changesRows: false, args: onPerson },
        run: ({ actor }, person) => directory.removeSecondFactor(actor, person),
      },
    },
    load: async ({ actor }) => ({ data: { actor, people: await directory.list() } }),
    view({ state: { shown, search }, data: { actor, people }, ...reader }): PeopleView {
      const { number } = formatterFor(reader)
      const { directory: words } = messagesFor(reader.language)
      const describing = { catalog: catalog(), actor, reader }
      const roles = rolesOf(describing)
      const roleOf = ({ role }: Person) =>
        roles.find(({ name }) => name === role) ?? describeRole(role, describing)
      const found = people.filter((person) => isFound(person, search))
      const called = calledIn(people, words)
      return {
        ...{ shown, search },
        tabs: PEOPLE_SHOWN.map((tab) => ({
          shown: tab,
          label: words.tabs[tab],
          count: number(found.filter((person) => isShown(person, tab)).length),
          href: hrefOf(addresses.people, { shown: tab, search }),
        })),
        people: found
          .filter((person) => isShown(person, shown))
          .map((person) =>
            personView(person, {
              ...{ actor, role: roleOf(person), reader, provider },
              called: called(person),
            }),
          ),
        ...{ roles, needsSecondFactor, rolesHref: addresses.roles },
      }
    },
  })
}

/** An address that somebody typed is not refused for a word that names no tab. */
const shownOf = (text: string | null): PeopleShown =>
  PEOPLE_SHOWN.find((one) => one === text) ?? 'all'

const isShown = ({ state }: Person, shown: PeopleShown) => shown === 'all' || state === shown

/** Names may be had twice: then the address tells people apart. */
function calledIn(people: readonly Person[], words: ServerMessages['directory']) {
  const times = new Map<string, number>()
  const spelled = ({ name }: Pick<Person, 'name'>) => name.toLowerCase()
  for (const person of people) times.set(spelled(person), (times.get(spelled(person)) ?? 0) + 1)
  return (person: Pick<Person, 'name' | 'email'>): string =>
    (times.get(spelled(person)) ?? 0) > 1 ? words.called(person.name, person.email) : person.name
}

function isFound({ name, email }: Person, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  return [name, email].some((text) => text.toLowerCase().includes(wanted))
}

function hrefOf(path: string, { shown, search }: { shown: PeopleShown; search: string }): string {
  const query = new URLSearchParams({
    ...(shown !== 'all' && { show: shown }),
    ...(search !== '' && { search }),
  })
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

type Viewed = {
  readonly actor: Actor
  readonly role: RoleView
  readonly reader: Reader
  readonly provider: string | undefined
  readonly called: string
}

function personView(person: Person, { actor, role, reader, provider, called }: Viewed): PersonView {
  const { directory: words, providers } = messagesFor(reader.language)
  const { id: own, name, email, state, lastSeenAt, sessions, linkUntil } = person
  const { number } = formatterFor(reader)
  return {
    ...{ id: own, name, called, email, state, isYou: own === actor.id },
    role,
    note: noteOf(person, reader),
    lastSeen: lastSeenAt === null ? words.never : timeOf(lastSeenAt, reader),
    sessions: number(sessions),
    ...{ isSignedIn: sessions > 0, hasLink: linkUntil !== null },
    hasSecondFactor: person.hasSecondFactor,
    provider: person.isProvided && provider !== undefined ? providers.byIt(provider) : null,
  }
}

function noteOf({ state, linkUntil, disabledAt }: Person, reader: Reader): string | null {
  const { directory: words } = messagesFor(reader.language)
  if (disabledAt !== null) return words.disabledSince(timeOf(disabledAt, reader))
  if (linkUntil !== null) {
    const until = timeOf(linkUntil, reader)
    return state === 'invited' ? words.invitedUntil(until) : words.linkUntil(until)
  }
  return state === 'invited' ? words.linkOver : null
}

/** The fields of the form that each error is about. */
const FIELDS: { readonly [code: string]: keyof InviteErrors } = {
  EMAIL_INVALID: 'email',
  EMAIL_TAKEN: 'email',
  NAME_INVALID: 'name',
}

function errorsOf(error: unknown, reader: Reader): InviteErrors | undefined {
  const field = error instanceof AppError ? FIELDS[error.code] : undefined
  return error instanceof AppError && field ? { [field]: error.messageFor(reader) } : undefined
}
