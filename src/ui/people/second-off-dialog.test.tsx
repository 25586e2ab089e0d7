import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pages as english, server } from '../../messages/en.ts'
import type { PersonView } from '../../protocol/people-view.ts'
import { templates } from '../../table/templates.ts'
import { MessagesContext } from '../parts/use-messages.ts'
import { type PeopleWords, PeopleWordsContext } from './people-words.ts'
import { SecondOffDialog } from './second-off-dialog.tsx'

// The page sends a template for each of them.
const words = templates(server.directory.words) as PeopleWords

const person: PersonView = {
  ...{ id: 'bo', name: 'Bo', called: 'Bo', email: 'bo@example.org', isYou: false, state: 'active' },
  role: { name: 'viewer', label: 'Reader', text: '' },
  ...{ note: null, lastSeen: '', sessions: '0', isSignedIn: false },
  ...{ hasSecondFactor: true, hasLink: false, provider: null },
}

const dialog = (isSetUpAnew: boolean): string =>
  renderToString(
    <MessagesContext value={english}>
      <PeopleWordsContext value={words}>
        <SecondOffDialog
          {...{ person, isSetUpAnew }}
          remove={() => Promise.resolve()}
          onClose={() => undefined}
        />
      </PeopleWordsContext>
    </MessagesContext>,
  )

test('says how the person signs in from then on, which differs where everybody needs one', () => {
  expect(dialog(false)).toContain('Take the second factor of Bo away?')
  expect(dialog(false)).toContain('the password alone signs them in')
  expect(dialog(true)).toContain('sets up a second factor anew')
  expect(dialog(true)).not.toContain('alone')
})
