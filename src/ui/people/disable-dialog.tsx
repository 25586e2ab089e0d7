/** Says what disabling a person means before it is done. */

import type { PersonView } from '../../protocol/people-view.ts'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Modal } from '../parts/modal.tsx'
import type { People } from './use-people.ts'
import { say } from '../parts/say.ts'
import { usePeopleWords } from './people-words.ts'

type Props = { person: PersonView; disable: People['disable']; onClose(): void }

export function DisableDialog({ person, disable, onClose }: Props) {
  const words = usePeopleWords()
  return (
    <Modal title={say(words.disableTitle, person.called)} className="dialog" onClose={onClose}>
      <div className="body">
        <p>{words.disableText}</p>
      </div>
      <DialogActions
        confirm={words.disable}
        decide={async () => {
          await disable(person)
          onClose()
        }}
        onClose={onClose}
        isDangerous
      />
    </Modal>
  )
}
