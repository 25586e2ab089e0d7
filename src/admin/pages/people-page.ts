/** The page of the people who may come in, for administrators. */

import { messagesFor } from '../../messages/messages.ts'
import { templates } from '../../table/templates.ts'
import { PATHS } from '../addresses.ts'
import { page } from './page.ts'
import type { PeoplePageComponent } from './people-component.ts'

export const createPeoplePage = (people: PeoplePageComponent) =>
  page(PATHS.people, {
    name: 'people',
    authorize: ({ actor }) => actor.role === 'admin',
    components: () => ({ people: people.with() }),
    data: ({ language }) => templates(messagesFor(language).directory.words),
    title: ({ language }) => messagesFor(language).directory.title,
    current: () => 'people',
  })
