/** Says what taking somebody's second factor away means before it is done. */

import type { PersonView } from '../../protocol/people-view.ts'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Modal } from '../parts/modal.tsx'
import { say } from '../parts/say.ts'
import { usePeopleWords } from './people-words.ts'
import type { People } from './use-people.ts'

type Props = {
  person: PersonView
  /** Whether everybody needs one. */
  isSetUpAnew: boolean
  remove: People['removeSecondFactor']
  onClose(): void
}

export function SecondOffDialog({ person, isSetUpAnew, remove, onClose }: Props) {
  const words = usePeopleWords()
  return (
    <Modal title={say(words.secondOffTitle, person.called)} className="dialog" onClose={onClose}>
      <div className="body">
        <p>{isSetUpAnew ? words.secondOffAnewText : words.secondOffText}</p>
      </div>
      <DialogActions
        confirm={words.secondOff}
        decide={async () => {
          await remove(person)
          onClose()
        }}
        onClose={onClose}
        isDangerous
      />
    </Modal>
  )
}
