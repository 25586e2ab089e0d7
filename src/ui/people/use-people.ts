/** What an administrator does with people, each told once it is done. */

import type { PeopleComponent, PersonView, RoleView } from '../../protocol/people-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { useNotify } from '../parts/toasts.tsx'
import { say } from '../parts/say.ts'
import { usePeopleWords } from './people-words.ts'

/** Whom it is about. */
export type Named = Pick<PersonView, 'id' | 'called'>

export type People = ReturnType<typeof usePeople>

export function usePeople(component: string) {
  const words = usePeopleWords()
  const { call, view } = useComponent<PeopleComponent>(component)
  const notify = useNotify()
  const tell = async (done: Promise<unknown>, said: string) => {
    await done
    notify(said)
  }
  return {
    invite: call.invite,
    renewLink: ({ id }: Named) => call.renewLink(id),
    withdraw: ({ id, called }: Named) => tell(call.withdraw(id), say(words.toldWithdrawn, called)),
    changeRole: ({ id, called }: Named, role: RoleView) =>
      tell(call.changeRole(id, role.name), say(words.toldRole, called, role.label)),
    disable: ({ id, called }: Named) => tell(call.disable(id), say(words.toldDisabled, called)),
    enable: ({ id, called }: Named) => tell(call.enable(id), say(words.toldEnabled, called)),
    removeSecondFactor: ({ id, called }: Named) =>
      tell(
        call.removeSecondFactor(id),
        say(view.needsSecondFactor ? words.toldSecondOffAnew : words.toldSecondOff, called),
      ),
    endSessions: ({ id, called }: Named) =>
      tell(call.endSessions(id), say(words.toldEnded, called)),
  }
}
