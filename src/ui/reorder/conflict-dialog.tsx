/** Shows the person who saves later what others have changed in the order. */

import type { ChangedNeighbours, NamedSides, ReorderMode } from '../../protocol/reorder.ts'
import { Modal } from '../parts/modal.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'

type ConflictDialogProps = {
  changed: readonly ChangedNeighbours[]
  mode: ReorderMode
  saveAnyway(): void
  /** Looks at the order as it is now, with the moves applied. */
  onClose(): void
}

export function ConflictDialog({
  changed,
  mode: { words },
  saveAnyway,
  onClose,
}: ConflictDialogProps) {
  return (
    <Modal title={words['conflict'] ?? ''} className="dialog" onClose={onClose}>
      <ul className="body">
        {changed.map((one) => (
          <li key={one.key}>
            <Shown text={changedText(one, words)} />
          </li>
        ))}
      </ul>
      <div className="acts">
        <button type="button" className="btn" onClick={saveAnyway}>
          {words['goOn']}
        </button>
        <button type="button" className="btn main" onClick={onClose}>
          {words['review']}
        </button>
      </div>
    </Modal>
  )
}

function changedText(
  { label, from, ...sides }: ChangedNeighbours,
  words: ReorderMode['words'],
): string {
  const then = say(words['between'], label, placeText(sides, words))
  return from ? `${say(words['elsewhere'], label, placeText(from, words))} ${then}` : then
}

function placeText({ previous, next }: NamedSides, words: ReorderMode['words']): string {
  if (previous === null) return say(words['first'], next ?? '')
  return next === null ? say(words['last'], previous) : say(words['betweenRows'], previous, next)
}
